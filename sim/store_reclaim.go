package sim

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
)

// reclaimWait is the maximum time to wait for a first pass to end when its memory is needed. The pass
// ends the next time it calls fairqueue.Pace.
const reclaimWait = 500 * time.Millisecond

// reclaimers is a list of functions that free memory held by other packages, such as response caches, when
// the store needs it.
type reclaimers struct {
	mu   sync.Mutex
	list []budget.Reclaimer
}

// AddReclaimer adds a function that releases memory whose contents can be recomputed, such as cached
// responses. The store calls it after reclaiming its own caches and before dropping checkpoints.
func (s *Store) AddReclaimer(r budget.Reclaimer) {
	s.caches.mu.Lock()
	defer s.caches.mu.Unlock()
	s.caches.list = append(s.caches.list, r)
}

// reclaim calls the functions in order until one of them releases memory, and reports whether one did.
// need is the number of bytes required.
func (o *reclaimers) reclaim(need int64) bool {
	o.mu.Lock()
	list := slices.Clone(o.list)
	o.mu.Unlock()
	return slices.ContainsFunc(list, func(r budget.Reclaimer) bool { return r(need) })
}

// Reclaimers of the store. NewStore sets their order: data that is quickest to recompute is dropped first.
// Each call takes memory from one run.

// reclaimCaches drops cached chunks or, if it may drop no more, the engines that one run keeps near recently viewed ticks
// or, if no run has any, memory of other packages. It reports whether it released any. need is the number of bytes
// required.
func (s *Store) reclaimCaches(need int64) bool {
	if s.chunks.reclaim(need) {
		return true
	}
	idle, viewed := s.all()
	for _, r := range append(idle, byBytes(viewed)...) {
		if r.dropWarm() {
			return true
		}
	}
	return s.caches.reclaim(need)
}

// reclaimCheckpoints drops every second checkpoint of one run, preferably of a run without viewers. It
// reports whether it dropped any. The argument, the number of bytes needed, is ignored.
func (s *Store) reclaimCheckpoints(int64) bool {
	idle, viewed := s.all()
	for _, r := range idle {
		if r.thin(1) {
			return true
		}
	}
	for _, r := range byBytes(viewed) {
		if r.thin(checkpointsSeen) {
			return true
		}
	}
	return false
}

// reclaimRun drops the least recently used run without viewers. If there is none, it looks for a run whose checkpoints
// take more than 1/StoreShare of the memory, and drops every second one, even if there are few; seeks in the run then
// replay more events. It reports whether it released any memory. The argument, the number of bytes needed, is ignored.
func (s *Store) reclaimRun(int64) bool {
	idle, viewed := s.all()
	for _, r := range idle {
		s.mu.Lock()
		removed := s.retained[r] == 0 && s.runs.Remove(r.Digest())
		s.mu.Unlock()
		if removed {
			r.awaitPass(reclaimWait)
			return true
		}
	}
	for _, r := range byBytes(viewed) {
		if r.checkpointBytes() > s.memory.Limit()/StoreShare && r.thin(1) {
			return true
		}
	}
	return false
}

// byBytes sorts runs in place by memory, largest first, and returns them. Large runs lose memory first,
// because dropping parts of small ones would free little.
func byBytes(runs []*Run) []*Run {
	bytes := make(map[*Run]int64, len(runs))
	for _, r := range runs {
		bytes[r] = r.bytes()
	}
	slices.SortFunc(runs, func(a, b *Run) int { return cmp.Compare(bytes[b], bytes[a]) })
	return runs
}

// all returns the runs without viewers, least recently used first, and the runs with viewers.
func (s *Store) all() (idle, viewed []*Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range s.runs.Keys() {
		if r, _ := s.runs.Peek(key); s.retained[r] == 0 {
			idle = append(idle, r)
		}
	}
	for r := range s.retained {
		viewed = append(viewed, r)
	}
	return idle, viewed
}
