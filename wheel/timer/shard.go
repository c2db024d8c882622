package timer

import (
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel"
)

const (
	advanceBudget = 1 << 14       // slots and timers worked under one hold of the lock
	never         = math.MaxInt64 // a tick that does not come
)

// shard is one passive wheel behind a lock, and the goroutine that drives it.
type shard struct {
	owner *Wheel
	most  int           // timers that may be pending
	wake  chan struct{} // holds a value when the driver is to look again
	done  chan struct{} // closed when the driver has ended

	mu     sync.Mutex
	wheel  wheel.Wheel
	calls  calls
	asleep wheel.Tick // the tick until which the driver sleeps; never when it does not plan to wake
	closed bool
	keys   map[any]keyed
	stats  counters
	ready  []job          // due already when they were armed: the driver's next batch
	fired  []wheel.Expiry // the driver's, kept for its memory
	batch  []job          // the driver's, likewise
}

// job is one run of a callback. What is direct runs in the driver: it is this
// package's own and never waits.
type job struct {
	f      func()
	direct bool
}

// counters are a shard's part of Stats.
type counters struct {
	fired, cancelled int64
	worstLate        time.Duration
	worstBatch       int
}

func newShard(owner *Wheel, passive wheel.Wheel, most int) *shard {
	return &shard{owner: owner, wheel: passive, most: most, asleep: never, keys: map[any]keyed{},
		wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// arm schedules f. The lock is held. What is due already by the wheel's own clock is
// put on the next tick, so that it runs where every other does.
func (s *shard) arm(due, every wheel.Tick, f func(), m *more) (wheel.Timer, uint32, error) {
	switch {
	case s.closed:
		return wheel.Timer{}, 0, ErrShutdown
	case s.wheel.Len() >= s.most:
		return wheel.Timer{}, 0, ErrFull
	}
	due = max(due, s.wheel.Now()+1)
	id := s.calls.add(f, m)
	t, runs, err := s.wheel.Schedule(wheel.Spec{Due: due, Key: id, Every: every, Times: m.runs()})
	if err != nil {
		s.calls.remove(id)
		return wheel.Timer{}, 0, err
	}
	if runs > 0 { // an algorithm that runs early by its own rule
		s.expire(id, uint32(runs), runs)
		s.ready, s.batch = append(s.ready, s.batch...), s.batch[:0]
		due = s.wheel.Now()
	}
	if due < s.asleep {
		s.asleep = due
		s.nudge()
	}
	return t, id, nil
}

// nudge has the driver look again. A driver that was told already is not told twice.
func (s *shard) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// cancel disarms a timer: true means it will not run. The lock is held.
func (s *shard) cancel(t wheel.Timer, id uint32) bool {
	if !s.wheel.Cancel(t) {
		return false
	}
	s.calls.remove(id)
	s.stats.cancelled++
	return true
}

// drive is the driver: it works what is due, then sleeps until there is more.
func (s *shard) drive(c clock.Clock) {
	defer close(s.done)
	sleep := c.Timer(time.Hour)
	defer sleep.Stop()
	for {
		next, more, ended := s.turn()
		s.run()
		if ended {
			return
		}
		if more {
			continue
		}
		sleep.Stop()
		select {
		case <-sleep.C:
		default:
		}
		sleep.Reset(s.until(next))
		select {
		case <-s.wake:
		case <-sleep.C:
		}
	}
}

// turn works the wheel up to now, leaves what is to run in batch, and says at which
// tick there is something to do again, or that there is more already.
func (s *shard) turn() (next wheel.Tick, more, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.batch = s.batch[:0]
		return 0, false, true
	}
	s.batch = append(s.batch[:0], s.ready...)
	s.ready = s.ready[:0]
	now := s.owner.now()
	var status wheel.Status
	s.fired, status = s.wheel.Advance(wheel.Tick(now/s.owner.tick), s.fired[:0], advanceBudget)
	for i := range s.fired {
		s.expire(s.fired[i].Key, s.fired[i].Run, 1)
	}
	s.note(now)
	s.asleep = never
	if t, ok := s.wheel.Next(); ok {
		s.asleep = t
	}
	return s.asleep, status == wheel.Budget, false
}

// until is how long it is until the beginning of a tick. The callbacks of the batch may
// have taken their time: it is asked after them.
func (s *shard) until(t wheel.Tick) time.Duration {
	if t >= math.MaxInt64/wheel.Tick(s.owner.tick) {
		return math.MaxInt64
	}
	return max(0, time.Duration(t)*s.owner.tick-s.owner.now())
}

// expire puts `runs` runs of a timer, up to the one with that number, into the batch;
// after the last one its place is free. The lock is held.
func (s *shard) expire(id, run uint32, runs int) {
	f, m := s.calls.at(id)
	for range runs {
		s.batch = append(s.batch, job{f, m != nil && m.direct})
	}
	if m != nil {
		m.run = run
	}
	if m.last(run) {
		if m != nil && m.keyed {
			delete(s.keys, m.key)
		}
		s.calls.remove(id)
	}
}

// note keeps what Stats and OnLate tell of a batch. The lock is held.
func (s *shard) note(now time.Duration) {
	if len(s.fired) == 0 {
		return
	}
	s.stats.fired += int64(len(s.fired))
	s.stats.worstBatch = max(s.stats.worstBatch, len(s.fired))
	late := now - time.Duration(s.fired[0].Due)*s.owner.tick
	s.stats.worstLate = max(s.stats.worstLate, late)
	if s.owner.late != nil && late > s.owner.lateMin {
		s.batch = append(s.batch, job{func() { s.owner.late(late) }, true})
	}
}

// run hands the batch to the executor, without the lock.
func (s *shard) run() {
	for i := range s.batch {
		j := s.batch[i]
		s.batch[i] = job{} // nothing is kept alive by a batch that is over
		s.owner.start(j.f, j.direct)
	}
}

// start runs one callback where callbacks run.
func (w *Wheel) start(f func(), direct bool) {
	if direct {
		f()
		return
	}
	w.running.Add(1)
	w.execute(func() {
		defer w.running.Add(-1)
		defer w.recovered()
		f()
	})
}

// recovered reports a panic of a callback.
func (w *Wheel) recovered() {
	if v := recover(); v != nil {
		w.panicked.Add(1)
		w.panics(v, debug.Stack())
	}
}

// close ends the driver and tells what was pending.
func (s *shard) close() []Pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.nudge()
	var state wheel.State
	s.wheel.AppendState(&state, wheel.AllEntries)
	var left []Pending
	for _, p := range state.Places {
		for _, e := range p.Entries {
			if e.Marked {
				continue
			}
			_, m := s.calls.at(e.ID)
			left = append(left, Pending{m.name(), s.owner.origin.Add(time.Duration(e.Due) * s.owner.tick)})
		}
	}
	s.wheel, s.keys, s.calls = stopped{s.wheel}, nil, calls{}
	return left
}

// stopped is a wheel after Shutdown: it holds nothing, and what it counted stays.
type stopped struct{ wheel.Wheel }

func (stopped) Cancel(wheel.Timer) bool { return false }
func (stopped) Len() int                { return 0 }
