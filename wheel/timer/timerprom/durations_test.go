package timerprom_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/timerprom"
)

// Every callback is observed once, including one that panics.
func TestDurations(t *testing.T) {
	d := timerprom.NewDurations(prometheus.Labels{"wheel": "sessions"})
	w, err := timer.New(timer.WithCallbackHook(d.Hook), timer.WithOnPanic(func(any, []byte) {}))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []func(){func() {}, func() { panic("a fault") }, func() { time.Sleep(2 * time.Millisecond) }} {
		w.AfterFunc(0, f)
	}
	for w.Stats().Fired < 3 {
		time.Sleep(time.Millisecond)
	}
	if err := w.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(d)
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatal(families, err)
	}
	if h := families[0].Metric[0].Histogram; h.GetSampleCount() != 3 || h.GetSampleSum() < 0.002 {
		t.Errorf("%v", h)
	}
	if problems, err := testutil.CollectAndLint(d); err != nil || len(problems) > 0 {
		t.Error(err, problems)
	}
}
