package peers

import (
	"sync"
	"time"

	"github.com/siddontang/go/timingwheel"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// siddontangTimers adapts the timingwheel of siddontang/go. For each timer it starts a goroutine that waits for the
// library's channel and then calls the function. The library has no Stop, so properties that need Stop are skipped.
type siddontangTimers struct {
	w    *timingwheel.TimingWheel
	once *sync.Once // makes a second call to Close do nothing
}

var siddontang = Peer{
	Name: "siddontang/go timingwheel", Version: "v0.0.0-20180604090527-bdc77568d726",
	Make: func() (wheeltest.Timers, error) {
		return siddontangTimers{timingwheel.NewTimingWheel(10*millisecond, 4000), new(sync.Once)}, nil
	},
	Options: append(unclaimed("it has channels only, and no Stop", "stop", "stop after firing", "pauses", "calls from a function", "close from a function", "panic",
		"slow function", "closed", "goroutines", "memory", "random operations", "stop against firing", "longest"), wheeltest.Slots(4000)),
	Breaks: []string{"never early", "stall"},
}

func (s siddontangTimers) AfterFunc(d time.Duration, f func()) (wheeltest.Handle, error) {
	c := s.w.After(d)
	go func() {
		<-c
		f()
	}()
	return nil, nil
}
func (s siddontangTimers) Stop(wheeltest.Handle) bool { return false }
func (s siddontangTimers) Pending() int               { return wheeltest.Unknown }
func (s siddontangTimers) Tick() time.Duration        { return 10 * millisecond }
func (s siddontangTimers) Close()                     { s.once.Do(s.w.Stop) }
