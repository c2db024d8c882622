package timerprom_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/timerprom"
)

func TestCollector(t *testing.T) {
	w, err := timer.New(timer.WithShards(1))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Shutdown(t.Context())
	for range 3 {
		last := w.AfterFunc(time.Hour, func() {})
		defer last.Stop()
	}
	stopped := w.AfterFunc(time.Hour, func() {})
	stopped.Stop()
	c := timerprom.New(w, prometheus.Labels{"wheel": "sessions"})
	want := `
# HELP wheelscope_timer_canceled_total Timers stopped before they fired.
# TYPE wheelscope_timer_canceled_total counter
wheelscope_timer_canceled_total{wheel="sessions"} 1
# HELP wheelscope_timer_pending Timers that are armed.
# TYPE wheelscope_timer_pending gauge
wheelscope_timer_pending{wheel="sessions"} 3
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "wheelscope_timer_canceled_total", "wheelscope_timer_pending"); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.CollectAndLint(c); err != nil || len(problems) > 0 {
		t.Error(err, problems)
	}
	if n := testutil.CollectAndCount(c); n != 9 {
		t.Errorf("%d metrics", n)
	}
}
