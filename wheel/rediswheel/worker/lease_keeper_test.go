package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// blocking is a handler that reports its calls and returns when it is released.
func blocking() (handlers map[string]Handler, began chan string, finish chan struct{}) {
	began, finish = make(chan string, 1000), make(chan struct{})
	return map[string]Handler{"h": func(_ context.Context, c Call) error {
		began <- c.Key
		<-finish
		return nil
	}}, began, finish
}

// addHandlerTasks adds n tasks for that handler, due one after another.
func addHandlerTasks(t *testing.T, w *rediswheel.Wheel, n int) {
	t.Helper()
	var items []rediswheel.Item
	start := time.Now().Add(-time.Minute)
	for i := range n {
		items = append(items, rediswheel.Item{Key: fmt.Sprint("k", i), Task: rediswheel.Task{Handler: "h"}, ExecuteAt: start.Add(time.Duration(i) * time.Millisecond)})
	}
	if err := w.AddTasks(context.Background(), items); err != nil {
		t.Fatal(err)
	}
}

// A worker holds no more tasks, over all shards, than it can call at a time, so that other workers
// find tasks.
func TestHeldOverAllShards(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 8)
	addHandlerTasks(t, w, 200)
	handlers, began, finish := blocking()
	_, stop := startWorker(t, w, Options{Concurrency: 4, PerHost: 4, Handlers: handlers})
	for range 4 {
		<-began
	}
	time.Sleep(50 * time.Millisecond) // ten more polls
	if n := redistest.Must(w.Stats(ctx))(t).InFlight; n != 4 {
		t.Errorf("%d tasks are held by a worker of 4 calls", n)
	}
	close(finish)
	stop()
	if st := redistest.Must(w.Stats(ctx))(t); st.InFlight != 0 {
		t.Errorf("after the stop: %+v", st)
	}
}

// If there are more shards than concurrent calls, each shard is still served.
func TestMoreShardsThanCalls(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 16)
	addHandlerTasks(t, w, 100)
	startWorker(t, w, Options{Concurrency: 1, Handlers: map[string]Handler{"h": func(context.Context, Call) error { return nil }}})
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 100 })
}

// Over a slow link, tasks with long bodies are claimed only once: no reply to a claim is so long
// that it times out.
func TestLongBodiesOverASlowLink(t *testing.T) {
	s := redistest.Start(t)
	proxy, direct := redistest.StartProxy(t, s.Addr), wheeltesting.Open(t, s.Client(), 1)
	through := goredis.NewClient(&goredis.Options{Addr: proxy.Addr, ReadTimeout: time.Second})
	t.Cleanup(func() { _ = through.Close() }) // after the worker's stop
	w := wheeltesting.Open(t, through, 1)
	const tasks = 96
	for i := range tasks {
		redistest.Must(engine.Of(direct).Shards()[0].Add(context.Background(), []engine.Entry{wheeltesting.Big(fmt.Sprint("k", i), 1)}))(t)
	}
	proxy.Delay(2 * time.Millisecond) // before each 32 KiB
	d := &callRecorder{}
	startWorker(t, w, Options{Handlers: map[string]Handler{"h": func(_ context.Context, c Call) error {
		d.note(c)
		return nil
	}}})
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(direct.Stats(context.Background()))(t).Done == tasks })
	for i := range tasks {
		key := fmt.Sprint("k", i)
		if calls := d.of(key); len(calls) != 1 || calls[0].Attempt != 1 {
			t.Errorf("%s: %d calls, the first as attempt %d", key, len(calls), calls[0].Attempt)
		}
	}
}

// Over a slow link, tasks with long bodies can be added: no script call is so long that it times
// out.
func TestLongBodiesAddedOverASlowLink(t *testing.T) {
	s, ctx := redistest.Start(t), context.Background()
	proxy := redistest.StartProxy(t, s.Addr)
	through := goredis.NewClient(&goredis.Options{Addr: proxy.Addr, ReadTimeout: time.Second, MaxRetries: -1})
	defer through.Close()
	w := wheeltesting.Open(t, through, 1)
	var items []rediswheel.Item
	for i := range 96 {
		task := rediswheel.Task{Handler: "h", Body: make([]byte, rediswheel.BodyMax)}
		items = append(items, rediswheel.Item{Key: fmt.Sprint("k", i), Task: task, ExecuteAt: time.Now().Add(time.Hour)})
	}
	proxy.Delay(2 * time.Millisecond) // before each 32 KiB
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	if n := redistest.Must(w.Stats(ctx))(t).Waiting; n != 96 {
		t.Errorf("%d tasks were added", n)
	}
}

// A task whose worker was cut off from Redis for longer than its lease is not called, since
// another worker may have claimed it.
func TestLapsedBeforeItsCall(t *testing.T) {
	m := miniredis.RunT(t)
	through := goredis.NewClient(&goredis.Options{Addr: m.Addr()})
	defer through.Close()
	var cut atomic.Bool
	through.AddHook(redistest.Gate{Before: func(goredis.Cmder) error {
		if cut.Load() {
			return errors.New("cut off")
		}
		return nil
	}})
	ctx, w, log := context.Background(), wheeltesting.Open(t, through, 1), &redistest.Journal{}
	addHandlerTasks(t, w, 2)
	worker := redistest.Must(New(w, Options{Lease: LeaseMin, Log: log.Logger()}))(t)
	h := (*worker.keepers.Load())[0]
	c := redistest.Must(h.shard.Claim(ctx, 2, LeaseMin))(t)
	leases := h.take(&c, time.Now().Add(LeaseMin))
	time.Sleep(2 * recheckAfter)
	cut.Store(true)
	if h.confirm(ctx, leases[0]) {
		t.Error("a task was to be called, though its lease had lapsed")
	}
	if !strings.Contains(log.String(), "cut off") {
		t.Errorf("logged: %s", log)
	}
	cut.Store(false)
	if h.confirm(ctx, leases[1]) {
		t.Error("another task was to be called, though its lease had lapsed and was not extended")
	}
}
