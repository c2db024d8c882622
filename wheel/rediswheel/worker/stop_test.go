package worker

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A worker whose Redis hangs stops soon after its grace period, with or without running calls. The
// tasks that it held are called later, with the same attempt number.
func TestStopsWhileRedisHangs(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]time.Duration{"busy": time.Minute, "done": 300 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ctx := redistest.Start(t), context.Background()
			w := wheeltesting.Open(t, s.Client(), 1)
			addHandlerTasks(t, w, 8)
			own := redistest.Must(rediswheel.Connect(ctx, s.Addr, ""))(t).(*goredis.Client)
			t.Cleanup(func() { _ = own.Close() })
			d := &callRecorder{}
			_, stop := startWorker(t, wheeltesting.Open(t, own, 1), Options{Concurrency: 4, PerHost: 4, Grace: 2 * time.Second, Handlers: recordingHandler(d, takes)})
			redistest.Eventually(t, "calls are under way", func() bool { return redistest.Must(w.Stats(ctx))(t).InFlight >= 4 })
			resume := suspend(t, s.Client())
			time.Sleep(400 * time.Millisecond)
			began := time.Now()
			stop()
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("stopped after %v", took)
			}
			resume()
			if st := redistest.Must(w.Stats(ctx))(t); st.Waiting+st.InFlight+st.Retrying+st.Done != 8 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// A claim whose reply is lost while the worker stops is given back: no task waits for its lease to
// lapse.
func TestLostClaimIsGivenBackAtTheEnd(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	addHandlerTasks(t, w, 3)
	worker := redistest.Must(New(w, Options{Handlers: recordingHandler(&callRecorder{}, 0)}))(t)
	h := (*worker.keepers.Load())[0]
	redistest.Must(h.shard.ClaimFor(ctx, engine.ClaimRequest{Limit: 3, Lease: time.Minute, Worker: worker.id, Nonce: h.nonce, Handlers: worker.handlers}))(t)
	h.resend = true
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	var running sync.WaitGroup
	h.ctx, worker.pool.run = stopped, func(j *job) { worker.attempt(ctx, j) }
	worker.deliver(stopped, ctx, &running)
	running.Wait()
	worker.pool.close()
	for _, i := range redistest.Must(w.List(ctx, rediswheel.Retrying, time.Time{}, 10))(t) {
		if i.Attempts != 0 || i.Reason != "its worker stopped" {
			t.Errorf("%+v", i)
		}
	}
	if st := redistest.Must(w.Stats(ctx))(t); st.Retrying != 3 || st.InFlight != 0 {
		t.Errorf("%+v", st)
	}
}

// A handler that ends its goroutine has failed, and its slot is free again.
func TestHandlerThatExits(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	handlers := map[string]Handler{"h": succeed["h"], "exit": func(context.Context, Call) error { runtime.Goexit(); return nil }}
	_, stop := startWorker(t, w, Options{Concurrency: 1, Handlers: handlers})
	if err := w.AddTask(ctx, "exits", rediswheel.Task{Handler: "exit", MaxAttempts: 1}, time.Now()); err != nil {
		t.Fatal(err)
	}
	redistest.Eventually(t, "it has failed", func() bool {
		i, _, err := w.Get(ctx, "exits")
		return err == nil && i.State == rediswheel.Dead && i.Reason == errGoexit.Error()
	})
	wheeltesting.AddHandled(t, w, "k", 3)
	redistest.Eventually(t, "others are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 3 })
	stop()
}

// A worker whose handler ignores its context stops within Grace and a second, also while Redis hangs, and another
// worker gets the task.
func TestStopsDespiteItsHandler(t *testing.T) {
	t.Parallel()
	for _, hangs := range []bool{false, true} {
		s, ctx := redistest.Start(t), context.Background()
		w := wheeltesting.Open(t, s.Client(), 1)
		own := redistest.Must(rediswheel.Connect(ctx, s.Addr, ""))(t)
		t.Cleanup(func() { _ = own.Close() })
		handlers, began, finish := blocking()
		t.Cleanup(func() { close(finish) })
		_, stop := startWorker(t, wheeltesting.Open(t, own, 1), Options{Handlers: handlers, Grace: time.Millisecond, Lease: 5 * time.Second})
		addHandlerTasks(t, w, 1)
		<-began
		resume := func() {}
		if hangs {
			resume = suspend(t, s.Client())
		}
		start := time.Now()
		stop()
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("Redis hangs: %v: stopped after %v", hangs, took)
		}
		resume()
		startWorker(t, w, Options{Handlers: succeed})
		redistest.Eventually(t, "another worker calls it", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 1 })
	}
}
