package worker

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// succeed contains a handler that always succeeds.
var succeed = map[string]Handler{"h": func(context.Context, Call) error { return nil }}

// Redis loses its data, and a program that requests another number of shards creates the wheel
// again with one. A producer and a worker that used four continue with one: every task whose
// addition succeeded is delivered, and both report the loss.
func TestWheelIsMadeAgainByAnother(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log, workerLog := context.Background(), &redistest.Journal{}, &redistest.Journal{}
		producer := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Shards: 4, Log: log.Logger()}))(t)
		startWorker(t, redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{}))(t), Options{Handlers: succeed, Log: workerLog.Logger()})
		wheeltesting.AddHandled(t, producer, "before", 8)
		redistest.Eventually(t, "the first are done", func() bool { return redistest.Must(producer.Stats(ctx))(t).Done == 8 })
		_, err := c.TxPipelined(ctx, func(p goredis.Pipeliner) error {
			p.FlushAll(ctx)
			return p.HSet(ctx, "wheel:wheel", "format", 1, "shards", 1, "id", "other").Err() // as another program creates it
		})
		if err != nil {
			t.Fatal(err)
		}
		other := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{}))(t)
		if n := other.Shards(); n != 1 {
			t.Fatalf("the wheel was made with %d shards", n)
		}
		wheeltesting.AddHandled(t, producer, "after", 40)
		task, now := rediswheel.Task{Handler: "h"}, time.Now()
		items := []rediswheel.Item{{Key: "one", Task: task, ExecuteAt: now}, {Key: "two", Task: task, ExecuteAt: now}}
		if err := producer.AddTasks(ctx, items); err != nil {
			t.Fatal(err)
		}
		redistest.Eventually(t, "all that was added since is done", func() bool { return redistest.Must(other.Stats(ctx))(t).Done == 42 })
		for who, text := range map[string]string{"producer": log.String(), "worker": workerLog.String()} {
			if strings.Count(text, "Redis has lost the wheel and its tasks") != 1 || !strings.Contains(text, "level=ERROR") {
				t.Errorf("the %s reports %q", who, text)
			}
		}
		if got := producer.Losses(); got.Data != 1 || producer.Shards() != 1 {
			t.Errorf("%+v, %d shards", got, producer.Shards())
		}
	})
}

// Tasks that are added after Redis has lost its data are called at once, also while an earlier call runs.
func TestRunningCallsDoNotHoldUpANewLayout(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 2)
		began, finish := make(chan struct{}), make(chan struct{})
		startWorker(t, w, Options{Handlers: map[string]Handler{"h": succeed["h"], "long": func(context.Context, Call) error {
			close(began)
			<-finish
			return nil
		}}})
		defer close(finish)
		if err := w.AddTask(ctx, "k", rediswheel.Task{Handler: "long"}, time.Now()); err != nil {
			t.Fatal(err)
		}
		<-began
		if err := c.FlushAll(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		wheeltesting.AddHandled(t, w, "after", 8)
		redistest.Eventually(t, "those added since are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 8 })
	})
}

// A restart of Redis is logged as an error by the worker, and counted, even if nothing that Redis
// had saved was lost.
func TestRestartIsReported(t *testing.T) {
	server, ctx, log := redistest.StartKept(t), context.Background(), &redistest.Journal{}
	c := server.Client()
	w := wheeltesting.Open(t, c, 1)
	startWorker(t, w, Options{Handlers: succeed, Log: log.Logger()})
	wheeltesting.AddHandled(t, w, "k", 3)
	redistest.Eventually(t, "they are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 3 })
	server.Kill()
	server.Restart()
	redistest.Eventually(t, "the restart is reported", func() bool { return w.Losses().Restarts == 1 })
	if !strings.Contains(log.String(), "another Redis process answers (restart or failover): what was not saved or replicated is lost") || w.Losses().Data != 0 {
		t.Errorf("%+v, %s", w.Losses(), log)
	}
}

// Nothing is claimed from a paused wheel until it is resumed.
func TestPausedWheel(t *testing.T) {
	ctx, c, log := context.Background(), redistest.Embedded(t), &redistest.Journal{}
	w := wheeltesting.Open(t, c, 2)
	redistest.Must(c.HSet(ctx, "wheel:wheel", "paused", 1).Result())(t)
	startWorker(t, w, Options{Handlers: succeed, Log: log.Logger()})
	redistest.Eventually(t, "the worker has noticed", func() bool { return strings.Contains(log.String(), "is paused") })
	time.Sleep(2 * PollDefault) // so that a claim sent before is answered
	wheeltesting.AddHandled(t, w, "k", 5)
	time.Sleep(3 * PollDefault)
	if st := redistest.Must(w.Stats(ctx))(t); st.Waiting != 5 {
		t.Errorf("claimed while paused: %+v", st)
	}
	redistest.Must(c.HDel(ctx, "wheel:wheel", "paused").Result())(t)
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 5 })
}

// A worker that starts while the wheel is paused calls no task, although it has not read the pause yet.
func TestStartsWhilePaused(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 2)
		wheeltesting.AddHandled(t, w, "k", 20)
		if err := w.SetPaused(ctx, true); err != nil {
			t.Fatal(err)
		}
		for _, s := range engine.Of(w).Shards() {
			if claim := redistest.Must(s.Claim(ctx, 10, time.Minute))(t); len(claim.Tasks) > 0 {
				t.Errorf("%d tasks of a paused shard were claimed", len(claim.Tasks))
			}
		}
		var calls atomic.Int64
		startWorker(t, w, Options{Handlers: map[string]Handler{"h": func(context.Context, Call) error { calls.Add(1); return nil }}})
		time.Sleep(300 * time.Millisecond)
		if n := calls.Load(); n > 0 {
			t.Errorf("%d tasks were called", n)
		}
		if err := w.SetPaused(ctx, false); err != nil {
			t.Fatal(err)
		}
		redistest.Eventually(t, "they are called", func() bool { return calls.Load() == 20 })
	})
}
