package sim

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
)

// reclaimWait is the time that a first pass is given to end when its memory is needed. It ends
// at its next call of fairqueue.Pace.
const reclaimWait = 500 * time.Millisecond

// reclaimers holds the owners of reclaimable memory outside this package.
type reclaimers struct {
	mu   sync.Mutex
	list []budget.Reclaimer
}

// AddReclaimer adds an owner of memory whose contents can be computed again, such as cached
// answers. It is called after the caches of runs were reclaimed, and before runs without
// viewers are dropped.
func (s *Store) AddReclaimer(r budget.Reclaimer) {
	s.caches.mu.Lock()
	defer s.caches.mu.Unlock()
	s.caches.list = append(s.caches.list, r)
}

// reclaim calls the owners in order until one releases memory. It reports whether one did.
func (o *reclaimers) reclaim(need int64) bool {
	o.mu.Lock()
	list := slices.Clone(o.list)
	o.mu.Unlock()
	return slices.ContainsFunc(list, func(r budget.Reclaimer) bool { return r(need) })
}

// The store's reclaimers, in the order in which they are called: what is quickest to recompute
// goes first. Each call takes memory from one run.

// reclaimWarm drops the warm engines of a run.
func (s *Store) reclaimWarm(int64) bool {
	idle, viewed := s.all()
	for _, r := range append(idle, byBytes(viewed)...) {
		if r.dropWarm() {
			return true
		}
	}
	return false
}

// reclaimCheckpoints drops half of the checkpoints of a run, those of runs without
// viewers first.
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

// reclaimSeen drops half of the checkpoints of a run with viewers whose checkpoints take more
// than a share of the memory, however few they are. Seeking then replays more.
func (s *Store) reclaimSeen(int64) bool {
	_, viewed := s.all()
	for _, r := range byBytes(viewed) {
		if r.checkpointBytes() > s.memory.Limit()/StoreShare && r.thin(1) {
			return true
		}
	}
	return false
}

// reclaimRun drops the least recently used run without viewers.
func (s *Store) reclaimRun(int64) bool {
	idle, _ := s.all()
	for _, r := range idle {
		s.mu.Lock()
		_, viewed := s.looked[r.Digest()]
		removed := !viewed && s.runs.Remove(r.Digest())
		s.mu.Unlock()
		if removed {
			r.awaitPass(reclaimWait)
			return true
		}
	}
	return false
}

// byBytes sorts runs by memory, the largest first: those of small scenarios would free little,
// and keep their engines and checkpoints.
func byBytes(runs []*Run) []*Run {
	bytes := make(map[*Run]int64, len(runs))
	for _, r := range runs {
		bytes[r] = r.bytes()
	}
	slices.SortFunc(runs, func(a, b *Run) int { return cmp.Compare(bytes[b], bytes[a]) })
	return runs
}

// all returns the runs without viewers, the least recently used first, and those with viewers.
func (s *Store) all() (idle, viewed []*Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range s.runs.Keys() {
		if _, ok := s.looked[key]; !ok {
			r, _ := s.runs.Peek(key)
			idle = append(idle, r)
		}
	}
	for _, l := range s.looked {
		viewed = append(viewed, l.run)
	}
	return idle, viewed
}
