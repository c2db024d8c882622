package rediswheel

import (
	"context"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// State is where a task stands.
type State string

// The states of a task. One that was delivered is gone.
const (
	Waiting  State = "waiting"   // for its time
	InFlight State = "in-flight" // claimed by a worker, under a lease
	Retrying State = "retrying"  // failed, to be tried again
	Dead     State = "dead"      // given up, kept with the reason
)

// States lists them, in a task's order of life.
var States = []State{Waiting, InFlight, Retrying, Dead}

// Count is a counter of a shard and what is added to it.
type Count struct {
	Field string
	N     int64
}

// Minute is a slice that is not empty.
type Minute struct {
	Minute int64 // since 1970, UTC
	Tasks  int64
}

// Stats is what a wheel, or a shard of it, holds and has done since it was made.
type Stats struct {
	Now                               int64 // the clock of Redis, ms since 1970
	Waiting, InFlight, Retrying, Dead int64
	Minutes                           []Minute // not empty, the earliest first, up to MinutesMax
	MinutesAll                        int64    // those left out of Minutes counted in; of several shards the least there can be
	Added, Replaced, Removed          int64
	Done                              int64 // acknowledged
	Retried                           int64 // attempts that failed and are to be made again
	Deferred                          int64 // put back by a worker that could not call them
	Released                          int64 // given back by a worker that stopped
	Lapsed                            int64 // leases that lapsed and were taken over
	Stale                             int64 // acknowledgements that came after that
	Buried                            int64 // given up, those dropped since counted in
	Dropped                           int64 // dead tasks that were deleted past WorkerOptions.DeadMax
	Revived                           int64 // dead tasks that were made due again
	Overdue                           int64 // should have been claimed OverdueAfter ago, or earlier
	Late                              Lateness
	LateMs                            int64 // sum of the lateness counted in Late, since programs count it
}

// MinutesMax is how many minutes Stats lists.
const MinutesMax = 240

// OverdueAfter is how long after its instant a task that no worker has claimed counts as overdue.
const OverdueAfter = time.Second

// latenessBuckets is the number of powers of two: the last ends at 278 years, about as many as a
// [time.Duration] has, and a task due in 1970 may be called that late.
const latenessBuckets = 44

// Lateness counts calls by how late they began, in ms, by the clock of Redis: bucket 0
// those under 1 ms, bucket b ≥ 1 those of 2^(b−1) up to 2^b.
type Lateness [latenessBuckets]int64

// Note counts one call.
func (l *Lateness) Note(ms int64) { l[min(bits.Len64(uint64(max(ms, 0))), latenessBuckets-1)]++ }

// Add adds the counts of another.
func (l *Lateness) Add(o *Lateness) {
	for b, n := range o {
		l[b] += n
	}
}

// Quantile is the least ms that at least the share q of all calls stay under, as far
// as the buckets tell: an upper bound that is at most twice too great. 0 if nothing
// was counted.
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

// latenessField begins the names of the counters of lateness.
const latenessField = "late:"

// lateSumField is the counter of the sum of lateness, in ms.
const lateSumField = "late_ms"

// counts lists the buckets that are not empty, as counters of a shard.
func (l *Lateness) counts() []Count {
	var list []Count
	for b, n := range l {
		if n > 0 {
			list = append(list, Count{latenessField + strconv.Itoa(b), n})
		}
	}
	return list
}

// Stats counts a shard.
func (s Shard) Stats(ctx context.Context) (Stats, error) {
	answer, err := s.run(ctx, statsScript, MinutesMax, OverdueAfter.Milliseconds())
	if err != nil {
		return Stats{}, err
	}
	r := &reply.Reader{List: answer}
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

// read takes over a counter; one that is not known is a newer version's.
func (s *Stats) read(field, value string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return
	}
	if bucket, ok := strings.CutPrefix(field, latenessField); ok {
		if b, err := strconv.Atoi(bucket); err == nil && b >= 0 && b < latenessBuckets {
			s.Late[b] = n
		}
		return
	}
	if counter := s.counter(field); counter != nil {
		*counter = n
	}
}

// counter is where a counter of the shard is kept here.
func (s *Stats) counter(field string) *int64 {
	return map[string]*int64{"replaced": &s.Replaced, "removed": &s.Removed, "done": &s.Done,
		Retried: &s.Retried, Deferred: &s.Deferred, Released: &s.Released, "lapsed": &s.Lapsed, "stale": &s.Stale,
		"buried": &s.Buried, "dropped": &s.Dropped, "revived": &s.Revived, lateSumField: &s.LateMs}[field]
}

// add adds a shard's counts.
func (s *Stats) add(o Stats) {
	s.Now = max(s.Now, o.Now)
	for _, p := range [][2]*int64{{&s.Waiting, &o.Waiting}, {&s.InFlight, &o.InFlight}, {&s.Retrying, &o.Retrying}, {&s.Dead, &o.Dead},
		{&s.Added, &o.Added}, {&s.Replaced, &o.Replaced}, {&s.Removed, &o.Removed}, {&s.Done, &o.Done}, {&s.Retried, &o.Retried},
		{&s.Deferred, &o.Deferred}, {&s.Released, &o.Released}, {&s.Lapsed, &o.Lapsed}, {&s.Stale, &o.Stale},
		{&s.Buried, &o.Buried}, {&s.Dropped, &o.Dropped}, {&s.Revived, &o.Revived}, {&s.Overdue, &o.Overdue}, {&s.LateMs, &o.LateMs}} {
		*p[0] += *p[1]
	}
	s.MinutesAll = max(s.MinutesAll, o.MinutesAll) // shards may share minutes: the least there can be
	s.Minutes = append(s.Minutes, o.Minutes...)
	s.Late.Add(&o.Late)
}
