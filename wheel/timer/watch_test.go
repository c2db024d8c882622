package timer

import (
	"runtime"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// The timers of shards that are not shown are not listed, but all are counted.
func TestOnlyWhatIsShownIsListed(t *testing.T) {
	w := make1(t, WithShards(watch.LanesShown+2), WithClock(mockClock(clock.NewMock())))
	defer w.Shutdown(t.Context())
	keys := NewKeyed[int](w)
	for k := range 600 {
		keys.AfterFunc(k, time.Hour, func(int) {})
	}
	v := &watched{wheel: w}
	v.Begin()
	defer v.End()
	if s := v.Sample(); s.Totals.Pending != 600 || s.Totals.Armed != 600 || len(s.Lanes) != watch.LanesShown {
		t.Errorf("%+v of %d lanes", s.Totals, len(s.Lanes))
	}
	for k, s := range w.shards {
		var totals watch.Totals
		l := s.sample(0, &totals, k < watch.LanesShown)
		listed := 0
		for _, p := range l.State.Places {
			listed += len(p.Entries)
		}
		if shown := k < watch.LanesShown; shown != (listed > 0) || shown != (len(l.Names) > 0) || totals.Armed == 0 {
			t.Errorf("shard %d: %d listed, %d named, %+v", k, listed, len(l.Names), totals)
		}
	}
	runtime.KeepAlive(keys) // the wheel refers to it weakly
}

// The total of scheduled timers never decreases, even when the wheel is shut down.
func TestTotalsAfterShutdown(t *testing.T) {
	w := make1(t, WithShards(1))
	v := &watched{wheel: w}
	v.Begin()
	for range 100 {
		w.AfterFunc(time.Hour, func() {})
	}
	before := v.Sample().Totals
	must(t, w.Shutdown(t.Context()))
	if after := v.Sample().Totals; before.Armed != 100 || after.Armed != 100 || after.Pending != 0 {
		t.Errorf("%+v, then %+v", before, after)
	}
}

// A wheel provided by the program is shown with its type: it has no name in the catalogue.
func TestNameOfAProvidedWheel(t *testing.T) {
	provided := func() wheel.Wheel { return &ringOfTheProgram{Wheel: provide(t)} }
	w := make1(t, WithShards(1), WithWheel(provided), WithAllowEarly())
	defer w.Shutdown(t.Context())
	if name := (&watched{wheel: w}).Info().Algorithm; name != "timer.ringOfTheProgram" {
		t.Errorf("the name is %q", name)
	}
}

type ringOfTheProgram struct{ wheel.Wheel }

func provide(t *testing.T) wheel.Wheel {
	t.Helper()
	made, err := algorithms.New("simple", nil, 0)
	must(t, err)
	return made
}
