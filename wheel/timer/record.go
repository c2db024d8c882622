package timer

import (
	"sync/atomic"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// record is what was done with the timers of one shard since somebody watches. It is
// under the shard's lock; what it keeps is bounded for all shards together.
type record struct {
	begun wheel.Tick
	room  *atomic.Int64 // operations that all shards may still record
	names *atomic.Int64 // numbers given to timers
	ops   []watch.Op
	known map[uint32]int64 // the numbers of those that are pending, by wheel.Spec.Key
	whole bool
	late  int64 // worst since the last sample, in ns
}

// armed records a timer that is pending now.
func (r *record) armed(s *shard, id uint32, due wheel.Tick) {
	at := s.owner.tickNow() - r.begun
	if !r.fits() {
		return
	}
	r.known[id] = r.names.Add(1)
	r.ops = append(r.ops, watch.Op{At: at, Timer: r.known[id], Delay: due - r.begun - at})
}

// cancelled records that one was stopped, if its beginning was recorded.
func (r *record) cancelled(s *shard, id uint32) {
	name, ok := r.known[id]
	if !ok || !r.fits() {
		return
	}
	delete(r.known, id)
	at := s.owner.tickNow() - r.begun
	r.ops = append(r.ops, watch.Op{At: at, Timer: name, Stop: true})
}

// ended forgets one that has fired for the last time.
func (r *record) ended(id uint32) { delete(r.known, id) }

// fits takes room for an operation.
func (r *record) fits() bool {
	if r.room.Load() > 0 && r.room.Add(-1) >= 0 {
		return true
	}
	r.whole = false
	return false
}

// full says whether nothing more is recorded.
func (r *record) full() bool { return r.room.Load() <= 0 }

// begin has a shard record from now on, and first what is pending.
func (s *shard) begin(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.settle(s.owner.now())
	listed, state := s.look(true)
	r.whole = listed
	for _, p := range state.Places {
		for _, e := range p.Entries {
			if e.Marked || !r.fits() {
				continue
			}
			r.known[e.ID] = r.names.Add(1)
			r.ops = append(r.ops, watch.Op{Timer: r.known[e.ID], Delay: e.Due - r.begun})
		}
	}
	s.record = r
}

// look describes the wheel within bounds: true where every timer is listed. Where they
// are not to be listed it counts only. The lock is held.
func (s *shard) look(list bool) (bool, wheel.State) {
	var state wheel.State
	n, each := s.wheel.Len(), 0
	if list {
		each = watch.ListedEach
	}
	switch {
	case list && n <= watch.ListedMax:
		s.wheel.AppendState(&state, wheel.AllEntries)
		return true, state
	case n > watch.ListedMax && s.wheel.Layout().Shape == wheel.ShapeHeap: // a place for each timer: too many to be listed
		state.Levels, state.Live = s.wheel.Layout().Levels, n
	default:
		s.wheel.AppendState(&state, each)
	}
	return false, state
}
