package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// Shard is a part of a wheel whose keys are on one node. Its methods run scripts on that node. They do not
// validate their arguments: packages rediswheel and worker do. A Shard has no state. It is safe for concurrent use if
// its client is.
//
// Times are Unix times in milliseconds, by the server's clock.
type Shard struct {
	Redis  goredis.Scripter
	Prefix string // prefix of the names of all keys of the shard, including the hash tag, such as "wheel{0}"
	Layout string // ID of the wheel's layout; if empty, scripts do not check that the shard is part of it
}

// Entry is a task to add. Due is a Unix time in milliseconds, and Record is the result of Record of a rediswheel.Task.
type Entry struct {
	Key    string
	Due    int64
	Record string
}

// minuteMilli is the length of a minute in ms. The waiting tasks that are due in the same minute are stored in one
// sorted set, called a slice.
const minuteMilli = 60_000

// ClaimID identifies a claim by the key of the task and the token of the claim. A shard never uses a token
// twice, even after the server has lost its data, provided that its clock is not set back. A claim can
// therefore be recognised as outdated after its task was claimed again or replaced.
type ClaimID struct {
	Key   string
	Token int64

	// Addition identifies the addition of the task: all claims of the task have the same Addition until its
	// key is added again. It is the token of the first claim, or 0 if that is unknown.
	Addition int64
}

// Claimed is a task that was claimed and is under a lease.
type Claimed struct {
	ClaimID
	Record   string
	Attempts int // number of attempts, including this one
	Refusals int // number of refusals since the last attempt, by workers that are not allowed to call the task
	Lapses   int // number of leases that have lapsed since the last result of an attempt
}

// Suspect reports whether two or more leases of the task have lapsed in a row, so that it may kill its workers.
func (c *Claimed) Suspect() bool { return c.Lapses >= 2 }

// Claim is the result of [Shard.Claim], [Shard.ClaimLimited] or [Shard.ClaimFor].
type Claim struct {
	Now   int64 // Unix time of the claim by the server's clock, in milliseconds
	Wait  int64 // time until the next task can be claimed, in ms; 0 if one can be claimed now, −1 if none is known
	Tasks []Claimed

	Lapsed  int64  // number of tasks that were taken over because their leases have lapsed
	Foreign string // name of a value that no script has written, and that the claim has removed or will replace; empty as a rule
}

// ClaimRequest contains the arguments of [Shard.ClaimFor]. See scripts/claim.lua.
type ClaimRequest struct {
	Limit    int // maximum number of tasks; if it is 0 and Resent is set, only the tasks of the claim whose reply was lost are returned
	Lease    time.Duration
	Suspects int // maximum number of suspects to claim; see Claimed.Suspect

	Worker   string   // unique ID of the worker
	Nonce    int64    // number that differs for each claim of the worker, by which Redis recognises a claim that is sent again
	Resent   bool     // whether the same claim was sent before and no reply was received
	NotAfter int64    // Unix time in milliseconds, by the server's clock, after which nothing is claimed; 0 means no limit
	Handlers []string // names of the worker's handlers
}

// Found is a task as returned by the scripts that read tasks.
type Found struct {
	Key      string
	State    string // waiting, in-flight, retrying or dead
	At       int64  // Unix time in milliseconds; its meaning depends on State, as for rediswheel.Info.At
	Record   string
	Attempts int
	Reason   string // reason for the last failure
}

// Add adds tasks, replacing those with the same keys, and reports, for each task, whether it replaced another.
// The keys must be distinct. The script is sent only once, because a second run could add a task again after it
// has been called.
func (s Shard) Add(ctx context.Context, entries []Entry) ([]bool, error) {
	reply, err := list(s.addCall(entries).run(ctx, connect.SendOnce(s.Redis)))
	return flags(reply, err, len(entries))
}

// addCall returns the run of the script that adds entries.
func (s Shard) addCall(entries []Entry) call {
	args := make([]any, 0, 3*len(entries))
	for _, e := range entries {
		args = append(args, e.Key, e.Due, e.Record)
	}
	return call{addScript, s.keys(addScript), args}
}

// AddNew adds a task if there is none with its key, and reports whether it did. It does not repeat the
// script if there is no reply.
func (s Shard) AddNew(ctx context.Context, e Entry) (bool, error) {
	n, err := s.addNewCall(e).run(ctx, connect.SendOnce(s.Redis)).Int()
	return n == 1, err
}

// addNewCall returns the run of the script that adds e if there is no task with its key.
func (s Shard) addNewCall(e Entry) call {
	minute := strconv.FormatInt(e.Due/minuteMilli, 10)
	keys := append(s.keys(addNewScript), s.Prefix+":tasks", s.Prefix+":slice:"+minute, s.Prefix+":minutes")
	return call{addNewScript, keys, []any{e.Key, e.Due, e.Record, minute}}
}

// Remove removes tasks and reports, for each, whether it existed. The script is sent only once, because a
// second run would find no tasks and report that none existed.
func (s Shard) Remove(ctx context.Context, keys []string) ([]bool, error) {
	args := make([]any, len(keys))
	for i, key := range keys {
		args[i] = key
	}
	s.Redis = connect.SendOnce(s.Redis)
	reply, err := s.run(ctx, removeScript, args...)
	return flags(reply, err, len(keys))
}

// Claim claims up to limit due tasks for the duration lease. It claims fewer if their records are long. The
// script is sent only once. If its reply is lost, the tasks can be claimed again after their leases have
// lapsed.
func (s Shard) Claim(ctx context.Context, limit int, lease time.Duration) (Claim, error) {
	return s.ClaimLimited(ctx, limit, limit, lease)
}

// ClaimLimited is like Claim, but claims at most the given number of suspects; see [Claimed.Suspect]. The Wait of the
// result does not take into account suspects that were not claimed.
func (s Shard) ClaimLimited(ctx context.Context, limit, suspects int, lease time.Duration) (Claim, error) {
	return s.claim(ctx, limit, lease.Milliseconds(), suspects)
}

// ClaimFor claims tasks that the worker described by r can run. If no reply is received, the same request can
// be sent again with Resent set. ClaimFor then returns those tasks of the first claim that the worker still
// holds. If there are none, it claims tasks as usual.
func (s Shard) ClaimFor(ctx context.Context, r ClaimRequest) (Claim, error) {
	again := 0
	if r.Resent {
		again = 1
	}
	args := []any{r.Limit, r.Lease.Milliseconds(), r.Suspects, r.Worker, r.Nonce, again, r.NotAfter}
	for _, name := range r.Handlers {
		args = append(args, handlerInRecord(name))
	}
	return s.claim(ctx, args...)
}

func (s Shard) claim(ctx context.Context, args ...any) (Claim, error) {
	s.Redis = connect.SendOnce(s.Redis)
	answer, err := s.run(ctx, claimScript, args...)
	if err != nil {
		return Claim{}, err
	}
	r := &Reader{List: answer}
	c := Claim{Now: r.Int(), Wait: r.Int(), Tasks: make([]Claimed, 0, len(answer)/3)}
	token := r.Int()
	c.Lapsed, c.Foreign = r.Int(), r.Text()
	for r.More() {
		t := Claimed{ClaimID: ClaimID{Key: r.Text(), Token: token, Addition: token}, Record: r.Text(), Attempts: 1}
		if history := r.Text(); history != "" && !t.readHistory(history) {
			return c, fmt.Errorf("%w: %.40q", ErrReply, history)
		}
		c.Tasks = append(c.Tasks, t)
	}
	return c, r.Err
}

// readHistory parses text, the HISTORY value in the reply of scripts/claim.lua, and sets the fields of t about
// earlier claims. It reports whether text is valid.
func (t *Claimed) readHistory(text string) bool {
	n, err := fmt.Sscan(text, &t.Attempts, &t.Addition, &t.Refusals, &t.Lapses)
	return err == nil && n == 4
}

// Ack ends the claimed tasks and reports, for each, whether it was ended. A task is ended even if its lease has
// lapsed and it was claimed again, but not if it was removed or replaced since the claim. If ClaimID.Addition is 0, a
// task that was claimed again is not ended either. counts are added to the counters of the shard.
func (s Shard) Ack(ctx context.Context, claims []ClaimID, counts []Count) ([]bool, error) {
	args := countArgs(counts)
	for _, h := range claims {
		args = append(args, h.Key, h.Token, h.Addition)
	}
	reply, err := s.run(ctx, ackScript, args...)
	return flags(reply, err, len(claims))
}

// Extend extends the leases of claims, so that they last for the duration lease from now. It reports, for each claim,
// whether it is current, that is, whether its task has not been ended, put back, removed, replaced or claimed again
// since the claim. Extend does not change the lease of a task whose claim is not current.
func (s Shard) Extend(ctx context.Context, claims []ClaimID, lease time.Duration) ([]bool, error) {
	args := []any{lease.Milliseconds()}
	for _, h := range claims {
		args = append(args, h.Key, h.Token)
	}
	reply, err := s.run(ctx, extendScript, args...)
	return flags(reply, err, len(claims))
}

// Failed is a claimed task that was not delivered.
type Failed struct {
	ClaimID
	Wait   time.Duration // wait until the next attempt; MarkDead ignores it
	Reason string

	// For a periodic task: the due of its next run, a Unix time in milliseconds, and the key and the record of the run
	// if that is marked as dead. Only Again and MarkDead use them.
	Next                int64
	DeadKey, DeadRecord string
}

// nextText returns f.Next as scripts take it, empty for a task that is not periodic.
func (f *Failed) nextText() string {
	if f.Next == 0 {
		return ""
	}
	return strconv.FormatInt(f.Next, 10)
}

// Again is like Ack for runs of periodic tasks: the next run of each waits until its Next.
func (s Shard) Again(ctx context.Context, runs []Failed, counts []Count) ([]bool, error) {
	args := countArgs(counts)
	for i := range runs {
		args = append(args, runs[i].Key, runs[i].Token, runs[i].Addition, runs[i].nextText())
	}
	reply, err := s.run(ctx, againScript, args...)
	return flags(reply, err, len(runs))
}

// countArgs returns the first arguments of scripts/ack.lua and again.lua.
func countArgs(counts []Count) []any {
	args := []any{len(counts)}
	for _, c := range counts {
		args = append(args, c.Field, c.N)
	}
	return args
}

// Reasons for which [Shard.Later] puts a task back. Only Retried counts as an attempt.
const (
	Retried  = "retried"  // put back because the attempt failed
	Deferred = "deferred" // put back because the worker could not call the task
	Released = "released" // put back because the worker stopped or had no free slot
	Refused  = "refused"  // put back because the worker is not allowed to call the task
)

// Later puts tasks back for another attempt after their Wait, and reports, for each, whether it was put back. A task
// is left unchanged if its claim is not current; see [Shard.Extend]. why is the reason for putting the tasks back:
// Retried, Deferred, Released or Refused.
func (s Shard) Later(ctx context.Context, why string, tasks []Failed) ([]bool, error) {
	return s.later(ctx, why, why == Retried, tasks)
}

// RetryUncounted is like Later with Retried, except that the attempts are not counted. It is for attempts
// that Redis has counted twice, because the worker claimed the task again after its lease had lapsed.
func (s Shard) RetryUncounted(ctx context.Context, tasks []Failed) ([]bool, error) {
	return s.later(ctx, Retried, false, tasks)
}

// later implements Later and RetryUncounted. counted is whether the attempts count towards the maximum number of
// attempts.
func (s Shard) later(ctx context.Context, why string, counted bool, tasks []Failed) ([]bool, error) {
	args := []any{why, 0}
	if counted {
		args[1] = 1
	}
	for _, f := range tasks {
		args = append(args, f.Key, f.Token, f.Wait.Milliseconds(), f.Reason)
	}
	reply, err := s.run(ctx, laterScript, args...)
	return flags(reply, err, len(tasks))
}

// Get returns the task with the given key, or false if there is none.
func (s Shard) Get(ctx context.Context, key string) (Found, bool, error) {
	answer, err := s.run(ctx, getScript, key)
	if err != nil || len(answer) == 0 {
		return Found{}, false, err
	}
	r := &Reader{List: answer}
	f := Found{Key: key, State: r.Text(), At: r.Int(), Record: r.Text()}
	f.Attempts, f.Reason = readClaim(r.Text())
	return f, r.Err == nil, r.Err
}

// readClaim returns the number of attempts and the reason for the last failure from a claim as Redis stores it
// (see claim_of in scripts/common.lua). For an empty claim it returns 0 and "".
func readClaim(claim string) (attempts int, reason string) {
	parts := strings.SplitN(claim, " ", 6)
	if len(parts) < 6 {
		return 0, ""
	}
	attempts, _ = strconv.Atoi(parts[1])
	return attempts, parts[5]
}

// Restore adds the tasks of batch, each in the state given by its field State, and reports, for each, whether it was
// added. If a task with the same key exists, Restore replaces it if replace is true, and otherwise leaves it
// unchanged. The keys in batch must be distinct. Restore does not repeat the script if there is no reply.
func (s Shard) Restore(ctx context.Context, replace bool, batch []Stored) ([]bool, error) {
	args := make([]any, 0, 1+6*len(batch))
	if replace {
		args = append(args, 1)
	} else {
		args = append(args, 0)
	}
	for i := range batch {
		t := &batch[i]
		args = append(args, t.Key, t.State, strconv.FormatInt(t.At, 10), t.Record, t.Attempts, t.Reason)
	}
	s.Redis = connect.SendOnce(s.Redis)
	reply, err := s.run(ctx, restoreScript, args...)
	return flags(reply, err, len(batch))
}

// Stored is a task that is added in a given state.
type Stored struct {
	Entry
	State    string // waiting, retrying or dead
	At       int64  // Unix time in milliseconds; its meaning depends on State, as for rediswheel.Info.At
	Attempts int
	Reason   string
}

// Move makes the task with the given key wait until due, a Unix time in milliseconds, or now if due is negative. It
// returns the state in which the task was; if that is in-flight, or empty because there is no task, nothing is changed.
func (s Shard) Move(ctx context.Context, key string, due int64) (was string, err error) {
	at := ""
	if due >= 0 {
		at = strconv.FormatInt(due, 10)
	}
	answer, err := s.run(ctx, moveScript, key, at)
	if err != nil {
		return "", err
	}
	r := &Reader{List: answer}
	return r.Text(), r.Err
}

// Count is an increment of one counter of a shard.
type Count struct {
	Field string // name of the counter in Redis
	N     int64
}

// Counters of a shard that workers add to: the prefix of the counters of lateness, which is followed by the number of
// the bucket in rediswheel.Lateness, and the total lateness in ms.
const (
	LatenessField = "late:"
	LateSumField  = "late_ms"
)

// Stats returns the reply of scripts/stats.lua with up to the given number of minutes. Tasks that have been due for
// longer than overdue are counted.
func (s Shard) Stats(ctx context.Context, minutes int, overdue time.Duration) (*Reader, error) {
	answer, err := s.run(ctx, statsScript, minutes, overdue.Milliseconds())
	return &Reader{List: answer}, err
}

// handlerInRecord returns the name of a handler as it appears in the head of a record: escaped as in JSON,
// without the quotes.
func handlerInRecord(name string) string {
	text, err := json.Marshal(name)
	if err != nil {
		panic(err) // a string: it can't fail
	}
	return string(text[1 : len(text)-1])
}
