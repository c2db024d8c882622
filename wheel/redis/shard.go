package redis

import (
	"context"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
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
}

// Entry is a task to be added: its record is [Task.Record].
type Entry struct {
	Key    string
	Due    int64
	Record string
}

// Hold names a claim: a task by its key, and the token under which it was claimed.
// A token is never used twice on a shard, even by a server that has lost its data since,
// as long as its clock is not set back: so a claim that lapsed, or whose task was replaced
// meanwhile, is known by it.
type Hold struct {
	Key   string
	Token int64
}

// Claimed is a task that a claim moved to a lease.
type Claimed struct {
	Hold
	Record   string
	Attempts int // this one counted
}

// Claim is what one claim gave.
type Claim struct {
	Now   int64 // the server's clock
	Wait  int64 // ms until more is due: 0 at once, −1 nothing in sight
	Tasks []Claimed

	Suspect int // the place in Tasks of the last suspect, counted from 1; 0: there is none
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
	n, err := addNewScript.Run(ctx, sentOnce(s.Redis), s.keys(), e.Key, e.Due, e.Record).Int()
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
	return s.ClaimWary(ctx, limit, limit, lease)
}

// ClaimWary is a Claim that takes no more than so many suspects: tasks whose lease has lapsed,
// and not for the first time they were tried. They may kill their workers, or have stood beside
// what does. Wait does not tell of those that are left.
func (s Shard) ClaimWary(ctx context.Context, limit, suspects int, lease time.Duration) (Claim, error) {
	s.Redis = sentOnce(s.Redis)
	reply, err := s.run(ctx, claimScript, limit, lease.Milliseconds(), suspects)
	if err != nil {
		return Claim{}, err
	}
	r := &reader{list: reply}
	c := Claim{Now: r.int(), Wait: r.int()}
	token := r.int()
	c.Suspect = int(r.int())
	for r.more() {
		c.Tasks = append(c.Tasks, Claimed{Hold: Hold{r.text(), token}, Record: r.text(), Attempts: int(r.int())})
	}
	return c, r.err
}

// Ack ends tasks, and says of each whether its claim still held. Counts are added
// to the shard's counters with them.
func (s Shard) Ack(ctx context.Context, holds []Hold, counts []Count) ([]bool, error) {
	args := make([]any, 0, 1+2*len(counts)+2*len(holds))
	args = append(args, len(counts))
	for _, c := range counts {
		args = append(args, c.Field, c.N)
	}
	reply, err := s.run(ctx, ackScript, appendHolds(args, holds)...)
	return flags(reply, err, len(holds))
}

// Extend makes leases last from now on again, and says of each whether it still
// held.
func (s Shard) Extend(ctx context.Context, holds []Hold, lease time.Duration) ([]bool, error) {
	args := appendHolds([]any{lease.Milliseconds()}, holds)
	reply, err := s.run(ctx, extendScript, args...)
	return flags(reply, err, len(holds))
}

func appendHolds(args []any, holds []Hold) []any {
	for _, h := range holds {
		args = append(args, h.Key, h.Token)
	}
	return args
}

// Failed is a claimed task that did not end well.
type Failed struct {
	Hold
	Wait   time.Duration // until the next attempt; Bury does not read it
	Reason string
}

// Why a task is put back. A failed attempt counts; one that this worker could not
// make, or gave back as it stopped, does not.
const (
	Retried  = "retried"
	Deferred = "deferred"
	Released = "released"
)

// Later puts tasks back for another attempt, and says of each whether its claim
// still held.
func (s Shard) Later(ctx context.Context, why string, tasks []Failed) ([]bool, error) {
	counted := 0
	if why == Retried {
		counted = 1
	}
	args := []any{why, counted}
	for _, f := range tasks {
		args = append(args, f.Key, f.Token, f.Wait.Milliseconds(), f.Reason)
	}
	reply, err := s.run(ctx, laterScript, args...)
	return flags(reply, err, len(tasks))
}

// Get finds a task; false if there is none of that key.
func (s Shard) Get(ctx context.Context, key string) (Found, bool, error) {
	reply, err := s.run(ctx, getScript, key)
	if err != nil || len(reply) == 0 {
		return Found{}, false, err
	}
	r := &reader{list: reply}
	f := Found{Key: key, State: State(r.text()), At: r.int(), Record: r.text()}
	f.Attempts, f.Reason = readClaim(r.text())
	return f, r.err == nil, r.err
}

// readClaim reads "TOKEN ATTEMPTS REASON", or nothing.
func readClaim(claim string) (attempts int, reason string) {
	_, rest, _ := strings.Cut(claim, " ")
	number, reason, _ := strings.Cut(rest, " ")
	attempts, _ = strconv.Atoi(number)
	return attempts, reason
}
