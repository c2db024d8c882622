package worker

import (
	"math"
	"sync"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// lapsesMax is the number of leases of a task that may lapse, without a result in between, while
// the task is the only suspect of its worker. The task is then given up.
const lapsesMax = 5

// suspects limits the number of suspects that a worker holds at a time over all its shards. A
// suspect is a task whose lease has lapsed after its second claim or a later one. A task that
// kills its workers also affects the other tasks that its worker holds: each death counts as an
// attempt of all of them.
//
// A worker begins with one suspect at a time, and allows one more with each that ends, so the
// limit doubles in the time of one call. Each death leaves only the suspects that were in flight
// together, so a task that kills its workers is soon alone. Near the last attempt the group is
// smaller, and finally one task: see group_max in scripts/claim.lua.
//
// Only a death with a single suspect in flight is evidence against that suspect. Redis counts
// these; after lapsesMax of them without a result the task is given up instead of called.
type suspects struct {
	most int // maximum of limit, which depends on the worker's concurrency

	mu    sync.Mutex
	limit int
	// out contains the leases of the suspects in flight. The value is the maximum number of suspects
	// that may be in flight at the same time as that suspect, including it.
	out   map[*lease]int
	asked int // number of suspects that are reserved for claims in flight
}

func newSuspects(most int) *suspects {
	return &suspects{most: most, limit: 1, out: map[*lease]int{}}
}

// take reserves places for the suspects of a claim and returns their number as allowed. out is the
// number of suspects that were in flight or reserved before. The caller must call release after
// the claim.
func (s *suspects) take() (allowed, out int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.limit
	for _, group := range s.out {
		limit = min(limit, group)
	}
	out = len(s.out) + s.asked
	allowed = max(limit-out, 0)
	s.asked += allowed
	return allowed, out
}

// release frees the places that take reserved. allowed is their number, as take returned it.
func (s *suspects) release(allowed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked -= allowed
}

// add records that suspect c is in flight under lease l. attempts is its maximum number of
// attempts, including the current one.
func (s *suspects) add(l *lease, c *rediswheel.Claimed, attempts int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Exclusive {
		s.out[l] = 1
		return
	}
	left := min(max(attempts-c.Attempts, 0), 20)
	s.out[l] = int(math.Exp2(float64(left)))
}

// end records that the suspect with lease l has ended. It reports whether more may be claimed.
func (s *suspects) end(l *lease) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.out[l]; !ok {
		return false
	}
	delete(s.out, l)
	s.limit = min(s.limit+1, s.most)
	return true
}
