package timer

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// record is the recording of one shard: the operations on its timers since the recording began. It is guarded by
// shard.mu.
type record struct {
	*watching
	own   []watch.Op
	known map[uint32]int64 // number in the recording of each recorded timer that is pending, by timer ID
	whole bool
	late  int64 // greatest lateness since the last sample, in ns
}

// add records the operation o, unless the limit is reached.
func (r *record) add(o watch.Op) (added bool) {
	if o.Seq = r.ops.Add(1); o.Seq > r.limit {
		r.whole = false
		return false
	}
	r.own = append(r.own, o)
	return true
}

// scheduled records that the timer with the given ID was scheduled for tick due in shard s.
func (r *record) scheduled(s *shard, id uint32, due wheel.Tick) {
	at := s.owner.tickNow() - r.begun
	if name := r.names.Add(1); r.add(watch.Op{At: at, Timer: name, Delay: due - r.begun - at}) {
		r.known[id] = name
	}
}

// cancelled records that the timer with the given ID was stopped, if its scheduling was recorded.
func (r *record) cancelled(s *shard, id uint32) {
	if name, ok := r.known[id]; ok && r.add(watch.Op{At: s.owner.tickNow() - r.begun, Timer: name, Stop: true}) {
		delete(r.known, id)
	}
}

// ended removes the timer with the given ID from r.known, because the timer has fired and is no longer pending.
func (r *record) ended(id uint32) { delete(r.known, id) }

// full reports whether the recording has no room for further operations.
func (r *record) full() bool { return r.ops.Load() >= r.limit }

// begin makes r the recording of the shard: operations on its timers are recorded in r from now on. While r has room,
// begin also records the pending timers that watch.State lists, as scheduled at tick r.begun.
func (s *shard) begin(r *record) {
	s.mu.Lock()
	s.eager = true
	s.mu.Unlock()
	s.compactAll() // moves postponed timers to the slots of their due ticks, so that the recording shows these
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
			if name := r.names.Add(1); !e.Marked && r.add(watch.Op{Timer: name, Delay: e.Due - r.begun}) {
				r.known[e.ID] = name
			}
		}
	}
	s.record = r
}
