package wheeltest_test

import (
	"context"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// ours is this module's own timer library, as its users call it.
type ours struct {
	w    *timer.Wheel
	tick time.Duration
}

func (o ours) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	t, err := o.w.AfterFunc(d, f)
	return &t, err
}

func (o ours) Stop(h wheeltest.Handle) bool {
	switch h := h.(type) {
	case *timer.Timer:
		return h.Stop()
	case string:
		return o.w.Remove(h)
	}
	return false
}

func (o ours) Reset(h wheeltest.Handle, d time.Duration) error {
	_, err := h.(*timer.Timer).Reset(d)
	return err
}

func (o ours) Set(key string, d time.Duration, f func()) error { return o.w.Set(key, d, f) }
func (o ours) Remove(key string) bool                          { return o.w.Remove(key) }
func (o ours) Pending() int                                    { return int(o.w.Pending()) }
func (o ours) Tick() time.Duration                             { return o.tick }
func (o ours) Drain()                                          { o.w.Drain() }

func (o ours) Move(key string, d time.Duration) error {
	_, err := o.w.Move(key, d)
	return err
}

func (o ours) Every(d time.Duration, times int, f func()) (wheeltest.Handle, error) {
	key := time.Now().String() + d.String()
	for o.w.Has(key) {
		key += "+"
	}
	return key, o.w.Every(key, d, times, f)
}

func (o ours) Close() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // callbacks that run are not waited for
	o.w.Shutdown(ctx)
}

func factory(algorithm string, tick time.Duration) wheeltest.Factory {
	return func() (wheeltest.Timers, error) {
		w, err := timer.New(timer.Algorithm(algorithm, nil), timer.Tick(tick), timer.OnPanic(func(any, []byte) {}))
		return ours{w, tick}, err
	}
}

// Every algorithm that is exact and takes any delay passes its own project's
// examination.
func TestOurs(t *testing.T) {
	for _, a := range wheel.Catalogue() {
		p, err := a.Fill(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !a.Exact(p) || a.ID == "simple" || a.ID == "redis" {
			continue
		}
		t.Run(a.ID, func(t *testing.T) {
			wheeltest.Run(t, factory(a.ID, time.Millisecond), only(a.ID == "hierarchical")...)
		})
	}
}

// only leaves out what needs real time, unless all is asked for: with every algorithm it
// would examine the same driver again.
func only(all bool) (options []wheeltest.Option) {
	for _, p := range wheeltest.Properties() {
		if all || !p.Real {
			options = append(options, wheeltest.Only(p.Name))
		}
	}
	return options
}
