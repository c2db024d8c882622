package peers

import (
	"time"

	timewheel "github.com/rfyiamcool/go-timewheel"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

type rfyiamcoolTimers struct{ w *timewheel.TimeWheel }

var rfyiamcool = Peer{
	Name: "rfyiamcool/go-timewheel", Version: "v1.1.0",
	Make: func() (wheeltest.Timers, error) {
		w, err := timewheel.NewTimeWheel(10*millisecond, 10)
		if err == nil {
			w.Start()
		}
		return rfyiamcoolTimers{w}, err
	},
	Options: []wheeltest.Option{wheeltest.Slots(10), wheeltest.NoAnswers()},
	Breaks:  []string{"stall"},
}

func (r rfyiamcoolTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	return r.w.AfterFunc(d, f), nil
}

func (r rfyiamcoolTimers) Stop(h wheeltest.Handle) bool {
	switch h := h.(type) {
	case *timewheel.Timer:
		h.Stop()
	case *timewheel.Task:
		r.w.Remove(h)
	}
	return true
}
func (r rfyiamcoolTimers) Pending() int        { return wheeltest.Unknown }
func (r rfyiamcoolTimers) Tick() time.Duration { return 10 * millisecond }
func (r rfyiamcoolTimers) Close()              { r.w.Stop() }

func (r rfyiamcoolTimers) Reset(h wheeltest.Handle, d time.Duration) error {
	h.(*timewheel.Timer).Reset(d)
	return nil
}
