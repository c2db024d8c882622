package timer

import (
	"runtime"

	"github.com/wheelscope/wheelscope/wheel"
)

// compacter is implemented by wheels that can release memory which their timers no longer need.
// Each call of Compact does a part of the work and reports whether more remains.
type compacter interface{ Compact() (more bool) }

// compactStepsMax limits the number of steps of one Compact on one shard. Without a limit, timers
// that end during Compact could add work without end. A step processes several hundred timers or
// more.
const compactStepsMax = wheel.LiveMax >> 8

// Compact releases memory that the pending timers do not need, such as about 40 MB after a million
// timers have ended. Call it after a peak. Compact works on every shard in steps and releases the
// lock between steps, so other goroutines wait for at most one step: 0.13 ms at most while the
// memory of a million stopped timers was released in 15 ms (BenchmarkPause/compact). Only the map
// of a [Keyed] that has become much smaller is rebuilt in one step.
func (w *Wheel) Compact() {
	for _, s := range w.all() {
		for range compactStepsMax {
			if !s.compact() {
				break
			}
			runtime.Gosched() // lets a goroutine that waits for s.mu run first
		}
		for from, more := 0, true; more; from += callPagesAtOnce {
			more = s.compactCalls(from)
			runtime.Gosched()
		}
	}
	if w.made() {
		w.keyed.each(keyedMap.compact)
	}
}

// compact calls the wheel's Compact once, if it has one, and reports whether there is more memory to release.
func (s *shard) compact() (more bool) {
	c, ok := s.wheel.(compacter)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.Compact()
}

// compactCalls releases those of callPagesAtOnce pages of s.calls, from index from on, that hold no
// function. It reports whether more pages follow.
func (s *shard) compactCalls(from int) (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls.compact(from)
}
