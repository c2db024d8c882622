package worker

import (
	"context"
	"errors"
	"fmt"
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

// errDead is the error that the client of a dead worker returns. None of its commands reach Redis.
var errDead = errors.New("its worker is dead")

// killableWorker is a worker that a task with the key "killer" kills together with its other running
// tasks.
type killableWorker struct {
	dead atomic.Bool
	died chan struct{}
}

// startKillableWorker starts a killableWorker. The other tasks succeed unless they run at the same time as
// the killer.
func startKillableWorker(t *testing.T, m *miniredis.Miniredis, besideKiller func() bool, attempts int) *killableWorker {
	t.Helper()
	w := &killableWorker{died: make(chan struct{})}
	c := goredis.NewClient(&goredis.Options{Addr: m.Addr()})
	t.Cleanup(func() { _ = c.Close() })
	c.AddHook(redistest.Gate{Before: func(goredis.Cmder) error {
		if w.dead.Load() {
			return errDead
		}
		return nil
	}})
	startWorker(t, wheeltesting.Open(t, c, 0), Options{Attempts: attempts, Grace: time.Millisecond, Handlers: map[string]Handler{
		"h": func(ctx context.Context, c Call) error {
			if c.Key == "killer" {
				w.dead.Store(true)
				close(w.died)
			}
			for besideKiller() && !w.dead.Load() {
				time.Sleep(time.Millisecond)
			}
			return ctx.Err()
		}}})
	t.Cleanup(func() { w.dead.Store(false) }) // so that it can stop; its commands come too late
	return w
}

// A task that kills its workers becomes a dead task. The tasks that were in flight with it do not:
// they are claimed one by one, over all shards.
func TestKillerDoesNotEndOthers(t *testing.T) {
	const attempts = 3
	for _, shards := range []int{1, 4} {
		t.Run(fmt.Sprint(shards), func(t *testing.T) {
			_, dead := killWorkers(t, shards, attempts)
			if dead.Attempts != attempts+1 {
				t.Errorf("given up: %+v", dead)
			}
		})
	}
}

// A task that kills its workers becomes a dead task after as many deaths as it has attempts.
func TestKillerBecomesDead(t *testing.T) {
	const attempts = 6
	for _, shards := range []int{1, 4} {
		t.Run(fmt.Sprint(shards), func(t *testing.T) {
			deaths, dead := killWorkers(t, shards, attempts)
			if deaths != attempts || dead.Attempts != deaths+1 {
				t.Errorf("given up after %d deaths, %d were expected: %+v", deaths, attempts, dead)
			}
			if want := fmt.Sprintf("attempted %d times; its worker ended in each of the last %d", attempts, attempts); dead.Reason != want {
				t.Errorf("%q, expected %q", dead.Reason, want)
			}
		})
	}
}

// killWorkers adds a task that kills its worker, and 20 others, and starts workers until all tasks
// have ended, the others with success. It returns how many workers died, and the task that killed
// them.
func killWorkers(t *testing.T, shards, attempts int) (deaths int, killer rediswheel.Info) {
	t.Helper()
	m := miniredis.RunT(t)
	now := time.Now()
	m.SetTime(now)
	direct := goredis.NewClient(&goredis.Options{Addr: m.Addr()})
	t.Cleanup(func() { _ = direct.Close() })
	ctx, w := context.Background(), wheeltesting.Open(t, direct, shards)
	addHandlerTasks(t, w, 20)
	if err := w.AddTask(ctx, "killer", rediswheel.Task{Handler: "h"}, now.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	var clock atomic.Int64
	clock.Store(now.UnixMilli())
	besideKiller := func() bool {
		i, ok, err := w.Get(ctx, "killer")
		return err != nil || ok && i.State == rediswheel.InFlight && i.At.UnixMilli() > clock.Load()
	}
	for ; ; deaths++ {
		worker := startKillableWorker(t, m, besideKiller, attempts)
		ended := func() bool { st := redistest.Must(w.Stats(ctx))(t); return st.Done+st.Dead == 21 }
		redistest.Eventually(t, "an end", func() bool { return ended() || worker.dead.Load() })
		if !worker.dead.Load() {
			break
		}
		<-worker.died
		now = now.Add(2 * LeaseDefault) // the leases of the dead worker lapse
		m.SetTime(now)
		for _, s := range engine.Of(w).Shards() { // the next worker would wait for others that may be alive
			wheeltesting.ExpectKeys(t, redistest.Must(s.ClaimFor(ctx, engine.ClaimRequest{Limit: 1, Worker: "w", Lease: LeaseDefault, Nonce: 1}))(t))
		}
		now = now.Add(2 * time.Second)
		clock.Store(now.UnixMilli())
		m.SetTime(now)
	}
	dead := redistest.Must(w.List(ctx, rediswheel.Dead, time.Time{}, 30))(t)
	if len(dead) != 1 || dead[0].Key != "killer" {
		t.Fatalf("given up: %+v", dead)
	}
	return deaths, dead[0]
}
