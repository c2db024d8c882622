package worker

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// commandsOf returns the number of commands run by a server, including those in scripts.
func commandsOf(t *testing.T, c *goredis.Client) int {
	t.Helper()
	return redistest.Must(strconv.Atoi(connect.Fields(c.Info(context.Background(), "stats").Val())["total_commands_processed"]))(t)
}

// idleMax is the limit of commands per second of idle workers, for any number of shards.
const idleMax = 100

// Three idle workers send few commands, however many shards there are.
func TestIdleWorkersAreQuiet(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 16, rediswheel.ShardsMax} {
		t.Run(fmt.Sprint(shards, " shards"), func(t *testing.T) {
			t.Parallel()
			c := redistest.Start(t).Client()
			for range 3 {
				w := wheeltesting.Open(t, c, shards)
				startWorker(t, w, Options{Poll: PollDefault, Handlers: succeed})
			}
			channel := engine.Of(wheeltesting.Open(t, c, shards)).Shards()[0].WakeChannel()
			redistest.Eventually(t, "all are subscribed", func() bool {
				return c.PubSubNumSub(context.Background(), channel).Val()[channel] == 3
			})
			rate := func(span time.Duration) float64 {
				before := commandsOf(t, c)
				time.Sleep(span)
				return float64(commandsOf(t, c)-before) / span.Seconds()
			}
			redistest.Eventually(t, "the first claims are over", func() bool { return rate(time.Second) <= idleMax })
			if n := rate(4 * time.Second); n > idleMax {
				t.Errorf("%.0f commands per second", n)
			}
		})
	}
}

// A worker with a poll interval of an hour is notified of tasks that are added, put back by a
// stopping worker, or retried.
func TestNotifications(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 3)
		var calls atomic.Int64
		fail := func(context.Context, Call) error {
			if calls.Add(1) == 1 {
				return context.DeadlineExceeded
			}
			return nil
		}
		startWorker(t, w, Options{Poll: time.Hour, Handlers: map[string]Handler{"h": succeed["h"], "fail": fail}})
		done := func(n int64) {
			t.Helper()
			redistest.Eventually(t, fmt.Sprint(n, " are done"), func() bool { return redistest.Must(w.Stats(ctx))(t).Done == n })
		}
		done(0)
		wheeltesting.AddHandled(t, w, "one", 12)
		done(12)
		var items []rediswheel.Item
		for i := range 30 {
			due := time.Now().Add(time.Duration(30-i) * 10 * time.Millisecond)
			items = append(items, rediswheel.Item{Key: fmt.Sprint("many", i), Task: rediswheel.Task{Handler: "h"}, ExecuteAt: due})
		}
		if err := w.AddTasks(ctx, items); err != nil {
			t.Fatal(err)
		}
		done(42)
		if err := w.AddTask(ctx, "fails", rediswheel.Task{Handler: "fail"}, time.Now()); err != nil {
			t.Fatal(err)
		}
		done(43)
		// A task that a stopping worker held. It is claimed before this worker is notified of it.
		if err := w.AddTask(ctx, "held", rediswheel.Task{Handler: "h"}, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		s := wheeltesting.ShardOf(t, w, "held")
		redistest.Must(c.HSet(ctx, s.Prefix+":claims", "held", "7 1 7 0 0 ").Result())(t)
		redistest.Must(c.ZRem(ctx, s.Prefix+":slice:"+redistest.Must(c.ZRange(ctx, s.Prefix+":minutes", 0, 0).Result())(t)[0], "held").Result())(t)
		redistest.Must(c.ZAdd(ctx, s.Prefix+":leases", goredis.Z{Score: 9e15, Member: "held"}).Result())(t)
		redistest.Must(s.Later(ctx, engine.Released, []engine.Failed{{ClaimID: engine.ClaimID{Key: "held", Token: 7}}}))(t)
		done(44)
	})
}

// An idle worker is in time for the retry of a task whose worker has ended, however many shards there are.
func TestRetryOfAnEndedWorker(t *testing.T) {
	t.Parallel()
	ctx, c := context.Background(), redistest.Start(t).Client()
	w := wheeltesting.Open(t, c, rediswheel.ShardsMax)
	if err := w.AddTask(ctx, "k", rediswheel.Task{Handler: "h"}, time.UnixMilli(1)); err != nil {
		t.Fatal(err)
	}
	s := wheeltesting.ShardOf(t, w, "k")
	claim := redistest.Must(s.Claim(ctx, 1, time.Hour))(t)
	called := make(chan time.Time, 1)
	startWorker(t, w, Options{Handlers: map[string]Handler{"h": func(context.Context, Call) error { called <- time.Now(); return nil }}})
	channel := s.WakeChannel()
	redistest.Eventually(t, "it is subscribed", func() bool { return c.PubSubNumSub(ctx, channel).Val()[channel] == 1 })
	time.Sleep(300 * time.Millisecond) // it has claimed from all shards
	const wait = 1500 * time.Millisecond
	due := time.Now().Add(wait)
	redistest.Must(s.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: claim.Tasks[0].ClaimID, Wait: wait}}))(t)
	select {
	case at := <-called:
		if late := at.Sub(due); late > 5*time.Second {
			t.Errorf("it was called %v late", late)
		}
	case <-time.After(20 * time.Second):
		t.Error("it was not called within 20 s")
	}
}

// A worker whose user may not subscribe polls.
func TestNoNotifications(t *testing.T) {
	server := redistest.Start(t)
	if err := server.Client().Do(t.Context(), "ACL", "SETUSER", "quiet", "on", ">pw", "~*", "resetchannels", "+@all").Err(); err != nil {
		t.Fatal(err)
	}
	c := redistest.Must(rediswheel.Connect(t.Context(), "redis://quiet:pw@"+server.Addr, ""))(t)
	t.Cleanup(func() { _ = c.Close() })
	w := wheeltesting.Open(t, c, rediswheel.ShardsMax)
	startWorker(t, w, Options{Handlers: succeed})
	wheeltesting.AddHandled(t, w, "k", 10)
	redistest.Eventually(t, "they are done", func() bool { return redistest.Must(w.Stats(t.Context()))(t).Done == 10 })
}

// A task of a program that may not publish notifications is found by an occasional claim. From
// then on the shard is polled.
func TestAdditionsWithoutNotification(t *testing.T) {
	c := redistest.Embedded(t)
	w := wheeltesting.Open(t, c, 1)
	n := newNotifier(engine.Of(w), 10*time.Millisecond)
	r := newRest(n, engine.Of(w).Shards()[0], time.Minute)
	if got := r.next(0, forever, true, false); got != n.poll {
		t.Errorf("without a subscription the next claim is after %v", got)
	}
	n.live.Store(true)
	const idle = -1 // the wait is from half of 750 ms to all of it
	for i, x := range []struct {
		found    int
		known    time.Duration
		suspects bool
		want     time.Duration
	}{{0, forever, true, idle}, {0, 50 * time.Millisecond, true, 50 * time.Millisecond}, {3, forever, true, idle}, {0, forever, false, n.poll},
		{0, forever, true, idle}, {1, forever, true, n.poll}, {0, forever, true, n.poll}} {
		if got := r.next(x.found, x.known, x.suspects, false); got != x.want && (x.want != idle || got < 375*time.Millisecond || got > 750*time.Millisecond) {
			t.Errorf("%d: %v, want %v", i, got, x.want)
		}
	}
	r.pollUntil = time.Time{}
	r.next(0, forever, true, false)
	r.waitInterval(context.Background())
	if got := r.next(2, forever, true, false); got < 375*time.Millisecond {
		t.Errorf("after a notification: %v", got)
	}
}
