package timer

import (
	"sync/atomic"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// record is the recording of one shard: the operations on its timers since the first viewer opened the live page. It
// is guarded by shard.mu. The recordings of all shards share one limit on the number of operations.
type record struct {
	begun wheel.Tick
	room  *atomic.Int64 // number of further operations that all shards together may record; 0 or less means none
	names *atomic.Int64 // last number that was assigned to a recorded timer; all shards share this counter
	ops   []watch.Op
	known map[uint32]int64 // number in the recording of each recorded timer that is pending, by timer ID
	whole bool
	late  int64 // greatest lateness since the last sample, in ns
}

// scheduled records that the timer with the given ID was scheduled for tick due in shard s.
func (r *record) scheduled(s *shard, id uint32, due wheel.Tick) {
	at := s.owner.tickNow() - r.begun
	if !r.fits() {
		return
	}
	r.known[id] = r.names.Add(1)
	r.ops = append(r.ops, watch.Op{At: at, Timer: r.known[id], Delay: due - r.begun - at})
}

// cancelled records that the timer with the given ID was stopped, if its scheduling was recorded.
func (r *record) cancelled(s *shard, id uint32) {
	name, ok := r.known[id]
	if !ok || !r.fits() {
		return
	}
	delete(r.known, id)
	at := s.owner.tickNow() - r.begun
	r.ops = append(r.ops, watch.Op{At: at, Timer: name, Stop: true})
}

// ended removes the timer with the given ID from r.known, because the timer has fired and is no longer pending.
func (r *record) ended(id uint32) { delete(r.known, id) }

// fits reserves room for one operation in the recording. It returns false if there is no room left.
func (r *record) fits() bool {
	if r.room.Load() > 0 && r.room.Add(-1) >= 0 {
		return true
	}
	r.whole = false
	return false
}

// full reports whether the recording has no room for further operations.
func (r *record) full() bool { return r.room.Load() <= 0 }

// begin makes r the recording of the shard: operations on its timers are recorded in r from now on. While r has room,
// begin also records the pending timers that watch.State lists, as scheduled at tick r.begun.
func (s *shard) begin(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.endGroup(s.owner.now())
	listed, state := watch.State(s.observable(), true)
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
