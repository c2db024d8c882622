package timer

import (
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// never is a tick that does not come.
const never = math.MaxInt64

// shard is one passive wheel behind a lock, and the goroutine that drives it.
type shard struct {
	owner  *Wheel
	number uint32        // its place among the owner's shards
	wake   chan struct{} // holds a value when the driver is to look again
	done   chan struct{} // closed when the driver has ended
	relay  relay         // runs callbacks that are inline

	mu     sync.Mutex
	wheel  wheel.Wheel
	calls  calls
	crowd  crowd
	asleep wheel.Tick // the tick until which the driver sleeps; never when it does not plan to wake
	closed bool
	stats  counters
	record *record        // who watches, nil where nobody does
	ready  []job          // due already when they were armed: the driver's next batch
	fired  []wheel.Expiry // the driver's, kept for its memory
	batch  []job          // the driver's, likewise
	handed *handed        // the driver's: what is to be given to the executor
	nap    nap            // the driver's
	met    uint32         // how often goroutines met at its lock
	warmed uint32         // what calls.warm gave; nothing reads it

	_       [64]byte // … and what callbacks count is in another than the lock
	out     outstanding
	driving atomic.Bool  // the driver holds the lock
	waiting atomic.Int32 // goroutines that wait for it to arm a timer
	_       [64]byte     // the next shard's lock is in another line of the caches
}

func newShard(owner *Wheel, number int, passive wheel.Wheel) *shard {
	s := &shard{owner: owner, number: uint32(number), wheel: passive, asleep: never,
		wake: make(chan struct{}, 1), done: make(chan struct{})}
	s.relay.shard, s.out.shard = s, s
	if p, ok := passive.(wheel.Stager); ok && p.Stages() {
		s.crowd.wheel = p
	}
	return s
}

// armIn schedules f once d has passed from now, as arm does. The lock is held.
func (s *shard) armIn(d time.Duration, f func(), m *more, kept bool) (wheel.Timer, error) {
	at, shared := s.reading()
	due, slack := s.owner.due(at, d)
	if shared && due > s.crowd.far {
		shared = false
		due, _ = s.owner.due(s.owner.now(), d)
	}
	t, err := s.arm(due, f, m, kept, shared)
	if shared && err == nil {
		s.crowd.note(t, slack)
	}
	return t, err
}

// arm schedules f, in the place under MaxPending that the caller has kept, or in a new
// one. The lock is held. What is due already by the wheel's own clock is put on the next
// tick, so that it runs where every other does.
func (s *shard) arm(due wheel.Tick, f func(), m *more, kept, staged bool) (wheel.Timer, error) {
	switch {
	case s.closed:
		return wheel.Timer{}, ErrClosed
	case kept:
	case m != nil && m.held:
		m.held = false // its place is the armed timer's again
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
		t, err = s.crowd.wheel.Stage(spec)
	} else {
		if len(s.crowd.members) > 0 {
			s.settle(s.owner.now()) // what was armed before stands before it
		}
		t, runs, err = s.wheel.Schedule(spec)
	}
	if err != nil {
		return s.refused(err)
	}
	id := t.Index() // 0: it has run already
	s.calls.put(id, f, m)
	if s.record != nil {
		s.record.armed(s, id, due)
	}
	if runs > 0 { // an algorithm that runs early by its own rule
		s.ready = s.expire(s.ready, id, due)
		s.stats.fired += int64(runs)
		due = s.wheel.Now()
	}
	if due < s.asleep {
		s.asleep = due
		s.nudge()
	}
	return t, nil
}

// refused forgets a timer that the algorithm did not take.
func (s *shard) refused(err error) (wheel.Timer, error) {
	s.owner.release()
	if errors.Is(err, wheel.ErrCapacity) {
		err = errCapacity
	}
	return wheel.Timer{}, err
}

// nudge has the driver look again. A driver that was told already is not told twice.
func (s *shard) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// cancel disarms a timer for good: true means it will not run. The lock is held.
func (s *shard) cancel(t wheel.Timer) bool {
	was := s.disarm(t, true)
	if was {
		s.owner.release()
	}
	return was
}

// disarm takes a timer out, for good or to be armed anew. Its place under MaxPending is
// kept for the next one, or to be given back. The lock is held.
func (s *shard) disarm(t wheel.Timer, forGood bool) (kept bool) {
	id := t.Index()
	if s.calls.none(id) || !s.wheel.Cancel(t) { // the first is told by memory that is fetched while the second waits for its own
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

// expire appends the call of a timer to a batch; its place is free from then on. The lock is
// held. (The driver's own batch is not: only the driver may touch it.)
func (s *shard) expire(batch []job, id uint32, due wheel.Tick) []job {
	f, m := s.calls.at(id)
	if f == nil {
		return batch // an algorithm's published fault fires it again
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

// letGo gives back the place that a timer keeps, if it does so now.
func (s *shard) letGo(m *more) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.held {
		m.held = false
		s.owner.release()
	}
}
