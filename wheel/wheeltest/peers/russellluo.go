package peers

import (
	"sync/atomic"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

type russellLuoTimers struct{ w *timingwheel.TimingWheel }

var russellLuo = Peer{
	Name: "RussellLuo/timingwheel", Version: "v0.0.0-20220218152713-54845bda3108",
	Make: func() (wheeltest.Timers, error) {
		w := timingwheel.NewTimingWheel(millisecond, 20)
		w.Start()
		return russellLuoTimers{w}, nil
	},
	Options: []wheeltest.Option{wheeltest.Slots(20)},
	Breaks:  []string{"never early", "longest", "closed", "panic"},
}

func (r russellLuoTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	return r.w.AfterFunc(d, f), nil
}
func (r russellLuoTimers) Stop(h wheeltest.Handle) bool { return h.(*timingwheel.Timer).Stop() }
func (r russellLuoTimers) Pending() int                 { return wheeltest.Unknown }
func (r russellLuoTimers) Tick() time.Duration          { return millisecond }
func (r russellLuoTimers) Close()                       { r.w.Stop() }

// every is a timingwheel.Scheduler, which determines the due times of a repeating timer. It makes
// the timer run a given number of times, at a fixed interval.
type every struct {
	d    time.Duration // the interval
	left atomic.Int64  // number of runs left
}

func (e *every) Next(prev time.Time) time.Time {
	if e.left.Add(-1) < 0 {
		return time.Time{}
	}
	return prev.Add(e.d)
}

func (r russellLuoTimers) Every(d time.Duration, times int, f func()) (wheeltest.Handle, error) {
	e := &every{d: d}
	e.left.Store(int64(times))
	if times < 0 {
		e.left.Store(1 << 60)
	}
	return r.w.ScheduleFunc(e, f), nil
}
