package timer

import (
	"math"
	"runtime"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/alarm"
)

// advanceBudget is the maximum number of slots and timers that the driver processes before it releases shard.mu. It
// also limits the work within a tick if the algorithm can stop there (see wheel.Wheel.Advance).
const advanceBudget = 1 << 10

// plan is the result of shard.turn. It determines when the driver must call turn again.
type plan struct {
	next  wheel.Tick // next tick with work, or the constant never if there is none
	soon  bool       // whether the driver must wake within Wheel.sharingWait, because timers were staged (see staging)
	more  bool       // whether the driver must call shard.turn again immediately
	ended bool       // whether the shard is closed
}

// drive is the driver's loop: it processes due timers, then sleeps, using a timer of c, until there is more work.
func (s *shard) drive(c Clock) {
	defer close(s.done)
	s.sleeper = alarm.New(s.owner.now, s.owner.tick, s.owner.machine)
	defer s.sleeper.End()
	sleep := c.NewTimer(time.Hour)
	defer sleep.Stop()
	for {
		p := s.turn()
		if p.more {
			runtime.Gosched() // lets a goroutine that waits for s.mu run first
		}
		s.run()
		switch {
		case p.ended:
			return
		case p.more:
			s.prepare()
			runtime.Gosched() // and the callbacks too
		case p.next == never && !p.soon:
			<-s.wakeup
		default:
			s.sleep(sleep, p)
		}
	}
}

// sleep waits until tick p.next or a call to s.wake, but at most Wheel.sharingWait if p.soon is true. timer uses the
// wheel's clock. If s.sleeper can be used and p.next is more than alarm.Max away, sleep returns when alarm.Max is left.
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
	case s.sleeper.Sleep(d):
		return
	case s.sleeper.Able() && d > alarm.Max:
		d -= alarm.Max // the alarm covers the rest
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

// turn advances the wheel to the current time, records the calls of the timers that fired (see shard.recordCalls), and
// returns when to call turn again. It also records the calls in s.ready (of timers that fired as soon as they were
// scheduled), even if the wheel has been closed since.
func (s *shard) turn() plan {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.driving.Store(true)
	defer s.driving.Store(false)
	if s.closed {
		s.recordCalls(s.takeReady(s.batch[:0]))
		return plan{ended: true}
	}
	now := s.owner.now()
	soon := s.endSharing(now)
	var status wheel.Status
	s.fired, status = s.wheel.Advance(wheel.Tick(now/s.owner.tick), s.fired[:0], advanceBudget)
	batch := s.batch[:0]
	for i := range s.fired {
		if i%prefetchBatch == 0 {
			s.warmed += s.calls.prefetch(s.fired[i:])
		}
		e := &s.fired[i]
		batch = s.expire(batch, e.Key, e.Due)
	}
	s.recordCalls(s.takeReady(batch))
	s.stats.fired += int64(len(s.fired))
	s.asleep = never
	if t, ok := s.wheel.Next(); ok {
		s.asleep = t
	}
	return plan{next: s.asleep, soon: soon, more: status == wheel.Budget}
}

// takeReady appends the calls in s.ready to batch, empties s.ready, and returns the extended batch. s.mu must be held.
func (s *shard) takeReady(batch []job) []job {
	batch = append(batch, s.ready...)
	clear(s.ready)
	s.ready = s.ready[:0]
	return batch
}

// until returns the time from now to the beginning of tick t, or 0 if it has already begun.
func (s *shard) until(t wheel.Tick) time.Duration {
	if t >= math.MaxInt64/wheel.Tick(s.owner.tick) {
		return math.MaxInt64
	}
	return max(0, time.Duration(t)*s.owner.tick-s.owner.now())
}

// recordCalls records that the calls of batch are running or about to run, so that StopWait and Shutdown find them.
// With Inline, it also queues them. For other executors, shard.run passes them on later, without holding s.mu. s.mu
// must be held, so that each timer is always either pending or recorded.
func (s *shard) recordCalls(batch []job) {
	if len(batch) > 0 {
		if _, ok := s.owner.execute.(inline); ok {
			s.callbacks.take(batch)
		} else {
			s.handed = s.out.hand(batch)
		}
	}
	clear(batch) // a batch that is over must not keep functions alive
	s.batch = batch[:0]
}

// startsMost is the maximum number of goroutines that the driver starts before it yields the processor. Without this
// limit, other goroutines of the program that become ready would have to wait for all of them.
const startsMost = 1 << 7

// prepare allocates memory for up to advanceBudget calls, so that recordCalls need not allocate while s.mu is held.
func (s *shard) prepare() {
	if _, ok := s.owner.execute.(inline); ok {
		s.callbacks.prepare()
	} else {
		s.out.prepare()
	}
}

// run passes the calls in s.handed, recorded by the last call to shard.turn, to the executor. s.mu must not be held.
func (s *shard) run() {
	h := s.handed
	if h == nil {
		return
	}
	s.handed = nil
	s.noteLate(h.jobs)
	_, own := s.owner.execute.(goroutines)
	for k := range h.jobs {
		if own {
			if k > 0 && k%startsMost == 0 {
				runtime.Gosched()
			}
			go h.start()
		} else {
			s.owner.execute.Execute(func() { s.call(h, k) })
		}
	}
}
