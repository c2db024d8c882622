package timer

import (
	"context"
	"sync"
	"time"
)

// ChanTimer sends the time on C when it fires, with the meanings that time.Timer has
// since Go 1.23: after Stop or Reset no value of before is received. Its methods may be
// called by any goroutine. Unlike time's it is kept by the wheel until it fires or is
// stopped, whether anybody refers to it or not.
type ChanTimer struct {
	C <-chan time.Time

	mu    sync.Mutex
	c     chan time.Time
	timer Timer
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

func newChan(w *Wheel, every time.Duration) *ChanTimer {
	c := make(chan time.Time, 1)
	return &ChanTimer{C: c, c: c, every: every, timer: Timer{shard: w.pick()}}
}

// begin starts a round that fires after d. The lock is held.
func (t *ChanTimer) begin(d time.Duration) error {
	t.round++
	round := t.round
	t.timer.f = func() { t.fire(round) }
	return t.timer.arm(d, &more{direct: true})
}

// fire sends the time, unless the round is over or nobody took the last one.
func (t *ChanTimer) fire(round uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if round != t.round {
		return
	}
	w := t.timer.shard.owner
	now := w.now()
	select {
	case t.c <- w.origin.Add(now):
	default:
	}
	if t.every > 0 {
		t.next += max(1, (now-t.next)/t.every+1) * t.every
		t.begin(t.next - now) // refused after Shutdown, and then nothing more comes
	}
}

// end ends the round and forgets what it sent. The lock is held.
func (t *ChanTimer) end() bool {
	t.round++
	was := t.timer.Stop()
	select {
	case <-t.c:
		was = true // sent and not received is as if it had not fired
	default:
	}
	return was
}

// Stop disarms the timer. True means that it was armed, and that nothing will be
// received.
func (t *ChanTimer) Stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.end()
}

// Reset arms the timer anew, to fire once d has passed from now, and reports whether
// it was armed. The error is AfterFunc's; the timer is not armed then.
func (t *ChanTimer) Reset(d time.Duration) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.end()
	return was, t.begin(d)
}

// Ticker sends the time on C every so often, and drops ticks that nobody takes.
type Ticker struct {
	C <-chan time.Time
	t *ChanTimer
}

// NewTicker gives a ticker of interval d, counted from now without drift. The error
// is [ErrInterval] for a d of 0 or less, or AfterFunc's.
func (w *Wheel) NewTicker(d time.Duration) (*Ticker, error) {
	t := newChan(w, d)
	k := &Ticker{t.C, t}
	if err := k.Reset(d); err != nil {
		return nil, err
	}
	return k, nil
}

// Stop ends the ticker; nothing is received from then on. C is not closed.
func (k *Ticker) Stop() { k.t.Stop() }

// Reset begins anew with interval d, counted from now.
func (k *Ticker) Reset(d time.Duration) error {
	if d <= 0 {
		return ErrInterval
	}
	k.t.mu.Lock()
	defer k.t.mu.Unlock()
	k.t.end()
	k.t.every, k.t.next = d, k.t.timer.shard.owner.now()+d
	return k.t.begin(d)
}

// After gives a channel that receives the time once d has passed.
func (w *Wheel) After(d time.Duration) (<-chan time.Time, error) {
	t, err := w.NewTimer(d)
	if err != nil {
		return nil, err
	}
	return t.C, nil
}

// Sleep returns once d has passed, or when ctx is done, whose error it then gives.
func (w *Wheel) Sleep(ctx context.Context, d time.Duration) error {
	t, err := w.NewTimer(d)
	if err != nil {
		return err
	}
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		t.Stop()
		return ctx.Err()
	}
}
