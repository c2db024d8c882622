package rediswheel

import (
	"context"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// A worker whose Redis hangs stops within its grace and a moment, with calls under way or without. What it held
// is called later, at the same attempt.
func TestStopsWhileRedisHangs(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]time.Duration{"busy": time.Minute, "done": 300 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ctx := redistest.Start(t), context.Background()
			w := open(t, s.Client(), 1)
			addSome(t, w, 8)
			own := must(Connect(ctx, s.Addr, ""))(t).(*goredis.Client)
			t.Cleanup(func() { _ = own.Close() })
			d := &diary{}
			_, stop := startWorker(t, open(t, own, 1), WorkerOptions{Concurrency: 4, Grace: 2 * time.Second, Handlers: noting(d, takes)})
			eventually(t, "calls are under way", func() bool { return must(w.Stats(ctx))(t).InFlight >= 4 })
			resume := suspend(t, s.Client())
			time.Sleep(400 * time.Millisecond)
			began := time.Now()
			stop()
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("stopped after %v", took)
			}
			resume()
			if st := must(w.Stats(ctx))(t); st.Waiting+st.InFlight+st.Retrying+st.Done != 8 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// A claim whose answer is lost as the worker stops is given back: no task waits for its lease.
func TestLostClaimIsGivenBackAtTheEnd(t *testing.T) {
	ctx, w := context.Background(), open(t, embedded(t), 1)
	addSome(t, w, 3)
	worker := must(NewWorker(w, WorkerOptions{Handlers: noting(&diary{}, 0)}))(t)
	h := worker.holders[0]
	must(h.shard.ClaimFor(ctx, ClaimRequest{Limit: 3, Lease: time.Minute, Worker: worker.id, Nonce: h.nonce, Handlers: worker.handlers}))(t)
	h.again = true
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	worker.deliver(stopped, ctx, ctx)
	for _, i := range must(w.List(ctx, Retrying, time.Time{}, 10))(t) {
		if i.Attempts != 0 || i.Reason != "its worker stopped" {
			t.Errorf("%+v", i)
		}
	}
	if st := must(w.Stats(ctx))(t); st.Retrying != 3 || st.InFlight != 0 {
		t.Errorf("%+v", st)
	}
}
