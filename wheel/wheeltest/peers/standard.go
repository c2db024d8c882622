package peers

import (
	"runtime"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// standardTimers adapts package time, with which the other implementations are compared.
type standardTimers struct{}

var standard = Peer{
	Name: "time", Version: runtime.Version(),
	Make: func() (wheeltest.Timers, error) { return standardTimers{}, nil },
	Options: append(unclaimed("package time can't be closed", "closed", "close from a function"),
		unclaimed("by its documentation a panic ends the process", "panic")...),
}

func (standardTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	return time.AfterFunc(d, f), nil
}
func (standardTimers) Stop(h wheeltest.Handle) bool { return h.(*time.Timer).Stop() }
func (standardTimers) Pending() int                 { return wheeltest.Unknown }
func (standardTimers) Tick() time.Duration          { return millisecond }
func (standardTimers) Close()                       {}

func (standardTimers) Reset(h wheeltest.Handle, d time.Duration) error {
	h.(*time.Timer).Reset(d)
	return nil
}
