package timer

import (
	"sync/atomic"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// record holds the operations on the timers of one shard since the first viewer opened the live
// page. shard.mu guards it. The number of operations is limited for all shards together.
type record struct {
	begun wheel.Tick
	room  *atomic.Int64 // number of operations that all shards together may still record; 0 or less means none
	names *atomic.Int64 // number assigned last to a recorded timer, in any shard
	ops   []watch.Op
	known map[uint32]int64 // numbers assigned to the pending timers, by wheel.Spec.Key
	whole bool
	late  int64 // greatest lateness since the last sample, in ns
}

// scheduled records that the timer with the given ID was scheduled for the tick due.
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

// ended removes the timer with the given ID, which has fired, from r.known, the timers whose stop is recorded.
func (r *record) ended(id uint32) { delete(r.known, id) }

// fits reserves room for an operation in the recording and reports whether there was any.
func (r *record) fits() bool {
	if r.room.Load() > 0 && r.room.Add(-1) >= 0 {
		return true
	}
	r.whole = false
	return false
}

// full reports whether no more operations are recorded.
func (r *record) full() bool { return r.room.Load() <= 0 }

// begin starts to record the operations on the shard in r. The timers that are already pending are
// recorded first.
func (s *shard) begin(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.placeStaged(s.owner.now())
	listed, state := watch.State(s.wheel, true)
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
