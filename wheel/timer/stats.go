package timer

import (
	"encoding/json"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Stats tells how a wheel stands. What is counted is counted since it was made.
type Stats struct {
	Pending   int           `json:"pending"`
	Running   int           `json:"running"`       // callbacks that run, or wait in the executor
	Fired     int64         `json:"fired"`         // runs of timers that were due
	Cancelled int64         `json:"cancelled"`     // timers stopped, replaced or drained before they fired
	Panicked  int64         `json:"panicked"`      // callbacks that panicked
	Late      int64         `json:"late"`          // runs taken up more than a tick after they were due
	WorstLate time.Duration `json:"worst_late_ns"` // the longest that a batch was taken up after it was due
	WorstTick int           `json:"worst_tick"`    // the most timers of one due tick that fired in a row in one shard
	SlotSkew  float64       `json:"slot_skew"`     // timers in the fullest slot ÷ mean over its level's slots; 0 with none
	ShardSkew float64       `json:"shard_skew"`    // pending in the fullest shard ÷ mean of all; 1 is even, 0 with none
}

// Var is the wheel's Stats as a variable of package expvar, in JSON:
//
//	expvar.Publish("timers", w.Var())
func (w *Wheel) Var() Var { return Var{w} }

// Var is an expvar.Var: its text is JSON, of the moment.
type Var struct{ w *Wheel }

// String is the wheel's Stats in JSON.
func (v Var) String() string {
	b, err := json.Marshal(v.w.Stats())
	if err != nil {
		return "null" // what is not a number; there is none
	}
	return string(b)
}

// Stats gathers the shards' counters, one shard after the other. It costs a look at
// every slot, and stops no timer.
func (w *Wheel) Stats() Stats {
	t := Stats{Running: w.Running(), Panicked: w.panicked.Load()}
	most := 0
	for _, s := range w.shards {
		most = max(most, s.addTo(&t))
	}
	if t.Pending > 0 {
		t.ShardSkew = float64(most) * float64(len(w.shards)) / float64(t.Pending)
	}
	return t
}

// addTo adds a shard's part and returns how many timers it holds.
func (s *shard) addTo(t *Stats) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.owner.now())
	n := s.wheel.Len()
	t.Pending += n
	t.Fired += s.stats.fired
	t.Cancelled += s.stats.cancelled
	t.Late += s.stats.late
	t.WorstLate = max(t.WorstLate, s.stats.worstLate)
	t.WorstTick = max(t.WorstTick, s.stats.worstTick)
	if n > 0 && !s.closed {
		t.SlotSkew = max(t.SlotSkew, slotSkew(s.wheel))
	}
	return n
}

// slotSkew is how much fuller than the mean of its level the fullest slot is; 0 for
// what has no slots (a list, a heap).
func slotSkew(w wheel.Wheel) (worst float64) {
	if w.Layout().Shape != wheel.ShapeRing {
		return 0
	}
	var state wheel.State
	w.AppendState(&state, 0)
	for _, l := range state.Levels {
		sum, most := 0, 0
		for _, p := range state.Places {
			if int(p.Level) == l.Level {
				sum, most = sum+p.Count, max(most, p.Count)
			}
		}
		if sum > 0 {
			worst = max(worst, float64(most)*float64(l.Slots)/float64(sum))
		}
	}
	return worst
}

// Pending is the number of timers that are armed.
func (w *Wheel) Pending() int {
	n := 0
	for _, s := range w.shards {
		s.mu.Lock()
		n += s.wheel.Len()
		s.mu.Unlock()
	}
	return n
}

// Running is the number of callbacks that run, or wait in the executor.
func (w *Wheel) Running() int {
	var n int64
	for _, s := range w.shards {
		n += s.running.Load()
	}
	return int(n)
}

// counters are a shard's part of Stats.
type counters struct {
	fired, cancelled, late int64
	worstLate              time.Duration
	worstTick              int
	due                    wheel.Tick // of the timer that fired last
	same                   int        // how many with that due tick fired in a row
}

// count counts what an advance fired, which is in order of due tick. One tick may take
// several calls.
func (c *counters) count(fired []wheel.Expiry) {
	c.fired += int64(len(fired))
	for i := range fired {
		if fired[i].Due != c.due {
			c.due, c.same = fired[i].Due, 0
		}
		c.same++
		c.worstTick = max(c.worstTick, c.same)
	}
}

// tellLate notes how late a batch, in order of due tick, is taken up, and tells the
// program where it asked for that.
func (s *shard) tellLate(batch []job) {
	w := s.owner
	now := w.now()
	late := now - time.Duration(batch[0].due)*w.tick
	n := int64(0)
	for i := range batch {
		if now-time.Duration(batch[i].due)*w.tick <= w.tick {
			break
		}
		n++
	}
	s.mu.Lock()
	s.stats.late += n
	s.stats.worstLate = max(s.stats.worstLate, late)
	if s.record != nil {
		s.record.late = max(s.record.late, int64(late))
	}
	s.mu.Unlock()
	if w.late != nil && late > w.lateMin {
		s.running.Add(1)
		go s.call(job{f: func() { w.late(late) }})
	}
}
