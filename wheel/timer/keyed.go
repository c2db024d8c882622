package timer

import (
	"hash/maphash"
	"math"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// of gives the shard of a key.
func (w *Wheel) of(key any) *shard {
	return w.shards[maphash.Comparable(w.seed, key)%uint64(len(w.shards))]
}

// Set calls f once d has passed, under a key: any value that can be found again in a
// map. A timer that is pending under that key is replaced. A nil f means the wheel's
// own function (see [Func]). The error is [ErrKey], or AfterFunc's; after the latter
// what was pending is gone.
func (w *Wheel) Set(key any, d time.Duration, f func()) error {
	due, _ := w.due(w.now(), d)
	return w.setKeyed(key, due, 0, 0, f)
}

// Every calls f again and again under a key, at d, 2d, … from now, `times` times in
// all or for ever (-1). An interval is rounded up to whole ticks. A timer that is
// pending under that key is replaced. Where an algorithm has a reach or a capacity of
// its own, a next run that it does not take ends the timer. The error is [ErrInterval],
// or Set's.
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
	wait := created.Sub(w.origin.Add(now)) // until the interval begins that comes first
	if wait == math.MinInt64 {             // centuries ago: more than a Duration holds
		if wait = phase(created, d) - phase(w.origin.Add(now), d); wait > 0 {
			wait -= d
		}
	}
	if wait <= -d {
		wait %= d // the one that runs now
	}
	if wait > math.MaxInt64-d {
		wait = math.MaxInt64 - d
	}
	every := wheel.Tick(d / w.tick)
	if d%w.tick != 0 {
		every++
	}
	due, _ := w.due(now, wait+d)
	return w.setKeyed(key, due, every, int32(times), f)
}

// phase is how far t lies in an interval of length d, counted from the year 1.
func phase(t time.Time, d time.Duration) time.Duration { return t.Sub(t.Truncate(d)) }

func (w *Wheel) setKeyed(key any, due, every wheel.Tick, times int32, f func()) error {
	if badKey(key) {
		return ErrKey
	}
	if f == nil {
		if w.common == nil {
			return ErrNil
		}
		f = func() { w.common(key) }
	}
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := false
	if old, ok := s.keys[key]; ok {
		kept = s.disarm(old, true)
		delete(s.keys, key)
	}
	return s.armKeyed(due, every, f, &more{keyed: true, key: key, times: times, every: every}, kept)
}

// armKeyed arms f under m's key, as arm does. The lock is held.
func (s *shard) armKeyed(due, every wheel.Tick, f func(), m *more, kept bool) error {
	t, err := s.arm(due, every, f, m, kept, false)
	if err != nil {
		return err
	}
	if !t.IsZero() {
		s.keys[m.key] = t
	}
	return nil
}

// Move has the timer under a key fire once d has passed from now, in place of when it
// would have; one that repeats goes on from there, as often as it still would have. It
// is false where nothing is pending under the key. After an error, which is AfterFunc's
// or [ErrKey], what was pending is gone.
func (w *Wheel) Move(key any, d time.Duration) (bool, error) {
	if badKey(key) {
		return false, ErrKey
	}
	due, _ := w.due(w.now(), d)
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false, ErrShutdown
	}
	t, ok := s.keyed(key)
	if !ok {
		return false, nil
	}
	f, m := s.calls.at(t.Index())
	kept := s.disarm(t, false)
	delete(s.keys, key)
	return true, s.armKeyed(due, m.every, f, m.rest(), kept)
}

// Remove stops the timer under a key. True means that it will not run.
func (w *Wheel) Remove(key any) bool {
	if badKey(key) {
		return false
	}
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.keyed(key)
	if !ok {
		return false
	}
	delete(s.keys, key)
	return s.cancel(t)
}

// Has says whether a timer is pending under a key.
func (w *Wheel) Has(key any) bool {
	if badKey(key) {
		return false
	}
	s := w.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.keyed(key)
	return ok
}

// keyed is the timer that is pending under a key. (One that an algorithm loses, by its
// published rule, keeps its key but is not.) The lock is held.
func (s *shard) keyed(key any) (wheel.Timer, bool) {
	t, ok := s.keys[key]
	return t, ok && s.wheel.Armed(t)
}
