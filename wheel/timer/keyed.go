package timer

import (
	"math"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// keyed is a timer that is known by a key.
type keyed struct {
	t  wheel.Timer
	id uint32
}

// Set calls f once d has passed, under a key: any value that can be a map's key. A
// timer that is pending under that key is replaced. A nil f means the wheel's own
// function (see [Func]). The error is AfterFunc's; what was pending is gone then.
func (w *Wheel) Set(key any, d time.Duration, f func()) error {
	return w.setKeyed(key, w.due(d), 0, 0, f)
}

// Every calls f again and again under a key, at d, 2d, … from now, `times` times in
// all or for ever (-1). An interval is rounded up to whole ticks. A timer that is
// pending under that key is replaced. The error is [ErrInterval], or Set's.
func (w *Wheel) Every(key any, d time.Duration, times int, f func()) error {
	return w.EveryFrom(key, w.origin.Add(w.now()), d, times, f)
}

// EveryFrom is Every counted from the instant `created`, in the past or not: the first
// call is at the first created + k·d that is still to come. So timers of one interval,
// made at different times, stay spread over the wheel after all are armed again.
func (w *Wheel) EveryFrom(key any, created time.Time, d time.Duration, times int, f func()) error {
	if d <= 0 || times == 0 || times < -1 || times > math.MaxInt32 {
		return ErrInterval
	}
	now := w.now()
	first := created.Sub(w.origin) + d
	if first <= now {
		first += (now-first)/d*d + d
	}
	every := wheel.Tick((d + w.tick - 1) / w.tick)
	return w.setKeyed(key, w.due(first-now), max(1, every), int32(times), f)
}

func (w *Wheel) setKeyed(key any, due, every wheel.Tick, times int32, f func()) error {
	if f == nil {
		if w.common == nil {
			return ErrNil
		}
		f = func() { w.common(key) }
	}
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.keys[key]; ok {
		s.cancel(old.t, old.id)
		delete(s.keys, key)
	}
	return s.armKeyed(due, every, f, &more{keyed: true, key: key, times: times, every: every})
}

// armKeyed arms f under m's key. The lock is held.
func (s *shard) armKeyed(due, every wheel.Tick, f func(), m *more) error {
	t, id, err := s.arm(due, every, f, m)
	if err != nil {
		return err
	}
	if !t.IsZero() {
		s.keys[m.key] = keyed{t, id}
	}
	return nil
}

// Move has the timer under a key fire once d has passed from now, in place of when it
// would have; one that repeats goes on from there, as often as it still would have. It
// is false where nothing is pending under the key.
func (w *Wheel) Move(key any, d time.Duration) (bool, error) {
	due := w.due(d)
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.keys[key]
	if !ok {
		return false, nil
	}
	f, m := s.calls.at(k.id)
	s.cancel(k.t, k.id)
	s.stats.cancelled--
	delete(s.keys, key)
	return true, s.armKeyed(due, m.every, f, m.rest())
}

// Remove stops the timer under a key. True means that it will not run.
func (w *Wheel) Remove(key any) bool {
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.keys[key]
	if !ok {
		return false
	}
	delete(s.keys, key)
	return s.cancel(k.t, k.id)
}

// Has says whether a timer is pending under a key.
func (w *Wheel) Has(key any) bool {
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.keys[key]
	return ok
}
