package rediswheel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// variety adds tasks of all states but in flight to a wheel, and returns what is found there.
func variety(t *testing.T, w *Wheel) []Info {
	t.Helper()
	ctx := context.Background()
	for i := range 60 {
		if err := w.AddTask(ctx, fmt.Sprint("late", i), Task{Handler: "h", Body: []byte(fmt.Sprint(i))}, time.UnixMilli(int64(i)*30_000)); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range w.Shards() {
		c := must(s.Claim(ctx, 3, time.Minute))(t)
		if len(c.Tasks) != 3 {
			t.Fatalf("shard %d: %d tasks claimed", i, len(c.Tasks))
		}
		must(s.Bury(ctx, DeadMaxDefault, []Failed{{Hold: c.Tasks[0].Hold, Reason: "dead of it"}}))(t)
		must(s.Later(ctx, Retried, []Failed{{Hold: c.Tasks[1].Hold, Wait: time.Hour, Reason: "failed"}}))(t)
		must(s.Ack(ctx, []Hold{c.Tasks[2].Hold}, []Count{{"late:3", 1}}))(t)
	}
	return everything(t, w)
}

// everything lists the tasks of all states.
func everything(t *testing.T, w *Wheel) []Info {
	t.Helper()
	var all []Info
	for _, state := range States {
		all = append(all, must(w.List(context.Background(), state, time.Time{}, ListMax))(t)...)
	}
	return all
}

func sameTasks(a, b []Info) bool {
	return slices.EqualFunc(a, b, func(x, y Info) bool { return fmt.Sprintf("%+v", x) == fmt.Sprintf("%+v", y) })
}

// A wheel of an older program, paused, is moved to another number of shards, and back, with
// all tasks, states and counters. A producer and a worker that had it open go on.
func TestReshard(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log := context.Background(), &journal{}
		must(c.HSet(ctx, "wheel:wheel", "shards", 3).Result())(t)
		producer := must(Open(ctx, c, Options{Log: log.logger()}))(t)
		before := variety(t, producer)
		stats := must(producer.Stats(ctx))(t)
		expectLine(t, producer.Reshard(ctx, 3, nil), ErrInput, "the wheel is not paused")
		if err := producer.SetPaused(ctx, true); err != nil {
			t.Fatal(err)
		}
		for _, shards := range []int{3, 7, 1} {
			var moved int64
			if err := must(Open(ctx, c, Options{Existing: true}))(t).Reshard(ctx, shards, func(n int64) { moved = n }); err != nil {
				t.Fatal(err)
			}
			w := must(Open(ctx, c, Options{}))(t)
			got := must(w.Stats(ctx))(t)
			got.Now, got.Minutes, got.MinutesAll, stats.Now, stats.Minutes, stats.MinutesAll = 0, nil, 0, 0, nil, 0
			if after := everything(t, w); !sameTasks(before, after) || moved != int64(len(before)) || len(w.Shards()) != shards {
				t.Fatalf("%d shards: %d tasks of %d, %d moved", len(w.Shards()), len(after), len(before), moved)
			}
			if fmt.Sprint(got) != fmt.Sprint(stats) {
				t.Errorf("%d shards: %+v, want %+v", shards, got, stats)
			}
			for _, key := range must(c.Keys(ctx, "wheel{*").Result())(t) {
				if !slices.ContainsFunc(w.Shards(), func(s Shard) bool { return strings.HasPrefix(key, s.Prefix+":") }) {
					t.Errorf("%d shards: %q is left", shards, key)
				}
			}
		}
		expectLine(t, producer.Reshard(ctx, 1, nil), ErrInput, "the wheel has 1 shards already")
		if st := must(producer.Stats(ctx))(t); st.Dead != stats.Dead || st.Waiting != stats.Waiting {
			t.Errorf("a program that had the wheel open reads %+v", st)
		}
		addHandled(t, producer, "new", 5)
		if producer.Losses().Data != 0 || !strings.Contains(log.String(), "the wheel has been moved to another layout") {
			t.Errorf("%+v, %s", producer.Losses(), log)
		}
		startWorker(t, producer, WorkerOptions{Handlers: succeed})
		if err := producer.SetPaused(ctx, false); err != nil {
			t.Fatal(err)
		}
		eventually(t, "all that is due is done", func() bool {
			return must(producer.Stats(ctx))(t).Done == stats.Done+stats.Waiting+5
		})
	})
}

// With a task in flight a wheel is not moved, and goes on as before.
func TestReshardInFlight(t *testing.T) {
	ctx, c := context.Background(), embedded(t)
	w := open(t, c, 2)
	addHandled(t, w, "k", 10)
	must(w.shards[0].Claim(ctx, 1, time.Minute))(t)
	if err := w.SetPaused(ctx, true); err != nil {
		t.Fatal(err)
	}
	expectLine(t, w.Reshard(ctx, 5, nil), ErrRefused, "1 tasks are in flight")
	expectLine(t, w.Reshard(ctx, ShardsMax+1, nil), ErrInput, "shards: 65, expected 1 to 64")
	addHandled(t, w, "more", 10)
	must(c.Set(ctx, "wheel:mover", "another", time.Minute).Result())(t)
	expectLine(t, w.Reshard(ctx, 5, nil), ErrRefused, "another program moves the wheel")
}

// A move that was interrupted after any of its commands is finished by the next one, and
// no task is missing or there twice.
func TestReshardIsInterrupted(t *testing.T) {
	for after := 1; ; after += 3 {
		ctx, c := context.Background(), embedded(t)
		w := open(t, c, 3)
		before := variety(t, w)
		if err := w.SetPaused(ctx, true); err != nil {
			t.Fatal(err)
		}
		n := 0
		broken := goredis.NewClient(&goredis.Options{Addr: c.Options().Addr})
		t.Cleanup(func() { _ = broken.Close() })
		other := must(Open(ctx, broken, Options{}))(t)
		broken.AddHook(gate{func(goredis.Cmder) error {
			if n++; n > after {
				return errors.New("the mover has died")
			}
			return nil
		}})
		err := other.Reshard(ctx, 5, nil)
		must(c.Del(ctx, "wheel:mover").Result())(t) // it lapses
		d := must(w.Describe(ctx))(t)
		if d.Moving {
			expectLine(t, w.AddTask(ctx, "k", post, time.Now()), ErrRefused, "the wheel is being moved")
			expectLine(t, w.Reshard(ctx, 4, nil), ErrInput, "a move to 5 shards was interrupted")
		}
		if again := w.Reshard(ctx, 5, nil); again != nil && d.Shards != 5 {
			t.Fatalf("after %d commands: %v", after, again)
		}
		now := must(Open(ctx, c, Options{}))(t)
		if all := everything(t, now); !sameTasks(before, all) || len(now.Shards()) != 5 {
			t.Fatalf("after %d commands: %d tasks of %d, %d shards", after, len(all), len(before), len(now.Shards()))
		}
		if left := must(c.Keys(ctx, "wheel{wheel.3.*").Result())(t); len(left) > 0 {
			t.Fatalf("after %d commands: left %q", after, left)
		}
		if err == nil {
			return
		}
	}
}
