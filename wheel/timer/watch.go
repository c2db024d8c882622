package timer

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/live"
)

// nameMax is how many bytes of a timer's key are shown.
const nameMax = 32

// watched is a wheel as package live looks at it. Its methods are not called at once.
type watched struct {
	wheel *Wheel
	room  atomic.Int64
	names atomic.Int64
	begun wheel.Tick
}

// Info tells what doesn't change.
func (v *watched) Info() live.Info {
	w := v.wheel
	return live.Info{Algorithm: w.algorithm, Params: w.params, Tick: w.tick, Shards: len(w.shards)}
}

// tickNow is the tick that has begun.
func (w *Wheel) tickNow() wheel.Tick { return wheel.Tick(w.now() / w.tick) }

// Begin has every shard record what is done with it.
func (v *watched) Begin() {
	v.begun = v.wheel.tickNow()
	v.room.Store(live.RecordedMax)
	v.names.Store(0)
	for _, s := range v.wheel.shards {
		s.begin(&record{begun: v.begun, room: &v.room, names: &v.names, known: map[uint32]int64{}})
	}
}

// End has no shard record any longer.
func (v *watched) End() {
	for _, s := range v.wheel.shards {
		s.mu.Lock()
		s.record = nil
		s.mu.Unlock()
	}
}

// Sample looks at one shard after the other.
func (v *watched) Sample() live.Sample {
	w := v.wheel
	now := w.now()
	out := live.Sample{At: now, Tick: wheel.Tick(now / w.tick)}
	out.Totals.Running = w.Running()
	out.Totals.Recorded = live.RecordedMax - max(0, v.room.Load())
	for k, s := range w.shards {
		l := s.sample(out.Tick, &out.Totals, k < live.LanesShown)
		if k < live.LanesShown {
			out.Lanes = append(out.Lanes, l)
		}
	}
	return out
}

// sample adds a shard to the totals and tells how it stands, with its timers if it is
// shown. A hand that has nothing to do before now is moved up to now first: a driver
// lets it stand until there is.
func (s *shard) sample(now wheel.Tick, t *live.Totals, shown bool) live.Lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.settle(s.owner.now())
		if next, ok := s.wheel.Next(); !ok || next > now {
			s.wheel.Advance(now, nil, 0)
		}
	}
	l := live.Lane{Now: s.wheel.Now(), Late: s.stats.late, Names: map[uint32]string{}}
	l.Full, l.State = s.look(shown && !s.closed)
	c := &l.State.Counts
	t.Pending += s.wheel.Len()
	t.Armed += c.Scheduled
	t.Fired += s.stats.fired
	t.Stopped += s.stats.canceled
	t.Moved += s.wheel.Cost().Moved
	t.Late += s.stats.late
	t.LateWorst = max(t.LateWorst, s.stats.worstLate)
	if r := s.record; r != nil {
		t.LateNow, r.late = max(t.LateNow, time.Duration(r.late)), 0
	}
	if shown {
		s.name(&l)
	}
	return l
}

// name notes the keys of the timers that a lane lists: those that can be written without
// calling the program's own code, which must not run under the lock.
func (s *shard) name(l *live.Lane) {
	s.owner.keyed.each(func(k keyedMap) {
		k.names(s.number, func(id uint32, key any) {
			if name := keyName(key); name != "" {
				l.Names[id] = name
			}
		})
	})
}

// keyName tells a key of the common kinds, "" of others.
func keyName(key any) string {
	switch k := key.(type) {
	case string:
		return strings.ToValidUTF8(k[:min(len(k), nameMax)], "")
	case int, int32, int64, uint32, uint64:
		return fmt.Sprint(k)
	}
	return ""
}

// Recorded gathers what the shards recorded.
func (v *watched) Recorded() live.Recording {
	out := live.Recording{Begun: v.begun, End: v.wheel.tickNow(), Whole: true}
	for _, s := range v.wheel.shards {
		s.mu.Lock()
		if s.record != nil {
			out.Ops = append(out.Ops, s.record.ops...)
			out.Whole = out.Whole && s.record.whole
		}
		s.mu.Unlock()
	}
	return out
}
