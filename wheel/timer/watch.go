package timer

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// Watch returns the state and the recordings of w for package timerhttp and package simtest of this module. Every call
// returns the same value.
func (w *Wheel) Watch() *watch.Watched {
	w.check(true)
	w.watch.Do(func() { w.shown = watch.NewWatched(&watched{wheel: w}) })
	return w.shown
}

// watched implements watch.Source for a wheel.
type watched struct {
	wheel *Wheel
	watching
}

// watching is what the records of all shards share.
type watching struct {
	begun wheel.Tick   // tick at which the recording began
	limit int64        // maximum number of operations
	ops   atomic.Int64 // number of operations that were recorded or left out because of the limit
	names atomic.Int64 // last number that was assigned to a recorded timer
}

// Info returns the properties of the wheel that do not change.
func (v *watched) Info() watch.Info {
	w := v.wheel
	return watch.Info{Algorithm: w.algorithm, Params: w.params, Tick: w.tick, Shards: len(w.shards)}
}

// tickNow returns the current tick of the clock. The wheels of the shards may not have been advanced to it yet.
func (w *Wheel) tickNow() wheel.Tick { return wheel.Tick(w.now() / w.tick) }

// Begin starts the recording of every shard.
func (v *watched) Begin(limit int64) {
	v.begun, v.limit = v.wheel.tickNow(), limit
	v.ops.Store(0)
	v.names.Store(0)
	for _, s := range v.wheel.shards {
		s.begin(&record{watching: &v.watching, known: map[uint32]int64{}})
	}
}

// End ends the recording of every shard.
func (v *watched) End() {
	for _, s := range v.wheel.shards {
		s.mu.Lock()
		s.record, s.eager = nil, false
		s.mu.Unlock()
	}
}

// Sample returns the state of the wheel, read one shard at a time.
func (v *watched) Sample() watch.Sample {
	w := v.wheel
	now := w.now()
	out := watch.Sample{At: now, Tick: wheel.Tick(now / w.tick)}
	out.Totals.Running = w.Running()
	out.Totals.Recorded = min(v.limit, v.ops.Load())
	for k, s := range w.shards {
		l := s.sample(out.Tick, &out.Totals, k < watch.LanesShown)
		if k < watch.LanesShown {
			out.Lanes = append(out.Lanes, l)
		}
	}
	return out
}

// sample adds the shard's counters to t, the totals of the wheel, and returns the state of the shard, with its timers
// if shown is true. now is the current tick. The driver advances the wheel of a shard only when there is work, so the
// wheel of an idle shard may be behind; sample first advances it to now.
func (s *shard) sample(now wheel.Tick, t *watch.Totals, shown bool) watch.Lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.endGroup(s.owner.now())
		if next, ok := s.wheel.Next(); !ok || next > now {
			s.wheel.Advance(now, nil, 0)
		}
	}
	l := watch.Lane{Now: s.wheel.Now(), Late: s.stats.late, Names: map[uint32]string{}}
	l.Full, l.State = watch.State(s.observable(), shown && !s.closed)
	c := &l.State.Counts
	t.Pending += s.wheel.Len()
	t.Armed += c.Scheduled
	t.Fired += s.stats.fired
	t.Stopped += s.stats.canceled
	if o := s.observable(); o != nil {
		t.Moved += o.Cost().Moved
	}
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

// name adds the keys of the shard's timers to l.Names, as text. It leaves out timers without a key and keys that
// KeyName does not support. It calls no methods of a key, because code of the program must not run with s.mu held.
func (s *shard) name(l *watch.Lane) {
	s.owner.keyed.each(func(k keyedMap) {
		k.names(s.number, func(id uint32, key any) {
			if name := watch.KeyName(key); name != "" {
				l.Names[id] = name
			}
		})
	})
}

// Shards returns a summary of each shard, read one shard at a time.
func (v *watched) Shards() []watch.Shard {
	var out []watch.Shard
	for _, s := range v.wheel.shards {
		out = append(out, s.summary())
	}
	return out
}

// summary returns the number of timers in the shard and, for each level of its wheel, the numbers of timers and
// of occupied slots.
func (s *shard) summary() watch.Shard {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := watch.Shard{Now: s.wheel.Now(), Pending: s.wheel.Len()}
	if s.closed {
		return out
	}
	s.endGroup(s.owner.now())
	_, state := watch.State(s.observable(), false)
	out.Levels = watch.Levels(&state)
	return out
}

// Recorded returns the operations that the shards have recorded.
func (v *watched) Recorded() watch.Recording {
	out := watch.Recording{Begun: v.begun, End: v.wheel.tickNow(), Whole: true}
	for _, s := range v.wheel.shards {
		s.mu.Lock()
		if s.record != nil {
			out.Ops = append(out.Ops, s.record.own...)
			out.Whole = out.Whole && s.record.whole
		}
		s.mu.Unlock()
	}
	slices.SortFunc(out.Ops, func(a, b watch.Op) int { return cmp.Compare(a.Seq, b.Seq) })
	return out
}

// observable returns the wheel of the shard, or nil if it is not a wheel.Observable. s.mu must be held.
func (s *shard) observable() wheel.Observable {
	w := s.wheel
	if c, ok := w.(stopped); ok {
		w = c.Wheel
	}
	o, _ := w.(wheel.Observable)
	return o
}
