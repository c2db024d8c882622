package redisprom_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/redisprom"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

func TestCollector(t *testing.T) {
	server := redistest.Start(t)
	w, err := rediswheel.Open(t.Context(), server.Client(), rediswheel.Options{Shards: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		at := time.Now().Add(time.Hour)
		if i < 3 {
			at = time.UnixMilli(1)
		}
		if err := w.AddTask(t.Context(), fmt.Sprint("k", i), rediswheel.Task{Handler: "h"}, at); err != nil {
			t.Fatal(err)
		}
	}
	c := redisprom.New(w)
	want := `
# HELP wheelscope_redis_up 1 if Redis has answered the last collection, 0 if not.
# TYPE wheelscope_redis_up gauge
wheelscope_redis_up{wheel="wheel"} 1
# HELP wheelscope_tasks_overdue Tasks that no worker has claimed a second after they were due, or to be tried again.
# TYPE wheelscope_tasks_overdue gauge
wheelscope_tasks_overdue{shard="0",wheel="wheel"} 2
wheelscope_tasks_overdue{shard="1",wheel="wheel"} 1
# HELP wheelscope_workers Workers that were heard of lately.
# TYPE wheelscope_workers gauge
wheelscope_workers{wheel="wheel"} 0
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "wheelscope_redis_up", "wheelscope_tasks_overdue", "wheelscope_workers"); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.CollectAndLint(c); err != nil || len(problems) > 0 {
		t.Error(err, problems)
	}
	s := engine.Of(w).Shards()[0]
	claim, err := s.Claim(t.Context(), 10, time.Minute)
	if err != nil || len(claim.Tasks) != 2 {
		t.Fatalf("%+v, %v", claim, err)
	}
	claims := []engine.ClaimID{claim.Tasks[0].ClaimID, claim.Tasks[1].ClaimID}
	if _, err := s.Ack(t.Context(), claims, []engine.Count{{Field: "late:2", N: 1}, {Field: "late:30", N: 1}, {Field: "late_ms", N: 1500}}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond) // counts are cached for a second
	r := prometheus.NewRegistry()
	r.MustRegister(c)
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(r, promhttp.HandlerOpts{}).ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	lines := answer.Body.String()
	for _, want := range []string{`_bucket{shard="0",wheel="wheel",le="0.002"} 0`, `_bucket{shard="0",wheel="wheel",le="0.004"} 1`,
		`le="4194.304"} 1`, `le="+Inf"} 2`, `_sum{shard="0",wheel="wheel"} 1.5`, `_count{shard="1",wheel="wheel"} 0`} {
		if !strings.Contains(lines, want) {
			t.Errorf("%s is missing in %s", want, lines)
		}
	}
	lossesAre := func(n int) {
		t.Helper()
		want := fmt.Sprintf(`
# HELP wheelscope_data_losses_total Times the wheel, or a part of it, was found missing in Redis.
# TYPE wheelscope_data_losses_total counter
wheelscope_data_losses_total{wheel="wheel"} %d
`, n)
		if err := testutil.CollectAndCompare(c, strings.NewReader(want), "wheelscope_data_losses_total"); err != nil {
			t.Error(err)
		}
	}
	lossesAre(0)
	if err := server.Client().FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	if err := w.AddTask(t.Context(), "after", rediswheel.Task{Handler: "h"}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	lossesAre(1)
	server.Kill()
	time.Sleep(1100 * time.Millisecond)
	const down = `
# HELP wheelscope_redis_up 1 if Redis has answered the last collection, 0 if not.
# TYPE wheelscope_redis_up gauge
wheelscope_redis_up{wheel="wheel"} 0
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(down), "wheelscope_redis_up", "wheelscope_workers", "wheelscope_tasks_waiting"); err != nil {
		t.Error(err)
	}
	lossesAre(1)
}

// The calls of a worker are counted by handler.
func TestWorkerByHandler(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := redistest.Must(rediswheel.Open(ctx, redistest.Embedded(t), rediswheel.Options{}))(t)
	if err := w.AddTask(ctx, "k", rediswheel.Call("h", nil), time.Now()); err != nil {
		t.Fatal(err)
	}
	wk := redistest.Must(worker.New(w, worker.Options{Handlers: map[string]worker.Handler{"h": func(context.Context, worker.Call) error { return nil }}}))(t)
	ended := make(chan error, 1)
	go func() { ended <- wk.Run(ctx) }()
	redistest.Eventually(t, "it is called", func() bool { return wk.Totals().Done == 1 })
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	const want = `# HELP wheelscope_worker_calls_total Calls that this worker began.
# TYPE wheelscope_worker_calls_total counter
wheelscope_worker_calls_total{handler="",wheel="wheel"} 0
wheelscope_worker_calls_total{handler="h",wheel="wheel"} 1
`
	if err := testutil.CollectAndCompare(redisprom.NewWorker(wk, w), strings.NewReader(want), "wheelscope_worker_calls_total"); err != nil {
		t.Error(err)
	}
}
