// Package ours hands this module's own timer library to an examination, as a program of
// its users would call it.
package ours

import (
	"context"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

type timers struct {
	w    *timer.Wheel
	tick time.Duration
}

func (o timers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	t, err := o.w.AfterFunc(d, f)
	return &t, err
}

func (o timers) Stop(h wheeltest.Handle) bool {
	switch h := h.(type) {
	case *timer.Timer:
		return h.Stop()
	case string:
		return o.w.Remove(h)
	}
	return false
}

func (o timers) Reset(h wheeltest.Handle, d time.Duration) error {
	_, err := h.(*timer.Timer).Reset(d)
	return err
}

func (o timers) Set(key string, d time.Duration, f func()) error { return o.w.Set(key, d, f) }
func (o timers) Remove(key string) bool                          { return o.w.Remove(key) }
func (o timers) Pending() int                                    { return int(o.w.Pending()) }
func (o timers) Tick() time.Duration                             { return o.tick }
func (o timers) Drain()                                          { o.w.Drain() }

func (o timers) Move(key string, d time.Duration) error {
	_, err := o.w.Move(key, d)
	return err
}

func (o timers) Every(d time.Duration, times int, f func()) (wheeltest.Handle, error) {
	key := time.Now().String() + d.String()
	for o.w.Has(key) {
		key += "+"
	}
	return key, o.w.Every(key, d, times, f)
}

func (o timers) Close() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // callbacks that run are not waited for
	o.w.Shutdown(ctx)
}

// Factory makes wheels of an algorithm, their parameters the defaults.
func Factory(algorithm string, tick time.Duration) wheeltest.Factory {
	return func() (wheeltest.Timers, error) { return made(algorithm, tick) }
}

func made(algorithm string, tick time.Duration) (timers, error) {
	w, err := timer.New(timer.Algorithm(algorithm, nil), timer.Tick(tick), timer.OnPanic(func(any, []byte) {}))
	return timers{w, tick}, err
}

// numbered is a wheel whose timers are known by their numbers.
type numbered struct{ of timers }

func (o numbered) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	return o.of.w.Schedule(d, f)
}

func (o numbered) Stop(h wheeltest.Handle) bool { return o.of.w.Cancel(h.(timer.ID)) }
func (o numbered) Pending() int                 { return o.of.Pending() }
func (o numbered) Tick() time.Duration          { return o.of.tick }
func (o numbered) Close()                       { o.of.Close() }

// Numbered makes hierarchical wheels that are used by numbers.
func Numbered(tick time.Duration) wheeltest.Factory {
	return func() (wheeltest.Timers, error) {
		w, err := made("hierarchical", tick)
		return numbered{w}, err
	}
}
