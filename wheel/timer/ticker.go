package timer

import (
	"runtime"
	"time"
)

// Ticker sends the time on C every so often, and drops ticks that nobody takes. Once
// nobody refers to it or to C it is collected, though it was not stopped.
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

// Reset begins anew with interval d, counted from now. The error is NewTicker's.
func (k *Ticker) Reset(d time.Duration) error {
	if d <= 0 {
		return ErrInterval
	}
	defer runtime.KeepAlive(k)
	s := k.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
	s.every, s.next = d, s.timer.shard.owner.now()+d
	return s.begin(d)
}
