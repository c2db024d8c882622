package worker

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A periodic task has one pending run, after a success and after a failure for good, which is kept under a key of its
// own. A run that is tried again is the same run.
func TestPeriodic(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 4)
		var calls, running atomic.Int64
		startWorker(t, w, Options{Handlers: map[string]Handler{"h": func(_ context.Context, call Call) error {
			if running.Add(1) > 1 {
				t.Error("two runs overlap")
			}
			defer running.Add(-1)
			switch calls.Add(1) {
			case 1: // is tried again
				return errors.New("failed")
			case 3:
				return Permanent(errors.New("given up"))
			}
			return nil
		}}})
		task := rediswheel.Call("h", []byte("body"))
		task.Every = rediswheel.EveryMin
		due := time.Now().UTC().Truncate(time.Millisecond)
		if err := w.AddTask(ctx, "k", task, due); err != nil {
			t.Fatal(err)
		}
		redistest.Eventually(t, "it was called three times and once more", func() bool { return calls.Load() >= 4 })
		dead := redistest.Must(w.List(ctx, rediswheel.Dead, time.Time{}, 10))(t)
		if len(dead) != 1 || !strings.HasPrefix(dead[0].Key, "k@") || dead[0].Task.Periodic() || dead[0].Due.Sub(due)%task.Every != 0 || !strings.Contains(dead[0].Reason, "given up") {
			t.Fatalf("dead: %+v", dead)
		}
		if got, ok, err := w.Get(ctx, dead[0].Key); !ok || err != nil || got.State != rediswheel.Dead {
			t.Errorf("%+v %v %v", got, ok, err)
		}
		if removed, err := w.RemoveTask(ctx, "k"); !removed || err != nil {
			t.Errorf("removed %v, %v", removed, err)
		}
		redistest.Eventually(t, "no run is in flight", func() bool { return redistest.Must(w.Stats(ctx))(t).InFlight == 0 })
		n := calls.Load()
		time.Sleep(1500 * time.Millisecond)
		if st := redistest.Must(w.Stats(ctx))(t); calls.Load() > n+1 || st.Waiting+st.Retrying != 0 {
			t.Errorf("%d calls after the removal, %+v", calls.Load()-n, st)
		}
	})
}

// A series that is removed, or replaced, while a run is in flight does not go on with the old one.
func TestPeriodicRemovedWhileItRuns(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	began, finish := make(chan struct{}, 2), make(chan struct{})
	_, stop := startWorker(t, w, Options{Handlers: map[string]Handler{"h": func(context.Context, Call) error { began <- struct{}{}; <-finish; return nil }}})
	task := rediswheel.Call("h", nil)
	task.Every = time.Hour
	for _, key := range []string{"removed", "replaced"} {
		if err := w.AddTask(ctx, key, task, time.Now()); err != nil {
			t.Fatal(err)
		}
		<-began
	}
	at := time.Now().Add(5 * time.Hour).UTC().Truncate(time.Millisecond)
	if _, err := w.RemoveTask(ctx, "removed"); err != nil {
		t.Fatal(err)
	}
	if err := w.AddTask(ctx, "replaced", task, at); err != nil {
		t.Fatal(err)
	}
	close(finish)
	stop()
	got, there, err := w.Get(ctx, "replaced")
	_, removed, _ := w.Get(ctx, "removed")
	if !there || err != nil || !got.Due.Equal(at) || removed {
		t.Errorf("%+v %v; the removed one is there: %v", got, err, removed)
	}
}
