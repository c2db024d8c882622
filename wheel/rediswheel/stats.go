package rediswheel

import (
	"context"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// State is the state of a task.
type State string

// The states of a task. A delivered task is deleted.
const (
	Waiting  State = "waiting"   // not due yet, or due and not yet claimed
	InFlight State = "in-flight" // claimed by a worker, under a lease
	Retrying State = "retrying"  // waiting for its next attempt
	Dead     State = "dead"      // given up; kept with the reason for the last failure
)

// States lists all states. A task may skip some of them and return to an earlier one.
var States = []State{Waiting, InFlight, Retrying, Dead}

// Minute is the number of waiting tasks that are due in one minute. Minutes without tasks are left out.
type Minute struct {
	Minute int64 // number of the minute, counting from the Unix epoch
	Tasks  int64
}

// Stats contains the number of tasks that a wheel or shard has in each state, and its counters since it was
// created.
type Stats struct {
	Now                               int64 // Unix time by the clock of Redis, in milliseconds
	Waiting, InFlight, Retrying, Dead int64
	Minutes                           []Minute // minutes in which waiting tasks are due, the earliest first; at most MinutesMax
	MinutesAll                        int64    // number of minutes in which waiting tasks are due, including those not in Minutes; a lower bound if there are several shards
	Added, Replaced, Removed          int64
	Done                              int64    // number of tasks that ended with a success
	Retried                           int64    // number of failed attempts that were followed by a retry
	Deferred                          int64    // number of times a worker put back a task that it could not call
	Released                          int64    // number of times a worker put back a task because it stopped or had no free slot
	Lapsed                            int64    // number of lapsed leases whose tasks were taken over by a later claim
	Stale                             int64    // number of successful calls of tasks that had been replaced, removed or ended in the meantime
	MarkedDead                        int64    // number of tasks that were marked dead, including those deleted since
	Dropped                           int64    // number of dead tasks deleted because of worker.Options.DeadMax
	RetriedDead                       int64    // number of dead tasks that were made due again
	Overdue                           int64    // number of tasks that are not claimed although they have been due for OverdueAfter or longer
	Late                              Lateness // histogram of the lateness with which delivered tasks were called
	LateMs                            int64    // total lateness of the calls in Late, in ms
}

// MinutesMax is the maximum length of Stats.Minutes.
const MinutesMax = 240

// OverdueAfter is the time after which a task that is due and not claimed counts as overdue.
const OverdueAfter = time.Second

// latenessBuckets is the number of buckets of a Lateness, one per power of two. The last bucket ends at 2^43 ms,
// or 278 years, more than the lateness of a task that was due in 1970.
const latenessBuckets = 44

// Lateness is a histogram of the lateness of calls, in ms by the clock of Redis. Bucket 0 counts calls less
// than 1 ms late; bucket b ≥ 1 counts calls at least 2^(b−1) ms but less than 2^b ms late.
type Lateness [latenessBuckets]int64

// Note counts one call that was ms milliseconds late.
func (l *Lateness) Note(ms int64) { l[min(bits.Len64(uint64(max(ms, 0))), latenessBuckets-1)]++ }

// Add adds the counts of o to l.
func (l *Lateness) Add(o *Lateness) {
	for b, n := range o {
		l[b] += n
	}
}

// Quantile returns an upper bound, in ms, on the q-quantile of the lateness, for q from 0 to 1. The bound is at
// most twice the exact value, or 1 if the exact value is less than 1. Quantile returns 0 if l has no calls.
func (l *Lateness) Quantile(q float64) int64 {
	var all, sum int64
	for _, n := range l {
		all += n
	}
	for b, n := range l {
		sum += n
		if n > 0 && float64(sum) >= q*float64(all) {
			return 1 << b
		}
	}
	return 0
}

// Delivered returns the number of successful calls that Redis has recorded: Done and Stale. Late has as many.
func (s *Stats) Delivered() int64 { return s.Done + s.Stale }

// readStats returns the statistics of a shard.
func readStats(ctx context.Context, s engine.Shard) (Stats, error) {
	r, err := s.Stats(ctx, MinutesMax, OverdueAfter)
	if err != nil {
		return Stats{}, err
	}
	st := Stats{Now: r.Int()}
	all := r.Int()
	st.InFlight, st.Retrying, st.Dead, st.MinutesAll = r.Int(), r.Int(), r.Int(), r.Int()
	st.Waiting = all - st.InFlight - st.Retrying - st.Dead
	for m := r.Sub(); m.More(); {
		st.Minutes = append(st.Minutes, Minute{m.Int(), m.Int()})
	}
	for c := r.Sub(); c.More(); {
		st.read(c.Text(), c.Text())
	}
	st.Overdue = r.Int()
	st.Added = all + st.Done + st.Removed + st.Replaced + st.Dropped // a task ends in one of these ways
	return st, r.Err
}

// read sets the counter of s whose name in Redis is field. It ignores unknown names and values that are not integers.
func (s *Stats) read(field, value string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return
	}
	if bucket, ok := strings.CutPrefix(field, engine.LatenessField); ok {
		if b, err := strconv.Atoi(bucket); err == nil && b >= 0 && b < latenessBuckets {
			s.Late[b] = n
		}
		return
	}
	if counter := s.counter(field); counter != nil {
		*counter = n
	}
}

// counter returns a pointer to the counter of s whose name in Redis is field, or nil if there is none.
func (s *Stats) counter(field string) *int64 {
	return map[string]*int64{"replaced": &s.Replaced, "removed": &s.Removed, "done": &s.Done,
		engine.Retried: &s.Retried, engine.Deferred: &s.Deferred, engine.Released: &s.Released, "lapsed": &s.Lapsed, "stale": &s.Stale,
		"buried": &s.MarkedDead, "dropped": &s.Dropped, "revived": &s.RetriedDead, engine.LateSumField: &s.LateMs}[field]
}

// add adds o, the statistics of another shard, to s.
func (s *Stats) add(o Stats) {
	s.Now = max(s.Now, o.Now)
	for _, p := range [][2]*int64{{&s.Waiting, &o.Waiting}, {&s.InFlight, &o.InFlight}, {&s.Retrying, &o.Retrying}, {&s.Dead, &o.Dead},
		{&s.Added, &o.Added}, {&s.Replaced, &o.Replaced}, {&s.Removed, &o.Removed}, {&s.Done, &o.Done}, {&s.Retried, &o.Retried},
		{&s.Deferred, &o.Deferred}, {&s.Released, &o.Released}, {&s.Lapsed, &o.Lapsed}, {&s.Stale, &o.Stale},
		{&s.MarkedDead, &o.MarkedDead}, {&s.Dropped, &o.Dropped}, {&s.RetriedDead, &o.RetriedDead}, {&s.Overdue, &o.Overdue}, {&s.LateMs, &o.LateMs}} {
		*p[0] += *p[1]
	}
	s.MinutesAll = max(s.MinutesAll, o.MinutesAll) // a lower bound: shards may share minutes
	s.Minutes = append(s.Minutes, o.Minutes...)
	s.Late.Add(&o.Late)
}
