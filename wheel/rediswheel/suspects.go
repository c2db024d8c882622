package rediswheel

import (
	"math"
	"sync"
)

// lapsesMax is the number of workers that may end, or lose their connection for a lease, while a task was
// their only suspect and had no result. Then the task is given up.
const lapsesMax = 5

// suspects bounds the suspects that a worker holds at a time, over all its shards: tasks whose
// lease has lapsed, and not for the first time they were tried. A task that kills its
// workers takes along what is in flight beside it, and each death counts as an attempt of
// all of them.
//
// A worker begins with one suspect at a time, and allows one more with each that ends, so
// twice as many in the time of one. What kills its workers is thus soon alone, since each
// death leaves only those that were beside it. Near the last attempt the group is smaller, and
// one task in the end: see group_max in scripts/claim.lua.
//
// Only a death with a single suspect in flight is evidence against that suspect. Redis counts these, and
// after lapsesMax of them without a result the task is given up instead of called.
type suspects struct {
	most int // of the worker's concurrency

	mu    sync.Mutex
	limit int
	out   map[*lease]int // those in flight, and how many each allows at a time
	asked int            // promised to claims under way
}

func newSuspects(most int) *suspects {
	return &suspects{most: most, limit: 1, out: map[*lease]int{}}
}

// take returns how many more may be claimed, and how many are in flight. What a claim does not
// use is given back by gave.
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

// gave ends what take began.
func (s *suspects) gave(allowed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked -= allowed
}

// hold notes a claimed suspect that is in flight for one of at most attempts, this one counted.
func (s *suspects) hold(l *lease, c *Claimed, attempts int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Alone {
		s.out[l] = 1
		return
	}
	left := min(max(attempts-c.Attempts, 0), 20)
	s.out[l] = int(math.Exp2(float64(left)))
}

// end notes that a suspect has ended. It reports whether more may be claimed.
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
