package timer

import (
	"math"
	"runtime"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// advanceBudget is the maximum number of slots and timers that the driver processes before it releases shard.mu. It
// also limits the work within a tick if the algorithm can stop there (see wheel.Wheel.Advance).
const advanceBudget = 1 << 10

// plan is the result of shard.turn. It determines when the driver must call turn again.
type plan struct {
	next  wheel.Tick // next tick with work, or the constant never if there is none
	soon  bool       // whether the driver must wake within Wheel.sharingWait, because timers share a clock read (see sharing)
	more  bool       // whether the driver must call shard.turn again immediately
	ended bool       // whether the shard is closed
}

// drive is the driver's loop: it processes due timers, then sleeps, using a timer of c, until there is more work. If an
// executor runs a callback in this goroutine and the callback ends it (runtime.Goexit), another goroutine continues.
func (s *shard) drive(c Clock) {
	ended := false
	defer func() {
		if !ended {
			go s.drive(c)
		}
	}()
	s.sleeper = newSleeper(s.owner.now, s.owner.tick, s.owner.machine)
	defer func() { s.sleeper.end() }()
	sleep := c.NewTimer(time.Hour)
	defer sleep.Stop()
	for s.pass(); ; s.pass() {
		p := s.turn()
		switch {
		case p.ended:
			s.pass()
			ended = true
			close(s.done)
			return
		case p.more:
			s.prepare()
			runtime.Gosched() // lets a goroutine that waits for s.mu run first, and the callbacks too
		case s.passing > 0:
		case p.next == never && !p.soon:
			<-s.wakeup
		default:
			s.sleep(sleep, p)
		}
	}
}

// sleep waits until tick p.next or a call to s.wake, but at most Wheel.sharingWait if p.soon is true. timer uses the
// wheel's clock. If s.sleeper can be used and p.next is more than sleeperMax away, sleep returns when sleeperMax is left.
// The next call then waits for the rest, with s.sleeper if a tick is that long. s.wake does not interrupt s.sleeper.
func (s *shard) sleep(timer ClockTimer, p plan) {
	timer.Stop()
	select {
	case <-timer.C():
	default:
	}
	d, wait := s.until(p.next), s.owner.sharingWait()
	switch {
	case p.soon && wait < d:
		d = wait
	case s.sleeper.sleep(d):
		return
	case s.sleeper.mayWork() && d > sleeperMax:
		d -= sleeperMax // the alarm covers the rest
	}
	if !s.set(timer, d, p) {
		return
	}
	select {
	case <-s.wakeup:
	case <-timer.C():
	}
}

// setsMax is the maximum number of times that shard.set resets its timer because the clock has moved.
const setsMax = 4

// set sets timer to wake the driver after d. It returns false if tick p.next has already begun. A
// clock provided by the program may advance after d was computed and before timer is set; timer
// would then fire too late. Therefore set reads the clock again and resets timer if necessary.
func (s *shard) set(timer ClockTimer, d time.Duration, p plan) bool {
	timer.Reset(d)
	if s.owner.machine {
		return true
	}
	for range setsMax {
		left := s.until(p.next)
		if left <= 0 {
			return false
		}
		if left >= d {
			break
		}
		d = left
		timer.Reset(d)
	}
	return true
}

// turn advances the wheel to the current time, queues the calls of the timers that fired, and returns when to call turn
// again. It also queues the calls in s.ready (of timers that fired as soon as they were scheduled), even if the wheel has
// been closed since.
func (s *shard) turn() plan {
	p := s.advance()
	if len(s.batch.calls) > 0 {
		s.queue()
	}
	return p
}

// advance does the part of turn for which s.mu is held: it collects the calls in s.batch, which must be empty.
func (s *shard) advance() plan {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.driving.Store(true)
	defer s.driving.Store(false)
	s.batch.calls = append(s.batch.calls, s.ready...)
	clear(s.ready)
	s.ready = s.ready[:0]
	if s.closed {
		return plan{ended: true}
	}
	now := s.owner.now()
	soon := s.endSharing(now)
	var status wheel.Status
	s.fired, status = s.wheel.Advance(wheel.Tick(now/s.owner.tick), s.fired[:0], advanceBudget)
	early := len(s.batch.calls)
	for i := range s.fired {
		if i%prefetchBatch == 0 {
			s.warmed += s.calls.prefetch(s.fired[i:])
		}
		s.expire(&s.fired[i])
	}
	s.running.Add(int64(len(s.batch.calls) - early))
	s.stats.fired += int64(len(s.fired))
	next, ok := s.wheel.Next()
	if !ok {
		next = never
	}
	s.wakeAt(next)
	return plan{next: next, soon: soon, more: status == wheel.Budget}
}

// until returns the time from now to the beginning of tick t, or 0 if it has already begun.
func (s *shard) until(t wheel.Tick) time.Duration {
	if t == never {
		return math.MaxInt64
	}
	return max(0, s.owner.timeOf(t)-s.owner.now())
}

// queue adds the calls in s.batch, which must not be empty, to the queue of callbacks.
func (s *shard) queue() {
	switch s.owner.execute.(type) {
	case inline, goroutines:
		s.batch = s.callbacks.push(s.batch, true)
	default:
		s.passing += len(s.batch.calls)
		s.batch = s.callbacks.push(s.batch, false)
	}
}

// prepare allocates memory for up to advanceBudget calls, so that turn need not allocate while s.mu is held, because an
// allocation may have to wait for the garbage collector.
func (s *shard) prepare() {
	if cap(s.batch.calls) < advanceBudget {
		s.batch.calls = make([]func(), 0, advanceBudget)
	}
}

// pass passes s.passing callbacks to the executor. s.mu must not be held.
func (s *shard) pass() {
	for s.passing > 0 {
		s.passing-- // before the call, which may end this goroutine
		s.owner.execute.Execute(s.callbacks.one)
	}
}
