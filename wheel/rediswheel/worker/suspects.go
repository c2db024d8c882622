package worker

import (
	"math"
	"math/bits"
	"sync"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// lapsesMax is the value of Claimed.Lapses at which a task is given up. Since the last attempt that had a result, this
// number of leases of the task have lapsed while the task was the only suspect of its worker.
const lapsesMax = 5

// suspectAttemptsMax is the maximum value of suspects.attempts.
const suspectAttemptsMax = 12

// suspects limits the number of suspects that a worker holds at a time across all its shards. A suspect is a task whose
// lease has lapsed after its second claim or a later one. It may have killed its worker, or may just have been in
// flight when another task killed the worker. The death of a worker counts as an attempt at each of its tasks.
//
// The limit is 1 at first and is raised by 1 for each suspect that ends, so it can double in the time of one call.
// With each attempt at a suspect, the number of suspects that may be in flight together with it is halved, until it is
// the only one; see group_max in scripts/claim.lua. A task that kills its workers is therefore soon the only suspect of
// its worker.
//
// The death of a worker is evidence against a suspect only if the suspect was the only one in flight. Redis counts
// these deaths. After lapsesMax of them, without an attempt that had a result, the task is given up.
type suspects struct {
	limitMax int // maximum of limit: Options.Concurrency
	attempts int // number of the first attempt in which a suspect must be its worker's only suspect

	mu    sync.Mutex
	limit int
	// out maps the lease of each suspect in flight to the maximum number of suspects, including this one, that may be
	// in flight together with it.
	out      map[*lease]int
	reserved int // number of places that are reserved for the suspects of claims in flight
}

// newSuspects returns the suspects of a worker that runs up to concurrency callbacks at a time and gives a task up
// after attemptsMax attempts.
//
// A task can be a suspect from its third attempt on. With each further attempt, the number of suspects that may be in
// flight together is halved, until it is 1. newSuspects sets the field attempts, the number of the first attempt in
// which it is 1, so that the third attempt allows at least concurrency suspects. The field is at most
// suspectAttemptsMax and at most attemptsMax, so the third attempt may allow fewer.
func newSuspects(concurrency, attemptsMax int) *suspects {
	attempts := min(3+bits.Len(uint(concurrency-1)), suspectAttemptsMax, attemptsMax)
	return &suspects{limitMax: concurrency, attempts: attempts, limit: 1, out: map[*lease]int{}}
}

// take reserves places for the suspects of a claim. allowed is the number of reserved places, which may be 0.
// out is the number of suspects that were in flight before the call, plus the number of places that were
// already reserved. The caller must pass allowed to release after the claim.
func (s *suspects) take() (allowed, out int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.limit
	for _, group := range s.out {
		limit = min(limit, group)
	}
	out = len(s.out) + s.reserved
	allowed = max(limit-out, 0)
	s.reserved += allowed
	return allowed, out
}

// release frees the places that take has reserved. allowed is their number, as returned by take.
func (s *suspects) release(allowed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved -= allowed
}

// add records that the suspect c is in flight under lease l.
func (s *suspects) add(l *lease, c *rediswheel.Claimed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Exclusive {
		s.out[l] = 1
		return
	}
	left := min(max(s.attempts-c.Attempts, 0), 20)
	s.out[l] = int(math.Exp2(float64(left)))
}

// end records that the task with lease l has ended. If it was a suspect, end raises the limit and returns true, because
// more suspects may then be claimed.
func (s *suspects) end(l *lease) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.out[l]; !ok {
		return false
	}
	delete(s.out, l)
	s.limit = min(s.limit+1, s.limitMax)
	return true
}
