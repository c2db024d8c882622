package timer

import (
	"math/bits"
	"unsafe"
)

// pick returns the shard for a new timer without a key. At first, all goroutines use the same shard, w.current. Once
// goroutines have often waited for each other to lock a shard, the address of the calling goroutine's stack selects
// the shard. The timers of one goroutine are then in the caches of its processor, and a new timer reuses the memory
// of the last timer that was stopped. (If the stack moves because it grows or shrinks, later timers of the goroutine
// are in another shard.) See shard.balance for goroutines with many timers.
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

// makeCurrent makes s the shard for new timers. It is called after a timer of s was stopped, so that new timers reuse
// its memory. It does nothing once goroutines have been distributed over the shards (see pick).
func (s *shard) makeCurrent() {
	if w := s.owner; w.current.Load() != s && w.distributions.Load() == 0 {
		w.current.Store(s)
	}
}

const (
	stackBits       = 13 // binary logarithm of the usual size, in bytes, of a goroutine's stack
	contentionsEach = 64 // contentions for a shard's mutex after which goroutines are distributed, or distributed again
)

// lockOne locks s.mu and returns s. If the driver of s holds s.mu, lockOne instead locks and returns another shard
// that is not locked, if there is one, so that a new timer does not wait while a driver processes many timers.
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

// lock locks s.mu to schedule a timer. Each time goroutines have contended for s.mu contentionsEach
// times, lock distributes all goroutines over the shards again. Waiting only for the driver of s
// does not count as contention: another shard would be no better, because each has a driver.
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

// balanceStep is the number of timers by which a shard must exceed another for shard.balance to act: few enough that no
// shard has so many that its driver holds the lock for long, enough that nearly all successive timers share a shard.
const balanceStep = 4096

// balance keeps the shards at similar sizes. It is called regularly while timers are scheduled in s. Each time s has
// grown by balanceStep timers, balance looks for the shard with the fewest timers. If that shard has at least
// balanceStep fewer than s, balance makes it the current shard, to which all goroutines add timers. If goroutines have
// been distributed over the shards (see pick), balance instead redistributes them, but only if s has more than twice
// as many timers as that shard. s.mu must be held.
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
