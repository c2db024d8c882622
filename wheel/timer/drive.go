package timer

import (
	"math"
	"runtime"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/alarm"
)

// advanceBudget is the maximum number of slots and timers that the driver processes each time it holds shard.mu. It
// also applies within a tick if the algorithm can stop there (see Advance of wheel.Wheel).
const advanceBudget = 1 << 10

// plan is the result of shard.turn: it determines when the driver must call turn again.
type plan struct {
	next  wheel.Tick // next tick with work, or the constant never if there is none
	soon  bool       // whether timers are staged, so that the driver must wake after stagingWait at the latest
	more  bool       // whether the driver must call turn again immediately
	ended bool       // whether the shard is closed
}

// drive is the driver's loop: it processes due timers, then sleeps until the next work, with a timer of c.
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

// sleep waits until tick p.next begins or the driver is woken. timer is the driver's timer of the wheel's clock.
func (s *shard) sleep(timer ClockTimer, p plan) {
	timer.Stop()
	select {
	case <-timer.C():
	default:
	}
	d, wait := s.until(p.next), s.owner.stagingWait()
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

// setsMax is the maximum number of times that the clock's timer is set again in one sleep of the driver.
const setsMax = 4

// set sets timer to wake the driver after d, for the next tick of p. It returns false if that time
// has already come. A clock provided by the program may be moved between the last reading and the
// setting of timer, and then nothing would wake the driver. Therefore set reads the clock again and
// resets timer if necessary.
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

// turn advances the wheel to now, records for the executor the calls of timers that fired, and
// returns when to call turn again. It also records the calls of timers that were already due when
// scheduled, even if the wheel has been closed since.
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
	soon := s.endStaging(now)
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

// takeReady moves the calls in s.ready to the end of batch, which it returns. s.mu must be held.
func (s *shard) takeReady(batch []job) []job {
	batch = append(batch, s.ready...)
	clear(s.ready)
	s.ready = s.ready[:0]
	return batch
}

// until returns the time from now to the beginning of the tick t, at least 0.
func (s *shard) until(t wheel.Tick) time.Duration {
	if t >= math.MaxInt64/wheel.Tick(s.owner.tick) {
		return math.MaxInt64
	}
	return max(0, time.Duration(t)*s.owner.tick-s.owner.now())
}

// recordCalls records the calls of batch as passed to the executor, so that StopWait and Shutdown
// find them. s.mu must be held, so that each timer is either pending or recorded. With Inline,
// recordCalls also queues the calls. For other executors, run passes them on without holding s.mu.
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

// startsMost is the maximum number of goroutines that the driver starts before it yields the
// processor. Without this limit, a goroutine of the program that becomes ready would have to wait
// for all of them.
const startsMost = 1 << 7

// prepare allocates memory for up to advanceBudget calls, so that recordCalls need not allocate while s.mu is held.
func (s *shard) prepare() {
	if _, ok := s.owner.execute.(inline); ok {
		s.callbacks.prepare()
	} else {
		s.out.prepare()
	}
}

// run passes the calls that the last call of turn has recorded to the executor. s.mu must not be held.
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
