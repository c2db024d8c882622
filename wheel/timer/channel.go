package timer

import (
	"context"
	"reflect"
	"runtime"
	"sync"
	"time"
	"unsafe"
	"weak"
)

// ChanTimer sends the time on C when it fires, with the meanings that time.Timer has
// since Go 1.23: after Stop or Reset no value of before is received, and once nobody
// refers to it or to C it is collected, though it was not stopped. Its methods may be
// called by any goroutine.
type ChanTimer struct {
	C <-chan time.Time
	s *sender
}

// sender is what the wheel keeps of a ChanTimer. It must not refer to the channel, by
// which the collector knows whether anybody still waits.
type sender struct {
	mu    sync.Mutex
	c     weak.Pointer[byte] // the channel
	timer Timer
	more  more
	every time.Duration // of a Ticker; 0: fires once
	next  time.Duration // since the wheel's origin: when a Ticker's tick is due
	round uint64        // counts Stop and Reset: what an earlier round sends is dropped
}

// NewTimer gives a timer that sends the time once d has passed. The error is
// AfterFunc's.
func (w *Wheel) NewTimer(d time.Duration) (*ChanTimer, error) {
	t := newChan(w, 0)
	if _, err := t.Reset(d); err != nil {
		return nil, err
	}
	return t, nil
}

// newChan makes a timer that is not armed. A channel is a pointer to what holds its
// values: that is what the collector is asked about.
func newChan(w *Wheel, every time.Duration) *ChanTimer {
	c := make(chan time.Time, 1)
	at := (*byte)(reflect.ValueOf(c).UnsafePointer())
	s := &sender{c: weak.Make(at), every: every, timer: Timer{shard: w.pick()}, more: more{direct: true, keeps: every > 0}}
	runtime.AddCleanup(at, func(s *sender) { s.stop() }, s)
	return &ChanTimer{c, s}
}

// channel is the sender's channel, nil where it was collected.
func (s *sender) channel() chan time.Time {
	at := s.c.Value()
	return *(*chan time.Time)(unsafe.Pointer(&at))
}

// begin starts a round that fires after d. The lock is held.
func (s *sender) begin(d time.Duration) error {
	s.round++
	round := s.round
	s.timer.f = func() { s.fire(round) }
	_, err := s.timer.reset(d, &s.more)
	return err
}

// fire sends the time, unless the round is over or nobody took the last one.
func (s *sender) fire(round uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channel()
	if round != s.round || c == nil {
		return
	}
	w := s.timer.shard.owner
	now := w.now()
	select {
	case c <- w.origin.Add(now):
	default:
	}
	if s.every > 0 {
		s.next = s.following(now, w.tick)
		s.begin(s.next - now) // in the place that it kept; refused after Shutdown, and then nothing more comes
	}
}

// following is when a Ticker's next tick is due, after one that was sent at `now`: those that
// are missed are left out. What is due after the wheel's own tick began is not, since it
// fires at the next.
func (s *sender) following(now, tick time.Duration) time.Duration {
	begun := now - now%tick
	return s.next + max(1, (begun-s.next)/s.every+1)*s.every
}

// end ends the round and forgets what it sent. The lock is held.
func (s *sender) end() bool {
	s.round++
	was := s.timer.Stop()
	select {
	case <-s.channel():
		was = true // sent and not received is as if it had not fired
	default:
	}
	return was
}

// halt ends the round for good, with the place that a ticker keeps between its ticks.
// The lock is held.
func (s *sender) halt() bool {
	was := s.end()
	s.timer.shard.letGo(&s.more)
	return was
}

// stop ends the round of a channel that nobody refers to.
func (s *sender) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halt()
}

// Stop disarms the timer. True means that it was armed, and that nothing will be
// received.
func (t *ChanTimer) Stop() bool {
	defer runtime.KeepAlive(t)
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return t.s.halt()
}

// Reset arms the timer anew, to fire once d has passed from now, and reports whether
// it was armed. The error is AfterFunc's; the timer is not armed then.
func (t *ChanTimer) Reset(d time.Duration) (bool, error) {
	defer runtime.KeepAlive(t)
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	was := t.s.end()
	return was, t.s.begin(d)
}

// After gives a channel that receives the time once d has passed.
func (w *Wheel) After(d time.Duration) (<-chan time.Time, error) {
	t, err := w.NewTimer(d)
	if err != nil {
		return nil, err
	}
	return t.C, nil
}

// Sleep returns once d has passed, or when ctx is done, whose error it then gives, or when
// the wheel is shut down: [ErrShutdown]. Of 0 or less it returns at once.
func (w *Wheel) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		select {
		case <-w.gone:
			return ErrShutdown
		default:
			return ctx.Err()
		}
	}
	t, err := w.NewTimer(d)
	if err != nil {
		return err
	}
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-w.gone:
		return ErrShutdown
	}
}
