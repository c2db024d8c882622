package peers

import (
	"context"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// wheelscopeTimers is this module's own timer library, as its users call it.
type wheelscopeTimers struct {
	w    *timer.Wheel
	tick time.Duration
}

func (o wheelscopeTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	t, err := o.w.AfterFunc(d, f)
	return &t, err
}

func (o wheelscopeTimers) Stop(h wheeltest.Handle) bool {
	switch h := h.(type) {
	case *timer.Timer:
		return h.Stop()
	case string:
		return o.w.Remove(h)
	}
	return false
}

func (o wheelscopeTimers) Reset(h wheeltest.Handle, d time.Duration) error {
	_, err := h.(*timer.Timer).Reset(d)
	return err
}

func (o wheelscopeTimers) Set(key string, d time.Duration, f func()) error { return o.w.Set(key, d, f) }
func (o wheelscopeTimers) Remove(key string) bool                          { return o.w.Remove(key) }
func (o wheelscopeTimers) Pending() int                                    { return int(o.w.Pending()) }
func (o wheelscopeTimers) Tick() time.Duration                             { return o.tick }
func (o wheelscopeTimers) Drain()                                          { o.w.Drain() }

func (o wheelscopeTimers) Move(key string, d time.Duration) error {
	_, err := o.w.Move(key, d)
	return err
}

func (o wheelscopeTimers) Every(d time.Duration, times int, f func()) (wheeltest.Handle, error) {
	key := time.Now().String() + d.String()
	for o.w.Has(key) {
		key += "+"
	}
	return key, o.w.Every(key, d, times, f)
}

func (o wheelscopeTimers) Close() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // callbacks that run are not waited for
	o.w.Shutdown(ctx)
}

var ours = Peer{
	Name: "wheelscope wheel/timer", Version: "this one",
	Make: func() (wheeltest.Timers, error) {
		w, err := timer.New(timer.OnPanic(func(any, []byte) {}))
		return wheelscopeTimers{w, millisecond}, err
	},
}
