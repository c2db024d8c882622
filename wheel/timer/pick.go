package timer

import (
	"math/bits"
	"unsafe"
)

// pick returns a shard for a timer without a key. As long as goroutines do not contend for
// shard.mu, it returns the current shard for all of them. Once they do, the goroutine's stack
// determines the shard. The timers of one goroutine are then in the caches of its processor, and a
// new timer reuses the memory of the last timer that was stopped. (When a stack moves because it
// grows or shrinks, the goroutine's new timers are in another shard.) See balance for goroutines
// with many timers.
func (w *Wheel) pick() *shard {
	distribution := w.distributions.Load()
	if distribution == 0 {
		return w.current.Load()
	}
	var here byte // its address is only used as a number: nothing is read through it
	high, low := bits.Mul64(uint64(uintptr(unsafe.Pointer(&here)))>>stackBits+distribution<<32, 0x9E3779B97F4A7C15)
	n, _ := bits.Mul64(high^low, uint64(len(w.shards)))
	return w.shards[n]
}

// makeCurrent makes s, in which a timer was just stopped, the current shard, so that the next timer
// reuses its memory. It does nothing once goroutines have been distributed over the shards.
func (s *shard) makeCurrent() {
	if w := s.owner; w.current.Load() != s && w.distributions.Load() == 0 {
		w.current.Store(s)
	}
}

const (
	stackBits       = 13 // binary logarithm of the usual size, in bytes, of a goroutine's stack
	contentionsEach = 64 // number of contentions for shard.mu after which goroutines are distributed anew over the shards
)

// lockOne locks s.mu or, if the driver of s holds it, the first mu of another shard that is free.
// It returns the locked shard. A new timer therefore does not wait while a driver processes many
// timers.
func (s *shard) lockOne() *shard {
	if s.mu.TryLock() {
		return s
	}
	if s.driving.Load() {
		all := s.owner.shards
		for k := 1; k < len(all); k++ {
			if other := all[(int(s.number)+k)%len(all)]; other.mu.TryLock() {
				return other
			}
		}
	}
	s.lock()
	return s
}

// lock locks s.mu to schedule a timer. If goroutines contend for s.mu repeatedly, lock distributes
// all of them over the shards again. Waiting for the driver does not count as contention, since
// every shard has a driver.
func (s *shard) lock() {
	if s.mu.TryLock() {
		return
	}
	contended := s.waiting.Add(1) > 1 || !s.driving.Load()
	s.mu.Lock()
	s.waiting.Add(-1)
	if !contended {
		return
	}
	if s.contentions++; s.contentions%contentionsEach == 0 {
		s.owner.distributions.Add(1)
	}
}

// balanceStep is the number of timers by which a shard may exceed another before balance acts. It
// is small enough that the driver does not hold one lock for long, and large enough that nearly all
// timers scheduled in succession are in the same shard.
const balanceStep = 4096

// balance selects another shard for new timers if that shard has at least balanceStep fewer timers
// than s. It is called regularly while timers are scheduled at s, and compares the shards whenever
// s has grown by balanceStep. s.mu must be held.
func (s *shard) balance() {
	n := s.wheel.Len()
	if n < s.balanceAt {
		s.balanceAt = min(s.balanceAt, n+balanceStep)
		return
	}
	s.balanceAt = n + balanceStep
	w, least, fewest := s.owner, s, n
	for _, other := range w.shards {
		if other != s && other.mu.TryLock() {
			if m := other.wheel.Len(); m < fewest {
				least, fewest = other, m
			}
			other.mu.Unlock()
		}
	}
	if n-fewest < balanceStep {
		return
	}
	if w.distributions.Load() == 0 {
		w.current.Store(least)
	} else if n > 2*fewest {
		w.distributions.Add(1)
	}
}
