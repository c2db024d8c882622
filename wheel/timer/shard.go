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

// never is a tick that no wheel reaches.
const never = math.MaxInt64

// shard is an independent part of a Wheel: a wheel.Wheel, its mutex, and the driver, the goroutine that advances it.
type shard struct {
	owner     *Wheel
	number    uint32        // index of the shard in owner.shards
	wakeup    chan struct{} // has capacity 1; holds a value if the driver must call shard.turn
	done      chan struct{} // closed when the driver has ended
	callbacks callbackQueue // queue of callbacks, used if the executor is Inline

	mu          sync.Mutex
	wheel       wheel.Wheel
	calls       calls
	sharing     sharing
	rescheduler wheel.Rescheduler // the wheel if it can change the due tick of a timer, otherwise nil
	balanceAt   int               // number of timers in the shard at which shard.balance next compares it with the others
	asleep      wheel.Tick        // tick at which the driver will wake, or the constant never if it sleeps until woken
	closed      bool
	stats       counters
	record      *record        // recording of operations for the live page (package timerhttp); nil if it has no viewers
	ready       []job          // calls of timers that fired as soon as they were scheduled; the driver adds them to its next batch
	fired       []wheel.Expiry // buffer in which the driver collects the expiries of one call to Advance
	batch       []job          // buffer in which a call to shard.turn collects the callbacks to run
	handed      *dueBatch      // calls that the driver must pass to the executor next; nil means none
	sleeper     alarm.Sleeper  // used by the driver for sleeps of up to 1 ms, which are more precise than those of package time
	contentions uint32         // number of times that goroutines contended for mu
	warmed      uint32         // sum of the results of calls.prefetch, stored so that the compiler does not remove its reads

	_       [64]byte // keeps mu and the fields below, which callbacks update, in different cache lines
	out     outstanding
	driving atomic.Bool  // whether the driver holds mu
	waiting atomic.Int32 // number of goroutines that wait for mu in order to schedule a timer
	_       [64]byte     // keeps the next shard's mu in a different cache line
}

func newShard(owner *Wheel, number int, passive wheel.Wheel) *shard {
	s := &shard{owner: owner, number: uint32(number), wheel: passive, asleep: never, balanceAt: balanceStep,
		wakeup: make(chan struct{}, 1), done: make(chan struct{})}
	s.callbacks.shard, s.out.shard = s, s
	if p, ok := passive.(interface {
		wheel.Rescheduler
		Reschedules() bool
	}); ok && p.Reschedules() {
		s.rescheduler = p
	}
	return s
}

// scheduleIn is like schedule, but for a timer due d from now, which may share a clock read (see sharing). s.mu must be
// held.
func (s *shard) scheduleIn(d time.Duration, f func(), m *timerOptions, kept bool) (wheel.Timer, error) {
	due, slack, share := s.dueIn(d)
	t, err := s.schedule(due, f, m, kept)
	if share && err == nil {
		s.sharing.add(t, due, slack)
	}
	return t, err
}

// schedule schedules f for the tick due, or for the next tick if the passive wheel has already
// reached due. m is the additional state of the timer, or nil. If kept or m.held is true, the timer
// is already counted against WithMaxPending; otherwise schedule counts it. If staged is true, due was
// computed with a shared clock read, and the timer is staged. s.mu must be held.
func (s *shard) schedule(due wheel.Tick, f func(), m *timerOptions, kept bool) (wheel.Timer, error) {
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
	spec := wheel.Spec{Due: due, Key: wheel.PlaceKey}
	t, runs, err := s.wheel.Schedule(spec)
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

// refused is called if the wheel has rejected a timer with err. It stops counting the timer against WithMaxPending. It
// returns the zero Timer and the error to report: errCapacity if the wheel can hold no more timers, otherwise err.
func (s *shard) refused(err error) (wheel.Timer, error) {
	s.owner.release()
	if errors.Is(err, wheel.ErrCapacity) {
		err = errCapacity
	}
	return wheel.Timer{}, err
}

// reschedule changes pending timer t to fire d from now, without changing its handle. It returns false if it cannot: the
// caller must then unschedule t and schedule it anew. s.mu must be held.
func (s *shard) reschedule(t wheel.Timer, d time.Duration) bool {
	if s.rescheduler == nil || s.record != nil || s.closed {
		return false
	}
	due, slack, share := s.dueIn(d)
	due, ok := s.rescheduler.Reschedule(t, due)
	if !ok {
		return false
	}
	if share {
		s.sharing.add(t, due, slack)
	}
	if due < s.asleep {
		s.asleep = due
		s.wake()
	}
	return true
}

// wake wakes the driver of the shard. It does nothing if the driver has been woken and has not run yet.
func (s *shard) wake() {
	select {
	case s.wakeup <- struct{}{}:
	default:
	}
}

// cancel cancels timer t and stops counting it against WithMaxPending. It returns false if t was not pending. s.mu
// must be held.
func (s *shard) cancel(t wheel.Timer) bool {
	was := s.unschedule(t, true)
	if was {
		s.owner.release()
	}
	return was
}

// unschedule removes timer t from the wheel and reports whether it was pending. If it was, t still
// counts against WithMaxPending, and the caller must schedule it again or call Wheel.release. If
// forGood is true, t counts as cancelled in the statistics. s.mu must be held.
func (s *shard) unschedule(t wheel.Timer, forGood bool) (kept bool) {
	id := t.Index()
	if s.calls.hasEnded(id) || !s.wheel.Cancel(t) { // the first check loads memory while the second waits for its own
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

// expire removes the function of the timer with the given ID, which has fired, and appends its call to batch. If the
// timer has fired before, its function was already removed, and expire returns batch unchanged. s.mu must be held.
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

// releaseReservation clears m.held. If it was set, the timer of m no longer counts against WithMaxPending.
func (s *shard) releaseReservation(m *timerOptions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.held {
		m.held = false
		s.owner.release()
	}
}
