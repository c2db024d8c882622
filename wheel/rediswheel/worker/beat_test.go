package worker

import (
	"context"
	"strconv"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A running worker is listed with its counters, and no longer listed when it has stopped. A worker
// that died is listed as dead until its entry is deleted.
func TestHeartbeats(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 1)
		worker, stop := startWorker(t, w, Options{Concurrency: 7})
		workers := func() []rediswheel.WorkerInfo { return redistest.Must(w.Workers(ctx))(t) }
		redistest.Eventually(t, "the worker is listed", func() bool { return len(workers()) == 1 })
		if i := workers()[0]; !i.Live() || i.Concurrency != 7 || i.PID == 0 || time.Since(i.Started) > time.Minute {
			t.Errorf("%+v", i)
		}
		redistest.Eventually(t, "the worker is ready", func() bool { return worker.Ready() == nil })
		stop()
		if list := workers(); len(list) != 0 {
			t.Errorf("after its end: %+v", list)
		}
		long := time.Now().Add(-24*time.Hour - time.Minute).UnixMilli()
		for id, at := range map[string]int64{"old": long, "dead": time.Now().Add(-time.Minute).UnixMilli()} {
			if err := c.HSet(ctx, "wheel:workers", id, strconv.FormatInt(at, 10)+` {"host":"h","late":{"3":5,"x":1,"99":1}}`).Err(); err != nil {
				t.Fatal(err)
			}
		}
		if err := engine.Of(w).Beat(ctx, "new", &engine.Beat{Running: 2}); err != nil {
			t.Fatal(err)
		}
		list := workers()
		if len(list) != 2 || list[0].ID != "new" || list[1].ID != "dead" || list[1].Live() || list[1].Late[3] != 5 || list[0].Running != 2 {
			t.Errorf("%+v", list)
		}
	})
}

// A worker is not ready if Redis does not answer, and the error says why.
func TestReadiness(t *testing.T) {
	server := redistest.Start(t)
	w := wheeltesting.Open(t, server.Client(), 1)
	worker := redistest.Must(New(w, Options{}))(t)
	if worker.Ready() == nil {
		t.Error("ready before it runs")
	}
	server.Kill()
	ctx, cancel := context.WithCancel(t.Context())
	worker.beats.from = time.Now()
	worker.sendBeat(ctx, engine.Beat{})
	cancel()
	if err := worker.Ready(); err == nil {
		t.Error("ready without Redis")
	}
}

// The recent lateness covers the last minutes only.
func TestRecentLateness(t *testing.T) {
	var l recentLate
	start := time.Unix(6000, 0)
	for i := range 20 {
		l.note(3*time.Millisecond, start.Add(time.Duration(i)*time.Minute))
	}
	for late, want := range map[time.Duration]int64{19 * time.Minute: recentMinutes, 21 * time.Minute: recentMinutes - 2, 24 * time.Minute: 0} {
		if sum := l.sum(start.Add(late)); sum[2] != want {
			t.Errorf("after %v: %d, want %d", late, sum[2], want)
		}
	}
}
