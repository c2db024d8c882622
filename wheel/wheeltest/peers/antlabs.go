package peers

import (
	"time"

	"github.com/antlabs/timer"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

type antlabsTimers struct{ t timer.Timer }

var antlabs = Peer{
	Name: "antlabs/timer (wheel)", Version: "v0.1.4",
	Make: func() (wheeltest.Timers, error) {
		t := timer.NewTimer(timer.WithTimeWheel())
		go t.Run()
		return antlabsTimers{t}, nil
	},
	Breaks: []string{"not positive", "reset into the same slot", "panic"},
}

func (a antlabsTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	return a.t.AfterFunc(d, f), nil
}
func (a antlabsTimers) Stop(h wheeltest.Handle) bool { return h.(timer.TimeNoder).Stop() }
func (a antlabsTimers) Pending() int                 { return wheeltest.Unknown }
func (a antlabsTimers) Tick() time.Duration          { return 10 * millisecond }
func (a antlabsTimers) Close()                       { a.t.Stop() }

func (a antlabsTimers) Reset(h wheeltest.Handle, d time.Duration) error {
	h.(timer.TimeNoder).Reset(d)
	return nil
}
