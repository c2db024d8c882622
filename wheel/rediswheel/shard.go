package rediswheel

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
)

// Shard is a part of a wheel whose keys lie on one node, and the scripts on it: a
// method a script, one script a call. It has no state and checks no bounds: that is
// the business of [Wheel] and [Worker]. It may be used by several goroutines if its
// client may.
//
// Instants are ms since 1970 by the server's clock.
type Shard struct {
	Redis  goredis.Scripter
	Prefix string // of every key, with the hash tag: "wheel{0}"
	Layout string // ID of the wheel's layout; empty: the shard's mark is not asked for
}

// RecordVersion is that of the records this package writes, and the last it reads.
const RecordVersion = 1

// Entry is a task to be added: its record is [Task.Record].
type Entry struct {
	Key    string
	Due    int64
	Record string
}

// minuteMilli is the span of a slice in ms.
const minuteMilli = 60_000

// Hold names a claim: a task by its key, and the token under which it was claimed.
// A token is never used twice on a shard, even by a server that has lost its data since,
// as long as its clock is not set back: so a claim that lapsed, or whose task was replaced
// meanwhile, is known by it.
type Hold struct {
	Key   string
	Token int64

	// Addition names what was added under the key, through all claims of it: the first token
	// under which it was claimed. 0 if it is not known.
	Addition int64
}

// Claimed is a task that a claim moved to a lease.
type Claimed struct {
	Hold
	Record   string
	Attempts int  // this one counted
	Refusals int  // by workers that may not call it, since its last attempt
	Lapses   int  // leases that lapsed while it was the only suspect of its worker, since its last result
	Suspect  bool // its lease lapsed before, and not for the first time it was tried
	Alone    bool // a suspect that is to be the worker's only one until it ends
}

// Claim is what one claim gave.
type Claim struct {
	Now   int64 // the server's clock
	Wait  int64 // ms until more is due: 0 at once, −1 nothing in sight
	Tasks []Claimed
}

// ClaimRequest is what a worker claims. See scripts/claim.lua.
type ClaimRequest struct {
	Limit    int // tasks; with 0 and Again only those of a lost answer
	Lease    time.Duration
	Suspects int // that may be taken
	Out      int // suspects that the worker holds already
	Attempts int // after which a task is given up

	Worker   string // of all workers this one's
	Nonce    int64  // another for each claim of the worker
	Again    bool   // the claim was sent before, and its answer did not come
	NotAfter int64  // ms by the server's clock, after which nothing is to be taken; 0: no limit
	Handlers []string
}

// Found is a task as the reading scripts tell it.
type Found struct {
	Key      string
	State    State
	At       int64 // when it is due, tried again, its lease lapses, or it was given up
	Record   string
	Attempts int
	Reason   string // of the last failure
}

// Add adds tasks or replaces those of the same keys, and says of each whether it
// replaced one. No key may stand twice. It is sent once: a second time it would call again what
// was due and has been called since.
func (s Shard) Add(ctx context.Context, entries []Entry) ([]bool, error) {
	args := make([]any, 0, 3*len(entries))
	for _, e := range entries {
		args = append(args, e.Key, e.Due, e.Record)
	}
	s.Redis = sentOnce(s.Redis)
	reply, err := s.run(ctx, addScript, args...)
	return flags(reply, err, len(entries))
}

// AddNew adds a task if there is none of its key, and says whether it did. It is sent once, as
// Add is.
func (s Shard) AddNew(ctx context.Context, e Entry) (bool, error) {
	minute := strconv.FormatInt(e.Due/minuteMilli, 10)
	keys := append(s.keys(addNewScript), s.Prefix+":tasks", s.Prefix+":slice:"+minute, s.Prefix+":minutes")
	n, err := addNewScript.Run(ctx, sentOnce(s.Redis), keys, e.Key, e.Due, e.Record, minute).Int()
	return n == 1, err
}

// Remove removes tasks and says of each whether there was one. It is sent once: a second
// answer would say that there was none.
func (s Shard) Remove(ctx context.Context, keys []string) ([]bool, error) {
	args := make([]any, len(keys))
	for i, key := range keys {
		args[i] = key
	}
	s.Redis = sentOnce(s.Redis)
	reply, err := s.run(ctx, removeScript, args...)
	return flags(reply, err, len(keys))
}

// Claim moves up to limit tasks that are due to leases, fewer if their records are long.
// It is sent once: what Redis leases to an answer that does not come lapses in time.
func (s Shard) Claim(ctx context.Context, limit int, lease time.Duration) (Claim, error) {
	return s.ClaimLimited(ctx, limit, limit, lease)
}

// ClaimLimited is a Claim that takes no more than so many suspects: tasks whose lease has lapsed,
// and not for the first time they were tried. They may kill their workers, or have been in flight
// beside what does. Wait does not include those that are left.
func (s Shard) ClaimLimited(ctx context.Context, limit, suspects int, lease time.Duration) (Claim, error) {
	return s.claim(ctx, limit, lease.Milliseconds(), suspects)
}

// ClaimFor is a worker's Claim: of tasks that it can run, and repeatable. If its answer does not come, the
// same request with Again set gives the same tasks, as far as they still are the worker's.
func (s Shard) ClaimFor(ctx context.Context, r ClaimRequest) (Claim, error) {
	again := 0
	if r.Again {
		again = 1
	}
	args := []any{r.Limit, r.Lease.Milliseconds(), r.Suspects, r.Worker, r.Nonce, again, r.NotAfter, r.Out, r.Attempts, RecordVersion}
	for _, name := range r.Handlers {
		args = append(args, handlerInRecord(name))
	}
	return s.claim(ctx, args...)
}

func (s Shard) claim(ctx context.Context, args ...any) (Claim, error) {
	s.Redis = sentOnce(s.Redis)
	answer, err := s.run(ctx, claimScript, args...)
	if err != nil {
		return Claim{}, err
	}
	r := &reply.Reader{List: answer}
	c := Claim{Now: r.Int(), Wait: r.Int(), Tasks: make([]Claimed, 0, len(answer)/3)}
	token := r.Int()
	for r.More() {
		t := Claimed{Hold: Hold{Key: r.Text(), Token: token, Addition: token}, Record: r.Text(), Attempts: 1}
		if history := r.Text(); history != "" && !t.readHistory(history) {
			return c, fmt.Errorf("%w: %.40q", reply.ErrReply, history)
		}
		c.Tasks = append(c.Tasks, t)
	}
	return c, r.Err
}

// readHistory reads what a claim replies of a task that was claimed before. See scripts/claim.lua.
func (t *Claimed) readHistory(text string) bool {
	var suspect int
	n, err := fmt.Sscan(text, &t.Attempts, &t.Addition, &t.Refusals, &t.Lapses, &suspect)
	t.Suspect, t.Alone = suspect >= 1, suspect == 2
	return err == nil && n == 5
}

// Ack ends tasks, and says of each whether it did: if its claim still held, or the addition
// was still there. Counts are added to the shard's counters with them.
func (s Shard) Ack(ctx context.Context, holds []Hold, counts []Count) ([]bool, error) {
	args := make([]any, 0, 1+2*len(counts)+3*len(holds))
	args = append(args, len(counts))
	for _, c := range counts {
		args = append(args, c.Field, c.N)
	}
	for _, h := range holds {
		args = append(args, h.Key, h.Token, h.Addition)
	}
	reply, err := s.run(ctx, ackScript, args...)
	return flags(reply, err, len(holds))
}

// Extend makes leases last from now on again, and says of each whether it still
// held.
func (s Shard) Extend(ctx context.Context, holds []Hold, lease time.Duration) ([]bool, error) {
	args := []any{lease.Milliseconds()}
	for _, h := range holds {
		args = append(args, h.Key, h.Token)
	}
	reply, err := s.run(ctx, extendScript, args...)
	return flags(reply, err, len(holds))
}

// Failed is a claimed task that did not end well.
type Failed struct {
	Hold
	Wait   time.Duration // until the next attempt; Bury does not read it
	Reason string

	Receiver string // because of which the task is put back, for Release; empty: another reason
	Due      int64  // of a task with a Receiver
}

// Why a task is put back. A failed attempt counts; one that this worker could not, or may not,
// make, or gave back as it stopped, does not.
const (
	Retried  = "retried"
	Deferred = "deferred"
	Released = "released"
	Refused  = "refused"
)

// Later puts tasks back for another attempt, and says of each whether its claim
// still held.
func (s Shard) Later(ctx context.Context, why string, tasks []Failed) ([]bool, error) {
	return s.later(ctx, why, why == Retried, tasks)
}

// later is Later of attempts that count, or do not.
func (s Shard) later(ctx context.Context, why string, counted bool, tasks []Failed) ([]bool, error) {
	args := []any{why, 0}
	if counted {
		args[1] = 1
	}
	for _, f := range tasks {
		args = append(args, f.Key, f.Token, f.Wait.Milliseconds(), f.Reason, f.Receiver, f.Due)
	}
	reply, err := s.run(ctx, laterScript, args...)
	return flags(reply, err, len(tasks))
}

// Release is what one release did: how many tasks it made due, and how many may be left.
type Release struct{ Released, Left int }

// Release makes tasks due that were put back because of a receiver, with one of these reasons, until so many
// retries of the shard are due. With answers, other workers are notified that the receiver answers.
func (s Shard) Release(ctx context.Context, host string, most int, answers bool, reasons ...string) (Release, error) {
	args := []any{host, most, 0}
	if answers {
		args[2] = 1
	}
	for _, reason := range reasons {
		args = append(args, reason)
	}
	answer, err := s.run(ctx, releaseScript, args...)
	if err != nil {
		return Release{}, err
	}
	r := &reply.Reader{List: answer}
	return Release{Released: int(r.Int()), Left: int(r.Int())}, r.Err
}

// Get finds a task; false if there is none of that key.
func (s Shard) Get(ctx context.Context, key string) (Found, bool, error) {
	answer, err := s.run(ctx, getScript, key)
	if err != nil || len(answer) == 0 {
		return Found{}, false, err
	}
	r := &reply.Reader{List: answer}
	f := Found{Key: key, State: State(r.Text()), At: r.Int(), Record: r.Text()}
	f.Attempts, f.Reason = readClaim(r.Text())
	return f, r.Err == nil, r.Err
}

// readClaim reads a claim in the format of claim_of in scripts/common.lua, or an empty one. A reason is
// one line; those after it are numbers.
func readClaim(claim string) (attempts int, reason string) {
	_, rest, _ := strings.Cut(claim, " ")
	number, reason, _ := strings.Cut(rest, " ")
	reason, _, _ = strings.Cut(reason, "\n")
	attempts, _ = strconv.Atoi(number)
	return attempts, reason
}

// restore adds tasks in their states and reports of each whether it was added. No key may be there twice. It
// is sent once, as Add is.
func (s Shard) restore(ctx context.Context, replace bool, batch []stored) ([]bool, error) {
	args := make([]any, 0, 1+6*len(batch))
	if replace {
		args = append(args, 1)
	} else {
		args = append(args, 0)
	}
	for i := range batch {
		t := &batch[i]
		args = append(args, t.Key, string(t.state), strconv.FormatInt(t.at, 10), t.Record, t.attempts, t.reason)
	}
	s.Redis = sentOnce(s.Redis)
	reply, err := s.run(ctx, restoreScript, args...)
	return flags(reply, err, len(batch))
}

// stored is a task to be added in a state.
type stored struct {
	Entry
	state    State
	at       int64
	attempts int
	reason   string
}

// handlerInRecord is a handler's name as it is within the quotes of a record's head.
func handlerInRecord(name string) string {
	text, err := json.Marshal(name)
	if err != nil {
		panic(err) // a string: it can't fail
	}
	return string(text[1 : len(text)-1])
}

// dump reads some tasks of the shard, to move them. See scripts/dump.lua.
func (s Shard) dump(ctx context.Context, cursor string, count int) (*reply.Reader, error) {
	answer, err := s.run(ctx, dumpScript, cursor, count)
	return &reply.Reader{List: answer}, err
}

// put writes tasks that dump has read, as KEY STATE AT RECORD CLAIM for each.
func (s Shard) put(ctx context.Context, tasks []any) error {
	_, err := s.run(ctx, putScript, tasks...)
	return err
}

// drop deletes keys of the shard, and reports whether there are more.
func (s Shard) drop(ctx context.Context, slices int) (more bool, err error) {
	answer, err := s.run(ctx, dropScript, slices)
	if err != nil {
		return false, err
	}
	r := &reply.Reader{List: answer}
	return r.Int() == 1, r.Err
}
