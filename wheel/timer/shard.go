package timer

import (
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/alarm"
)

// never is a tick that is never reached.
const never = math.MaxInt64

// shard is a part of a Wheel: a wheel.Wheel, the mutex that guards it, and a goroutine, the driver, that advances it.
type shard struct {
	owner     *Wheel
	number    uint32        // index of the shard among those of its owner
	wakeup    chan struct{} // channel of capacity 1 that holds a value if the driver must call turn
	done      chan struct{} // channel that is closed when the driver has ended
	callbacks callbackQueue // queue of the callbacks that Inline runs

	mu          sync.Mutex
	wheel       wheel.Wheel
	calls       calls
	staging     staging
	balanceAt   int        // number of timers at which balance next compares the shards
	asleep      wheel.Tick // tick until which the driver sleeps; the constant never means until it is woken
	closed      bool
	stats       counters
	record      *record        // recording of the operations for viewers of the live page; nil means that there are none
	ready       []job          // calls of timers that were already due when scheduled, for the driver's next batch
	fired       []wheel.Expiry // expiries of one Advance, used by the driver; kept so that their memory is reused
	batch       []job          // calls recorded by turn, used by the driver; kept so that their memory is reused
	handed      *dueBatch      // calls that the driver must pass to the executor; nil means none
	sleeper     alarm.Sleeper  // alarm by which the driver sleeps for up to 1 ms more precisely than with package time
	contentions uint32         // number of times that goroutines contended for mu
	warmed      uint32         // sum of the results of calls.prefetch, stored so that the compiler keeps the reads

	_       [64]byte // puts mu and the fields that callbacks update in different cache lines
	out     outstanding
	driving atomic.Bool  // whether the driver holds mu
	waiting atomic.Int32 // number of goroutines that wait for mu to schedule a timer
	_       [64]byte     // puts the mu of the next shard in a different cache line
}

func newShard(owner *Wheel, number int, passive wheel.Wheel) *shard {
	s := &shard{owner: owner, number: uint32(number), wheel: passive, asleep: never, balanceAt: balanceStep,
		wakeup: make(chan struct{}, 1), done: make(chan struct{})}
	s.callbacks.shard, s.out.shard = s, s
	if p, ok := passive.(wheel.Stager); ok && p.Stages() {
		s.staging.wheel = p
	}
	return s
}

// scheduleIn is like schedule for a timer that is due d from now. s.mu must be held.
func (s *shard) scheduleIn(d time.Duration, f func(), m *timerOptions, kept bool) (wheel.Timer, error) {
	at, shared := s.reading()
	due, slack := s.owner.due(at, d)
	if shared && due > s.staging.far {
		shared = false
		due, _ = s.owner.due(s.owner.now(), d)
	}
	t, err := s.schedule(due, f, m, kept, shared)
	if shared && err == nil {
		s.staging.add(t, slack)
	}
	return t, err
}

// schedule schedules f for the tick due, with the additional state m. If kept or m.held is true,
// the timer already counts for WithMaxPending; otherwise schedule counts it. A timer whose due tick
// the passive wheel has already reached is scheduled for the next tick. If staged is true, due was
// computed with a shared clock read, and the timer is staged. s.mu must be held.
func (s *shard) schedule(due wheel.Tick, f func(), m *timerOptions, kept, staged bool) (wheel.Timer, error) {
	switch {
	case s.closed:
		return wheel.Timer{}, ErrClosed
	case kept:
	case m != nil && m.held:
		m.held = false // the place belongs to the scheduled timer again
	case !s.owner.admit():
		return wheel.Timer{}, ErrFull
	}
	now := s.wheel.Now()
	due = max(due, now+1)
	spec := wheel.Spec{Due: due, Key: wheel.PlaceKey, Created: now}
	var t wheel.Timer
	var runs int
	var err error
	if staged {
		t, err = s.staging.wheel.Stage(spec)
	} else {
		if len(s.staging.timers) > 0 {
			s.placeStaged(s.owner.now()) // timers that were scheduled before this one come first
		}
		t, runs, err = s.wheel.Schedule(spec)
	}
	if err != nil {
		return s.refused(err)
	}
	id := t.Index() // 0 means it has already run
	s.calls.put(id, f, m)
	if s.record != nil {
		s.record.scheduled(s, id, due)
	}
	if runs > 0 { // the rule of this algorithm fires it early
		s.ready = s.expire(s.ready, id, due)
		s.stats.fired += int64(runs)
		due = s.wheel.Now()
	}
	if due < s.asleep {
		s.asleep = due
		s.wake()
	}
	return t, nil
}

// refused undoes admit for a timer that the wheel rejected with err, and returns the error to report.
func (s *shard) refused(err error) (wheel.Timer, error) {
	s.owner.release()
	if errors.Is(err, wheel.ErrCapacity) {
		err = errCapacity
	}
	return wheel.Timer{}, err
}

// wake wakes the goroutine that advances the wheel, unless it has already been woken.
func (s *shard) wake() {
	select {
	case s.wakeup <- struct{}{}:
	default:
	}
}

// cancel cancels timer t for good. If it returns true, the timer will not fire. s.mu must be held.
func (s *shard) cancel(t wheel.Timer) bool {
	was := s.unschedule(t, true)
	if was {
		s.owner.release()
	}
	return was
}

// unschedule removes timer t; forGood is whether t will not be scheduled again. If t was pending,
// kept is true: t still counts for WithMaxPending, and the caller must schedule it again or call
// Wheel.release. s.mu must be held.
func (s *shard) unschedule(t wheel.Timer, forGood bool) (kept bool) {
	id := t.Index()
	if s.calls.none(id) || !s.wheel.Cancel(t) { // the first check loads memory while the second waits for its own
		return false
	}
	if s.record != nil {
		s.record.cancelled(s, id)
	}
	if forGood {
		s.stats.canceled++
	}
	s.calls.remove(id)
	return true
}

// expire removes the function of the timer with the given id, which has fired, and returns batch with its call
// appended. If the timer has no function, since it has fired before, batch is returned as it is. s.mu must be held.
func (s *shard) expire(batch []job, id uint32, due wheel.Tick) []job {
	f, m := s.calls.at(id)
	if f == nil {
		return batch // the published algorithm fires a timer twice
	}
	if s.record != nil {
		s.record.ended(id)
	}
	s.calls.remove(id)
	if m != nil && m.keeps {
		m.held = true
	} else {
		s.owner.release()
	}
	return append(batch, newJob(f, due))
}

// releaseReservation clears m.held, if it is set, and stops counting the timer for WithMaxPending.
func (s *shard) releaseReservation(m *timerOptions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.held {
		m.held = false
		s.owner.release()
	}
}
