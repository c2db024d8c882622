package peers

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ouqiang/timewheel"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// ouqiangTimers adapts ouqiang/timewheel with a tick of one second, because shorter ticks cause a
// division by zero in the library.
type ouqiangTimers struct {
	w    *timewheel.TimeWheel
	keys *atomic.Int64 // number of keys that AfterFunc has made up
}

var ouqiang = Peer{
	Name: "ouqiang/timewheel", Version: "v1.0.1",
	Make: func() (wheeltest.Timers, error) {
		w := timewheel.New(time.Second, 60, func(f any) { f.(func())() })
		w.Start()
		return ouqiangTimers{w, new(atomic.Int64)}, nil
	},
	Options: append(unclaimed("its tick is a second at least: real time would take minutes",
		"stop against firing", "at once under load", "keys under load", "drift", "stall"), wheeltest.Slots(60), wheeltest.NoAnswers()),
	Breaks: []string{"never early", "same key", "closed", "panic"},
}

func (o ouqiangTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	key := "timer " + strconv.FormatInt(o.keys.Add(1), 10)
	return key, o.Set(key, d, f)
}

func (o ouqiangTimers) Set(key string, d time.Duration, f func()) error {
	o.w.AddTimer(d, key, f)
	return nil
}

func (o ouqiangTimers) Remove(key string) bool {
	o.w.RemoveTimer(key)
	return true
}
func (o ouqiangTimers) Stop(h wheeltest.Handle) bool { return o.Remove(h.(string)) }
func (o ouqiangTimers) Pending() int                 { return wheeltest.Unknown }
func (o ouqiangTimers) Tick() time.Duration          { return time.Second }
func (o ouqiangTimers) Close()                       { o.w.Stop() }
