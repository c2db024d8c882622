// Package timeradapter adapts package wheel/timer to package wheeltest. The conformance tests of wheel/timer thus
// use the same API as programs do.
package timeradapter

import (
	"context"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

type timers struct {
	w     *timer.Wheel
	keyed *timer.Keyed[string]
	tick  time.Duration
}

func (o timers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	h := new(timer.Timer)
	*h = o.w.AfterFunc(d, f)
	return h, nil
}

func (o timers) Stop(h wheeltest.Handle) bool {
	return h.(interface{ Stop() bool }).Stop()
}

func (o timers) Reset(h wheeltest.Handle, d time.Duration) error {
	h.(*timer.Timer).Reset(d)
	return nil
}

func (o timers) Set(key string, d time.Duration, f func()) error {
	o.keyed.AfterFunc(key, d, func(string) { f() })
	return nil
}

func (o timers) Remove(key string) bool { return o.keyed.Stop(key) }
func (o timers) Pending() int           { return o.w.Pending() }
func (o timers) Tick() time.Duration    { return o.tick }

func (o timers) Move(key string, d time.Duration) error {
	o.keyed.Reset(key, d)
	return nil
}

func (o timers) Drain() {
	for key := range o.keyed.All() {
		o.keyed.Stop(key)
	}
}

// Every schedules a repeating timer that calls f at intervals of d, the given number of times, or
// forever if times is -1.
func (o timers) Every(d time.Duration, times int, f func()) (wheeltest.Handle, error) {
	var mu sync.Mutex
	var r *timer.Repeat
	mu.Lock() // the first run may begin at once
	defer mu.Unlock()
	r = o.w.TickFunc(d, func() {
		if times > 0 {
			if times--; times == 0 {
				mu.Lock()
				r.Stop()
				mu.Unlock()
			}
		}
		f()
	})
	return r, nil
}

func (o timers) Close() { o.w.Close() }

func (o timers) Shutdown(ctx context.Context) error { return o.w.Shutdown(ctx) }

// Factory returns a wheeltest.Factory that creates wheels of package wheel/timer with the given
// algorithm, its default parameters and the given tick.
func Factory(algorithm string, tick time.Duration) wheeltest.Factory {
	return func() (wheeltest.Timers, error) {
		w, err := timer.New(byName(algorithm), timer.WithTick(tick), timer.WithOnPanic(func(any, []byte) {}))
		return timers{w, timer.NewKeyed[string](w), tick}, err
	}
}

// byName returns a timer.Option that selects the algorithm with the given ID and its default
// parameters.
func byName(id string) timer.Option {
	return timer.WithWheel(func() wheel.Wheel {
		w, err := algorithms.New(id, nil, 0)
		if err != nil {
			return nil // which timer.New refuses
		}
		return w
	})
}
