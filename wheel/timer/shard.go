package timer

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// never is a tick that no wheel reaches.
const never = math.MaxInt64

// shard is an independent part of a Wheel: a wheel.Wheel, its mutex, and the driver, the goroutine that advances it.
type shard struct {
	owner     *Wheel
	number    uint32        // index of the shard in owner.shards
	wakeup    chan struct{} // has capacity 1; holds a value if the driver must call shard.turn
	done      chan struct{} // closed when the driver has ended
	callbacks callbacks

	mu          sync.Mutex
	wheel       wheel.Wheel
	rescheduler wheel.Rescheduler // the wheel if it can change the due tick of a timer, otherwise nil
	calls       calls
	sharing     sharing
	balanceAt   int           // number of timers in the shard at which shard.balance next compares it with the others
	asleep      wheel.Tick    // tick at which the driver will wake, or the constant never if it sleeps until woken
	overdue     time.Duration // time at which tick asleep begins; the constant never once the driver has been woken because it has begun
	closed      bool
	stats       counters
	record      *record        // recording of operations for the live page (package timerhttp); nil if it has no viewers
	tape        *tape          // recording by Record; nil if there is none
	eager       bool           // whether timers that are postponed move at once, because a recording has begun or is about to begin
	contexts    contexts       // pending contexts of WithTimeout, which end when the wheel is closed
	ready       []func()       // calls of timers that fired as soon as they were scheduled; the driver adds them to its next batch
	fired       []wheel.Expiry // buffer in which the driver collects the expiries of one call to Advance
	batch       batch          // buffer in which a call to shard.turn collects the callbacks to run
	passing     int            // number of callbacks that the driver must still pass to the executor
	sleeper     sleeper        // used by the driver for sleeps of up to 1 ms, which are more precise than those of package time
	contentions uint32         // number of times that goroutines contended for mu
	warmed      uint32         // sum of the results of calls.prefetch, stored so that the compiler does not remove its reads

	_       [64]byte     // keeps mu and the fields below, which callbacks update, in different cache lines
	running atomic.Int64 // number of callbacks that are running or waiting in the executor
	driving atomic.Bool  // whether the driver holds mu
	waiting atomic.Int32 // number of goroutines that wait for mu in order to schedule a timer
	_       [64]byte     // keeps the next shard's mu in a different cache line
}

// newShard returns a shard whose timers are in the given wheel. own is true if the wheel was not set by WithWheel.
func newShard(owner *Wheel, number int, passive wheel.Wheel, own bool) *shard {
	s := &shard{owner: owner, number: uint32(number), wheel: passive, balanceAt: balanceStep, wakeup: make(chan struct{}, 1), done: make(chan struct{})}
	s.rescheduler, _ = passive.(wheel.Rescheduler)
	s.sharing.able = own
	s.wakeAt(never)
	_, serial := owner.execute.(inline)
	s.callbacks = callbacks{shard: s, serial: serial}
	s.callbacks.one = s.callbacks.runOne
	return s
}

// scheduleIn schedules f to be called d from now. The handle is zero if the timer never fires or has fired already. s.mu
// must be held.
func (s *shard) scheduleIn(d time.Duration, f func()) wheel.Timer {
	due, slack, share := s.dueIn(d)
	t := s.schedule(due, f)
	if share && !t.IsZero() {
		s.sharing.add(t, due, slack)
	}
	if s.tape != nil && !t.IsZero() {
		s.tape.note(recording.Schedule, t.Index(), d)
	}
	return t
}

// schedule schedules f for the tick due, or for the next tick if the passive wheel has already reached due. The handle
// is zero if the timer never fires or has fired already. s.mu must be held.
func (s *shard) schedule(due wheel.Tick, f func()) wheel.Timer {
	if s.closed {
		return wheel.Timer{}
	}
	due = max(due, s.wheel.Now()+1)
	t, runs, err := s.wheel.Schedule(wheel.Spec{Due: due, Key: wheel.PlaceKey})
	if err != nil {
		s.stats.rejected++
		return wheel.Timer{}
	}
	if runs > 0 { // the rule of this algorithm fires it early
		s.ready = append(s.ready, f)
		s.running.Add(1)
		s.stats.fired++
		s.wakeBy(s.wheel.Now())
		return t
	}
	s.calls.put(t.Index(), f)
	if s.record != nil {
		s.record.scheduled(s, t.Index(), due)
	}
	s.wakeBy(due)
	return t
}

// reschedule changes pending timer t to fire d from now, without changing its handle. It returns false if it cannot: the
// caller must then unschedule t and schedule it anew. s.mu must be held.
func (s *shard) reschedule(t wheel.Timer, d time.Duration) bool {
	if s.rescheduler == nil || s.eager || s.closed {
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
	if s.tape != nil {
		s.tape.note(recording.Reset, t.Index(), d)
	}
	s.wakeBy(due)
	return true
}

// move is like reschedule, with a tick instead of a duration.
func (s *shard) move(t wheel.Timer, due wheel.Tick) bool {
	if s.rescheduler == nil || s.eager || s.closed {
		return false
	}
	due, ok := s.rescheduler.Reschedule(t, due)
	if ok {
		s.wakeBy(due)
	}
	return ok
}

// wakeBy wakes the driver if it would sleep longer than until tick due. s.mu must be held.
func (s *shard) wakeBy(due wheel.Tick) {
	if due < s.asleep {
		s.wakeAt(due)
		s.wake()
	}
}

// wakeIfOverdue wakes the driver if the tick for which it sleeps has begun: it is late, or the clock has jumped forward,
// which its sleep does not notice. now is the current clock reading. s.mu must be held.
func (s *shard) wakeIfOverdue(now time.Duration) {
	if now >= s.overdue {
		s.overdue = never
		s.wake()
	}
}

// wakeAt sets the tick at which the driver will wake.
func (s *shard) wakeAt(t wheel.Tick) {
	s.asleep, s.overdue = t, s.owner.timeOf(t)
}

// wake wakes the driver of the shard. It does nothing if the driver has been woken and has not run yet.
func (s *shard) wake() {
	select {
	case s.wakeup <- struct{}{}:
	default:
	}
}

// cancel cancels timer t. It returns false if t was not pending. s.mu must be held.
func (s *shard) cancel(t wheel.Timer) bool {
	if !s.unschedule(t) {
		return false
	}
	s.stats.canceled++
	return true
}

// unschedule removes timer t from the wheel and reports whether it was pending. s.mu must be held.
func (s *shard) unschedule(t wheel.Timer) bool {
	id := t.Index()
	if s.calls.at(id) == nil || !s.wheel.Cancel(t) { // the first check loads memory while the second waits for its own
		return false
	}
	if s.record != nil {
		s.record.cancelled(s, id)
	}
	if s.tape != nil {
		s.tape.note(recording.Stop, id, 0)
	}
	s.calls.remove(id)
	return true
}

// expire adds the function of a timer that has fired to s.batch. If the timer has fired before, its function was already
// removed, and expire does nothing. s.mu must be held.
func (s *shard) expire(e *wheel.Expiry) {
	f := s.calls.at(e.Key)
	if f == nil {
		return // the published algorithm fires a timer twice
	}
	if s.record != nil {
		s.record.ended(e.Key)
	}
	if s.tape != nil {
		s.tape.note(recording.Fire, e.Key, 0)
	}
	s.calls.remove(e.Key)
	s.batch.add(f, e.Due)
}
