package peers

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
	"github.com/zeromicro/go-zero/core/collection"
)

type goZeroTimers struct {
	w    *collection.TimingWheel
	keys *atomic.Int64
}

var goZero = Peer{
	Name: "zeromicro/go-zero", Version: "v1.10.3",
	Make: func() (wheeltest.Timers, error) {
		w, err := collection.NewTimingWheel(10*millisecond, 300, func(_, f any) { f.(func())() })
		return goZeroTimers{w, new(atomic.Int64)}, err
	},
	Options: []wheeltest.Option{wheeltest.Slots(300), wheeltest.NoAnswers()},
	Breaks:  []string{"never early", "set earlier", "move", "drain, then set", "stall"},
}

func (g goZeroTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	key := "timer " + strconv.FormatInt(g.keys.Add(1), 10)
	return key, g.Set(key, d, f)
}

func (g goZeroTimers) Set(key string, d time.Duration, f func()) error {
	return g.w.SetTimer(key, f, d)
}
func (g goZeroTimers) Remove(key string) bool                 { return g.w.RemoveTimer(key) == nil }
func (g goZeroTimers) Move(key string, d time.Duration) error { return g.w.MoveTimer(key, d) }
func (g goZeroTimers) Drain()                                 { g.w.Drain(func(_, _ any) {}) }
func (g goZeroTimers) Stop(h wheeltest.Handle) bool           { return g.Remove(h.(string)) }
func (g goZeroTimers) Pending() int                           { return wheeltest.Unknown }
func (g goZeroTimers) Tick() time.Duration                    { return 10 * millisecond }
func (g goZeroTimers) Close()                                 { g.w.Stop() }
