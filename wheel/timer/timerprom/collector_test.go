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
	w, err := timer.New(timer.Shards(1))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Shutdown(t.Context())
	for _, key := range []string{"a", "b", "c"} {
		if err := w.Set(key, time.Hour, func() {}); err != nil {
			t.Fatal(err)
		}
	}
	w.Remove("a")
	c := timerprom.New(w, prometheus.Labels{"wheel": "sessions"})
	want := `
# HELP wheelscope_timer_cancelled_total Timers stopped, replaced or drained before they fired.
# TYPE wheelscope_timer_cancelled_total counter
wheelscope_timer_cancelled_total{wheel="sessions"} 1
# HELP wheelscope_timer_pending Timers that are armed.
# TYPE wheelscope_timer_pending gauge
wheelscope_timer_pending{wheel="sessions"} 2
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "wheelscope_timer_cancelled_total", "wheelscope_timer_pending"); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.CollectAndLint(c); err != nil || len(problems) > 0 {
		t.Error(err, problems)
	}
	if n := testutil.CollectAndCount(c); n != 10 {
		t.Errorf("%d metrics", n)
	}
}
