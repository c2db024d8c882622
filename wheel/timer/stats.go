package timer

import "time"

// Stats tells how a wheel stands. Fired, Cancelled and Panicked count since it was
// made.
type Stats struct {
	Pending    int
	Running    int           // callbacks that run, or wait in the executor
	Fired      int64         // runs handed to the executor
	Cancelled  int64         // timers stopped before they fired
	Panicked   int64         // callbacks that panicked
	WorstLate  time.Duration // the longest that a batch began after it was due
	WorstBatch int           // the most timers that fired at once, in one shard
	Skew       float64       // pending in the fullest shard ÷ mean of all; 1 is even, 0 with none
}

// Stats gathers the shards' counters, one shard after the other.
func (w *Wheel) Stats() Stats {
	t := Stats{Running: int(w.running.Load()), Panicked: w.panicked.Load()}
	most := 0
	for _, s := range w.shards {
		s.mu.Lock()
		n := s.wheel.Len()
		t.Pending += n
		most = max(most, n)
		t.Fired += s.stats.fired
		t.Cancelled += s.stats.cancelled
		t.WorstLate = max(t.WorstLate, s.stats.worstLate)
		t.WorstBatch = max(t.WorstBatch, s.stats.worstBatch)
		s.mu.Unlock()
	}
	if t.Pending > 0 {
		t.Skew = float64(most) * float64(len(w.shards)) / float64(t.Pending)
	}
	return t
}

// Pending is the number of timers that are armed.
func (w *Wheel) Pending() int { return w.Stats().Pending }

// Running is the number of callbacks that run, or wait in the executor.
func (w *Wheel) Running() int { return int(w.running.Load()) }
