package worker

import (
	"context"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A worker whose Redis hangs stops within its grace and a moment, with calls under way or without. What it held
// is called later, at the same attempt.
func TestStopsWhileRedisHangs(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]time.Duration{"busy": time.Minute, "done": 300 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ctx := redistest.Start(t), context.Background()
			w := wheeltesting.Open(t, s.Client(), 1)
			addSome(t, w, 8)
			own := redistest.Must(rediswheel.Connect(ctx, s.Addr, ""))(t).(*goredis.Client)
			t.Cleanup(func() { _ = own.Close() })
			d := &diary{}
			_, stop := startWorker(t, wheeltesting.Open(t, own, 1), Options{Concurrency: 4, Grace: 2 * time.Second, Handlers: noting(d, takes)})
			redistest.Eventually(t, "calls are under way", func() bool { return redistest.Must(w.Stats(ctx))(t).InFlight >= 4 })
			resume := suspend(t, s.Client())
			time.Sleep(400 * time.Millisecond)
			began := time.Now()
			stop()
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("stopped after %v", took)
			}
			resume()
			if st := redistest.Must(w.Stats(ctx))(t); st.Waiting+st.InFlight+st.Retrying+st.Done != 8 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// A claim whose answer is lost as the worker stops is given back: no task waits for its lease.
func TestLostClaimIsGivenBackAtTheEnd(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	addSome(t, w, 3)
	worker := redistest.Must(New(w, Options{Handlers: noting(&diary{}, 0)}))(t)
	h := worker.holders[0]
	redistest.Must(h.shard.ClaimFor(ctx, rediswheel.ClaimRequest{Limit: 3, Lease: time.Minute, Worker: worker.id, Nonce: h.nonce, Handlers: worker.handlers}))(t)
	h.again = true
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	worker.deliver(stopped, ctx, ctx)
	for _, i := range redistest.Must(w.List(ctx, rediswheel.Retrying, time.Time{}, 10))(t) {
		if i.Attempts != 0 || i.Reason != "its worker stopped" {
			t.Errorf("%+v", i)
		}
	}
	if st := redistest.Must(w.Stats(ctx))(t); st.Retrying != 3 || st.InFlight != 0 {
		t.Errorf("%+v", st)
	}
}
