package timer

import (
	"runtime"

	"github.com/wheelscope/wheelscope/wheel"
)

// compacter is a wheel that can release memory which its timers no longer need, a part of
// the work with each call. Compact reports whether more is to be done.
type compacter interface{ Compact() (more bool) }

// compactStepsMax bounds the calls of one Compact on one shard: timers that end meanwhile
// could give it more to do for ever. A call processes several hundred timers or more.
const compactStepsMax = wheel.LiveMax >> 8

// Compact releases memory that is not needed for the timers that are pending now: after a
// million timers have ended, about 40 MB. Call it after a peak. It works on every shard in
// steps and releases the lock between them, so other goroutines wait for a step at most. Only the map of a [Keyed] that has become much smaller is made
// anew in one step.
func (w *Wheel) Compact() {
	for _, s := range w.all() {
		for range compactStepsMax {
			if !s.compact() {
				break
			}
			runtime.Gosched() // a goroutine that waits for the lock comes first
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

// compact is one step of the wheel's own work. It reports whether there is more.
func (s *shard) compact() (more bool) {
	c, ok := s.wheel.(compacter)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.Compact()
}

// compactCalls releases what is empty of callPagesAtOnce pages. It reports whether there are
// more pages.
func (s *shard) compactCalls(from int) (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls.compact(from)
}
