package timerhttp

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// Repeats that are started together are a herd of the recording; spread over the period they are none.
func TestHerd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // on a loaded machine, repeats that are late are scheduled for different delays
		for _, spread := range []bool{false, true} {
			testHerd(t, spread)
		}
	})
}

func testHerd(t *testing.T, spread bool) {
	w, err := timer.New(timer.WithTick(time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	source := w.Watch()
	source.Begin(watch.RecordedMax)
	const period = 100 * time.Millisecond
	for range 200 {
		var options []timer.RepeatOption
		if spread {
			options = append(options, timer.WithJitter(1))
		}
		defer w.TickFunc(period, func() {}, options...).Stop()
	}
	time.Sleep(5 * period)
	r := source.Recorded()
	source.End()
	switch found := largestHerd(&r, time.Millisecond); {
	case !spread && (found == nil || found.Timers != 200 || found.Period != period.String()):
		t.Errorf("found %v among %d operations", found, len(r.Ops))
	case spread && found != nil:
		t.Errorf("spread: found %v", found)
	}
}
