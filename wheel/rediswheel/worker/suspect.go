package worker

import "sync"

// suspect is the place of the one suspect (see engine.Claimed.Suspect) that a worker holds at a time, over all its
// shards.
type suspect struct {
	mu       sync.Mutex
	held     *lease // nil if the worker holds no suspect
	reserved bool   // whether a claim in flight may return a suspect
}

// reserve reserves the place for a claim and returns how many suspects the claim may return, 0 or 1. The caller must
// pass the number to release after the claim.
func (s *suspect) reserve() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held != nil || s.reserved {
		return 0
	}
	s.reserved = true
	return 1
}

func (s *suspect) release(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved = s.reserved && n == 0
}

// take records that the worker holds the suspect with lease l.
func (s *suspect) take(l *lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = l
}

// end records that the task with lease l has ended. If it was the suspect, end returns true, because another one may
// then be claimed.
func (s *suspect) end(l *lease) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held != l {
		return false
	}
	s.held = nil
	return true
}
