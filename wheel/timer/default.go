package timer

import (
	"context"
	"sync"
	"time"
)

// Default is the process's own wheel, made when it is first asked for: hierarchical,
// ticks of 1 ms, a goroutine for each callback. The functions of this package that are
// called as those of package time use it. Once it is shut down they return
// [ErrShutdown]. In a bubble of testing/synctest it is of no use: make a wheel there.
var Default = sync.OnceValue(func() *Wheel {
	w, err := New()
	if err != nil {
		panic(err) // no option was given that could be wrong
	}
	return w
})

// AfterFunc is [Wheel.AfterFunc] of the default wheel.
func AfterFunc(d time.Duration, f func()) (Timer, error) { return Default().AfterFunc(d, f) }

// NewTimer is [Wheel.NewTimer] of the default wheel.
func NewTimer(d time.Duration) (*ChanTimer, error) { return Default().NewTimer(d) }

// NewTicker is [Wheel.NewTicker] of the default wheel.
func NewTicker(d time.Duration) (*Ticker, error) { return Default().NewTicker(d) }

// After is [Wheel.After] of the default wheel.
func After(d time.Duration) (<-chan time.Time, error) { return Default().After(d) }

// Sleep is [Wheel.Sleep] of the default wheel.
func Sleep(ctx context.Context, d time.Duration) error { return Default().Sleep(ctx, d) }
