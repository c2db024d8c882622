package timer

import (
	"runtime"

	"github.com/wheelscope/wheelscope/wheel"
)

// compactStepsMax is the maximum number of steps that Wheel.Compact takes on one shard. Without a limit, timers that
// end meanwhile could add work forever. A step processes several hundred timers or more.
const compactStepsMax = wheel.LiveMax >> 8

// Compact releases memory that the pending timers do not need, for example about 40 MB after a million timers have
// ended. Call it after a peak in the number of timers. Compact works on every shard in steps and releases the lock of
// the shard between them, so that other goroutines wait for at most one step. In BenchmarkPause/compact, which stops a
// million timers, Compact took 9 ms and other goroutines waited for up to 0.2 ms. The one exception is the map of a
// [Keyed] that has become much smaller: it is rebuilt in a single step.
func (w *Wheel) Compact() {
	for _, s := range w.all() {
		s.compactAll()
		for s.compactCalls() {
			runtime.Gosched()
		}
	}
	if w.made() {
		w.keyed.each(keyedMap.compact)
	}
}

// compactAll calls compact until it reports that nothing remains.
func (s *shard) compactAll() {
	for range compactStepsMax {
		if !s.compact() {
			return
		}
		runtime.Gosched() // lets a goroutine that waits for s.mu run first
	}
}

// compact calls the Compact method of s.wheel once, if it has one, and reports whether more remains.
func (s *shard) compact() (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rescheduler != nil && s.rescheduler.Compact()
}

// compactCalls releases one page of functions, and reports whether it did.
func (s *shard) compactCalls() (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls.compact()
}
