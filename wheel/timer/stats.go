package timer

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Stats contains statistics of a wheel. Fired, Canceled, Panicked, Rejected, Late and Lateness are counted
// since the wheel was created.
//
//	expvar.Publish("timers", expvar.Func(func() any { return w.Stats() }))
type Stats struct {
	Pending  int       // number of pending timers
	Running  int       // number of callbacks that are running, or waiting in the executor
	Fired    int64     // number of timers that fired
	Canceled int64     // number of timers stopped before they fired
	Panicked int64     // number of callbacks that panicked, if WithOnPanic was given
	Rejected int64     // number of timers that never fire, because 2^28 timers were pending in a shard or the wheel set by WithWheel rejected them
	Late     int64     // number of timers whose callbacks began to run more than a tick after they were due
	Lateness Histogram // distribution of the time from a timer's due tick until the callbacks of its batch begin to run
	// SlotSkew is the number of timers in the fullest slot of a level divided by the mean per slot, for the level with
	// the largest ratio. It is 0 if there are no timers.
	SlotSkew  float64
	ShardSkew float64 // number of timers in the fullest shard divided by the mean per shard; 0 if there are no timers
}

// Stats returns the statistics of w. It locks one shard at a time, and visits every slot.
func (w *Wheel) Stats() Stats {
	if !w.made() {
		return Stats{}
	}
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

// addTo adds the statistics of the shard to t and returns the number of pending timers in the shard.
func (s *shard) addTo(t *Stats) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endGroup(s.owner.now())
	n := s.wheel.Len()
	t.Pending += n
	t.Fired += s.stats.fired
	t.Canceled += s.stats.canceled
	t.Rejected += s.stats.rejected
	t.Late += s.stats.late
	t.Lateness.add(&s.stats.lateness)
	if n > 0 && !s.closed {
		t.SlotSkew = max(t.SlotSkew, slotSkew(s.observable()))
	}
	return n
}

// slotSkew divides the number of timers in the fullest slot of each level by the mean number per slot, and returns the
// largest of these ratios. It returns 0 for a wheel without slots, such as a list or a heap, and if w is nil.
func slotSkew(w wheel.Observable) (worst float64) {
	if w == nil || w.Layout().Shape != wheel.ShapeRing {
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

// Pending returns the number of pending timers.
func (w *Wheel) Pending() int {
	n := 0
	for _, s := range w.all() {
		s.mu.Lock()
		n += s.wheel.Len()
		s.mu.Unlock()
	}
	return n
}

// counters contains the statistics of one shard.
type counters struct {
	fired, canceled, rejected, late int64
	worstLate                       time.Duration
	lateness                        Histogram
}

// noteLate records the lateness of the timers of a batch whose callbacks begin to run, and calls the function set by
// WithOnLate, in a goroutine of its own, if the first of them exceeds the threshold.
func (s *shard) noteLate(dues []dueCount) {
	if len(dues) == 0 {
		return
	}
	w := s.owner
	now := w.now()
	s.mu.Lock()
	worst := time.Duration(0)
	for _, d := range dues {
		over := now - w.timeOf(d.due)
		worst = max(worst, over)
		s.stats.lateness.count(over, d.n)
		if over > w.tick {
			s.stats.late += d.n
		}
	}
	s.stats.worstLate = max(s.stats.worstLate, worst)
	if s.record != nil {
		s.record.late = max(s.record.late, int64(worst))
	}
	s.mu.Unlock()
	if w.late != nil && worst > w.lateMin {
		s.running.Add(1)
		go s.callbacks.run(func() { w.late(worst) })
	}
}
