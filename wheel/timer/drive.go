package timer

import (
	"math"
	"runtime"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// advanceBudget is how many slots and timers are processed while the lock is held once, within
// a tick too if the algorithm stops there (wheel.Wheel's Advance).
const advanceBudget = 1 << 10

// plan is what the driver is to do after a turn.
type plan struct {
	next  wheel.Tick // the tick at which there is something to do again
	soon  bool       // … or at the latest after crowdWait
	more  bool       // at once
	ended bool       // never again
}

// drive is the driver: it works what is due, then sleeps until there is more.
func (s *shard) drive(c Clock) {
	defer close(s.done)
	s.nap = newNap(s.owner)
	defer s.nap.end()
	sleep := c.NewTimer(time.Hour)
	defer sleep.Stop()
	for {
		p := s.turn()
		if p.more {
			runtime.Gosched() // a goroutine that waits for the lock comes first
		}
		s.run()
		switch {
		case p.ended:
			return
		case p.more:
			s.prepare()
			runtime.Gosched() // and so do the callbacks
		case p.next == never && !p.soon:
			<-s.wake
		default:
			s.sleep(sleep, p)
		}
	}
}

// sleep waits until the plan's next tick, or until the driver is to look again.
func (s *shard) sleep(timer ClockTimer, p plan) {
	timer.Stop()
	select {
	case <-timer.C():
	default:
	}
	d, wait := s.until(p.next), s.owner.crowdWait()
	switch {
	case p.soon && wait < d:
		d = wait
	case s.nap.sleep(d):
		return
	case s.nap.able && d > napMax:
		d -= napMax // the rest is slept in a nap
	}
	if !s.set(timer, d, p) {
		return
	}
	select {
	case <-s.wake:
	case <-timer.C():
	}
}

// setsMax is how often a clock is set for one sleep.
const setsMax = 4

// set has a clock wake the driver after d; false where there is nothing to wait for. A
// clock of the program's own may be moved after it was read and before it is set, and then
// nobody else would wake the driver: it is read again, and set anew.
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

// turn works the wheel up to now and leaves what is to run in batch. What was due when
// it was armed has fired, and runs though the wheel was shut down since.
func (s *shard) turn() plan {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.driving.Store(true)
	defer s.driving.Store(false)
	if s.closed {
		s.hand(s.takeReady(s.batch[:0]))
		return plan{ended: true}
	}
	now := s.owner.now()
	soon := s.attend(now)
	var status wheel.Status
	s.fired, status = s.wheel.Advance(wheel.Tick(now/s.owner.tick), s.fired[:0], advanceBudget)
	batch := s.batch[:0]
	for i := range s.fired {
		if i%warmAhead == 0 {
			s.warmed += s.calls.warm(s.fired[i:])
		}
		e := &s.fired[i]
		batch = s.expire(batch, e.Key, e.Due)
	}
	s.hand(s.takeReady(batch))
	s.stats.fired += int64(len(s.fired))
	s.asleep = never
	if t, ok := s.wheel.Next(); ok {
		s.asleep = t
	}
	return plan{next: s.asleep, soon: soon, more: status == wheel.Budget}
}

// takeReady moves what was due when it was armed to a batch. The lock is held.
func (s *shard) takeReady(batch []job) []job {
	batch = append(batch, s.ready...)
	clear(s.ready)
	s.ready = s.ready[:0]
	return batch
}

// until is how long it is until the beginning of a tick.
func (s *shard) until(t wheel.Tick) time.Duration {
	if t >= math.MaxInt64/wheel.Tick(s.owner.tick) {
		return math.MaxInt64
	}
	return max(0, time.Duration(t)*s.owner.tick-s.owner.now())
}

// hand records a batch as handed to the executor, where StopWait and Shutdown find it. The
// lock is held: no timer is neither pending nor found there. Inline begins with it; for other
// executors the rest is done by run, without the lock.
func (s *shard) hand(batch []job) {
	if len(batch) > 0 {
		if _, ok := s.owner.execute.(inline); ok {
			s.relay.take(batch)
		} else {
			s.handed = s.out.hand(batch)
		}
	}
	clear(batch) // nothing is kept alive by a batch that is over
	s.batch = batch[:0]
}

// startsMost is how many goroutines the driver starts before it yields to them. More would
// not fit into the run queue of a processor, and a goroutine of the program that becomes ready
// would have to wait behind all of them.
const startsMost = 1 << 7

// prepare allocates what a turn with a full budget needs.
func (s *shard) prepare() {
	if _, ok := s.owner.execute.(inline); ok {
		s.relay.prepare()
	} else {
		s.out.prepare()
	}
}

// run gives the batch to the executor, without the lock.
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
