package rediswheel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// addVariedTasks adds tasks in every state except in flight to a wheel, and returns the tasks that it
// then lists.
func addVariedTasks(t *testing.T, w *rediswheel.Wheel) []rediswheel.Info {
	t.Helper()
	ctx := context.Background()
	for i := range 60 {
		if err := w.AddTask(ctx, fmt.Sprint("late", i), rediswheel.Task{Handler: "h", Body: []byte(fmt.Sprint(i))}, time.UnixMilli(int64(i)*30_000)); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range w.Shards() {
		c := redistest.Must(s.Claim(ctx, 3, time.Minute))(t)
		if len(c.Tasks) != 3 {
			t.Fatalf("shard %d: %d tasks claimed", i, len(c.Tasks))
		}
		redistest.Must(s.MarkDead(ctx, 0, []rediswheel.Failed{{ClaimID: c.Tasks[0].ClaimID, Reason: "dead of it"}}))(t)
		redistest.Must(s.Later(ctx, rediswheel.Retried, []rediswheel.Failed{{ClaimID: c.Tasks[1].ClaimID, Wait: time.Hour, Reason: "failed"}}))(t)
		redistest.Must(s.Ack(ctx, []rediswheel.ClaimID{c.Tasks[2].ClaimID}, []rediswheel.Count{{"late:3", 1}}))(t)
	}
	return everything(t, w)
}

// everything lists the tasks of all states.
func everything(t *testing.T, w *rediswheel.Wheel) []rediswheel.Info {
	t.Helper()
	var all []rediswheel.Info
	for _, state := range rediswheel.States {
		all = append(all, redistest.Must(w.List(context.Background(), state, time.Time{}, rediswheel.ListMax))(t)...)
	}
	return all
}

func sameTasks(a, b []rediswheel.Info) bool {
	return slices.EqualFunc(a, b, func(x, y rediswheel.Info) bool { return fmt.Sprintf("%+v", x) == fmt.Sprintf("%+v", y) })
}

// A paused wheel of an older program is moved to another number of shards and back, with all tasks,
// states and counters. A producer and a worker that have it open continue.
func TestReshard(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log := context.Background(), &redistest.Journal{}
		redistest.Must(c.HSet(ctx, "wheel:wheel", "shards", 3).Result())(t)
		producer := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Log: log.Logger()}))(t)
		before := addVariedTasks(t, producer)
		stats := redistest.Must(producer.Stats(ctx))(t)
		redistest.ExpectLine(t, producer.Reshard(ctx, 3, nil), rediswheel.ErrInput, "the wheel is not paused")
		if err := producer.SetPaused(ctx, true); err != nil {
			t.Fatal(err)
		}
		for _, shards := range []int{3, 7, 1} {
			var moved int64
			if err := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Existing: true}))(t).Reshard(ctx, shards, func(n int64) { moved = n }); err != nil {
				t.Fatal(err)
			}
			w := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{}))(t)
			got := redistest.Must(w.Stats(ctx))(t)
			got.Now, got.Minutes, got.MinutesAll, stats.Now, stats.Minutes, stats.MinutesAll = 0, nil, 0, 0, nil, 0
			if after := everything(t, w); !sameTasks(before, after) || moved != int64(len(before)) || len(w.Shards()) != shards {
				t.Fatalf("%d shards: %d tasks of %d, %d moved", len(w.Shards()), len(after), len(before), moved)
			}
			if fmt.Sprint(got) != fmt.Sprint(stats) {
				t.Errorf("%d shards: %+v, want %+v", shards, got, stats)
			}
			for _, key := range redistest.Must(c.Keys(ctx, "wheel{*").Result())(t) {
				if !slices.ContainsFunc(w.Shards(), func(s rediswheel.Shard) bool { return strings.HasPrefix(key, s.Prefix+":") }) {
					t.Errorf("%d shards: %q is left", shards, key)
				}
			}
		}
		redistest.ExpectLine(t, producer.Reshard(ctx, 1, nil), rediswheel.ErrInput, "the wheel has 1 shards already")
		if st := redistest.Must(producer.Stats(ctx))(t); st.Dead != stats.Dead || st.Waiting != stats.Waiting {
			t.Errorf("a program that had the wheel open reads %+v", st)
		}
		wheeltesting.AddHandled(t, producer, "new", 5)
		if producer.Losses().Data != 0 || !strings.Contains(log.String(), "the wheel has been moved to another layout") {
			t.Errorf("%+v, %s", producer.Losses(), log)
		}
		if err := producer.SetPaused(ctx, false); err != nil {
			t.Fatal(err)
		}
		serve(t, producer)
		redistest.Eventually(t, "all that is due is done", func() bool {
			return redistest.Must(producer.Stats(ctx))(t).Done == stats.Done+stats.Waiting+5
		})
	})
}

// A wheel with a task in flight is not moved, and continues as before.
func TestReshardInFlight(t *testing.T) {
	ctx, c := context.Background(), redistest.Embedded(t)
	w := wheeltesting.Open(t, c, 2)
	wheeltesting.AddHandled(t, w, "k", 10)
	redistest.Must(w.Shards()[0].Claim(ctx, 1, time.Minute))(t)
	if err := w.SetPaused(ctx, true); err != nil {
		t.Fatal(err)
	}
	redistest.ExpectLine(t, w.Reshard(ctx, 5, nil), rediswheel.ErrRefused, "1 tasks are in flight")
	redistest.ExpectLine(t, w.Reshard(ctx, rediswheel.ShardsMax+1, nil), rediswheel.ErrInput, "shards: 65, expected 1 to 64")
	wheeltesting.AddHandled(t, w, "more", 10)
	redistest.Must(c.Set(ctx, "wheel:mover", "another", time.Minute).Result())(t)
	redistest.ExpectLine(t, w.Reshard(ctx, 5, nil), rediswheel.ErrRefused, "another program is moving the wheel")
}

// A move that was interrupted after any of its commands is completed by the next move, and no task
// is missing or duplicated.
func TestReshardIsInterrupted(t *testing.T) {
	for after := 1; ; after += 3 {
		ctx, c := context.Background(), redistest.Embedded(t)
		w := wheeltesting.Open(t, c, 3)
		before := addVariedTasks(t, w)
		if err := w.SetPaused(ctx, true); err != nil {
			t.Fatal(err)
		}
		n := 0
		broken := goredis.NewClient(&goredis.Options{Addr: c.Options().Addr})
		t.Cleanup(func() { _ = broken.Close() })
		other := redistest.Must(rediswheel.Open(ctx, broken, rediswheel.Options{}))(t)
		broken.AddHook(redistest.Gate{Before: func(goredis.Cmder) error {
			if n++; n > after {
				return errors.New("the mover has died")
			}
			return nil
		}})
		err := other.Reshard(ctx, 5, nil)
		redistest.Must(c.Del(ctx, "wheel:mover").Result())(t) // it lapses
		d := redistest.Must(w.Describe(ctx))(t)
		if d.Moving {
			redistest.ExpectLine(t, w.AddTask(ctx, "k", wheeltesting.Post, time.Now()), rediswheel.ErrRefused, "the wheel is being moved")
			redistest.ExpectLine(t, w.Reshard(ctx, 4, nil), rediswheel.ErrInput, "a move to 5 shards was interrupted")
		}
		if again := w.Reshard(ctx, 5, nil); again != nil && d.Shards != 5 {
			t.Fatalf("after %d commands: %v", after, again)
		}
		now := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{}))(t)
		if all := everything(t, now); !sameTasks(before, all) || len(now.Shards()) != 5 {
			t.Fatalf("after %d commands: %d tasks of %d, %d shards", after, len(all), len(before), len(now.Shards()))
		}
		if left := redistest.Must(c.Keys(ctx, "wheel{wheel.3.*").Result())(t); len(left) > 0 {
			t.Fatalf("after %d commands: left %q", after, left)
		}
		if err == nil {
			return
		}
	}
}

// serve runs a worker that has the handler "h", until the test ends.
func serve(t *testing.T, w *rediswheel.Wheel) {
	t.Helper()
	wk := redistest.Must(worker.New(w, worker.Options{Handlers: map[string]worker.Handler{"h": func(context.Context, worker.Call) error { return nil }}}))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- wk.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
