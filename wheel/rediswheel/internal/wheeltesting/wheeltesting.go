// Package wheeltesting provides helpers for tests of a wheel on Redis and of its workers: tasks, wheels in
// some state, and a shard whose clock the test sets.
package wheeltesting

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// Open opens, and if necessary creates, the wheel with the default name and the given number of shards.
func Open(t testing.TB, c goredis.UniversalClient, shards int) *rediswheel.Wheel {
	t.Helper()
	return redistest.Must(rediswheel.Open(context.Background(), c, rediswheel.Options{Shards: shards}))(t)
}

// Post is a valid task that is delivered by an HTTP POST request.
var Post = rediswheel.Task{URL: "https://example.org/x", Body: []byte("b")}

// Entry returns a task with the given key. due is a Unix time in milliseconds.
func Entry(key string, due int64) engine.Entry {
	t := rediswheel.Task{URL: "http://example.org/" + key}
	return engine.Entry{Key: key, Due: due, Record: t.Record(due)}
}

// Big returns a task for the handler "h" with a body of the maximum length. due is a Unix time in milliseconds.
func Big(key string, due int64) engine.Entry {
	t := rediswheel.Task{Handler: "h", Body: make([]byte, rediswheel.BodyMax)}
	return engine.Entry{Key: key, Due: due, Record: t.Record(due)}
}

// KeysOf returns the keys of the tasks in claim c, in the order of c.Tasks.
func KeysOf(c engine.Claim) []string {
	var keys []string
	for _, task := range c.Tasks {
		keys = append(keys, task.Key)
	}
	return keys
}

// ExpectKeys fails the test unless the keys of the tasks in claim c, in the order of c.Tasks, are want.
func ExpectKeys(t testing.TB, c engine.Claim, want ...string) {
	t.Helper()
	if got := KeysOf(c); !slices.Equal(got, want) {
		t.Fatalf("claimed %q, want %q", got, want)
	}
}

// AddHandled adds n tasks that are due now, for the handler "h". Their keys are prefix followed by 0, 1 and so on.
func AddHandled(t testing.TB, w *rediswheel.Wheel, prefix string, n int) {
	t.Helper()
	for i := range n {
		if err := w.AddTask(context.Background(), fmt.Sprint(prefix, i), rediswheel.Task{Handler: "h"}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// AddDead adds n tasks with the keys k0, k1 and so on, and marks them as dead. The host of the URL and
// the reason for the failure depend on whether the number in the key is even or odd.
func AddDead(t testing.TB, w *rediswheel.Wheel, n int) {
	t.Helper()
	ctx := context.Background()
	for i := range n {
		key := fmt.Sprint("k", i)
		task := rediswheel.Task{URL: fmt.Sprintf("https://user:secret@host%d.example:8443/x", i%2), Body: []byte(strings.Repeat("b", 1000))}
		if err := w.AddTask(ctx, key, task, time.UnixMilli(1)); err != nil {
			t.Fatal(err)
		}
		s := ShardOf(t, w, key)
		c := redistest.Must(s.Claim(ctx, 1, time.Minute))(t)
		redistest.Must(s.MarkDead(ctx, 0, []engine.Failed{{ClaimID: c.Tasks[0].ClaimID, Reason: []string{"answered 500", "answered 404"}[i%2]}}))(t)
	}
}

// Clockwork is a shard on an embedded server whose clock the test sets.
type Clockwork struct {
	engine.Shard
	Server *miniredis.Miniredis
	Now    int64 // time of the server's clock, a Unix time in milliseconds; changed by Set
}

// NewClockwork starts an embedded server and returns a shard on it. The clock initially shows a time in 2023.
func NewClockwork(t testing.TB) *Clockwork {
	t.Helper()
	m := miniredis.RunT(t)
	c := goredis.NewClient(&goredis.Options{Addr: m.Addr()})
	t.Cleanup(func() { _ = c.Close() })
	w := &Clockwork{Shard: engine.Shard{Redis: c, Prefix: "w{0}"}, Server: m}
	w.Set(1_700_000_000_000)
	return w
}

// Set sets the clock to ms, a Unix time in milliseconds.
func (w *Clockwork) Set(ms int64) {
	w.Now = ms
	w.Server.SetTime(time.UnixMilli(ms))
}

// Lapsing claims up to 10 tasks, sets the clock forward so that their leases lapse, and returns the tasks. It makes the
// claim with request r, except for the fields Limit, Lease, Worker and Nonce, which it sets itself.
func (w *Clockwork) Lapsing(t testing.TB, r engine.ClaimRequest) []engine.Claimed {
	t.Helper()
	r.Limit, r.Lease, r.Worker, r.Nonce = 10, time.Millisecond, "w", w.Now
	tasks := redistest.Must(w.ClaimFor(context.Background(), r))(t).Tasks
	w.Set(w.Now + 100)
	return tasks
}

// ShardOf returns the shard of w that has the task with the given key.
func ShardOf(t testing.TB, w *rediswheel.Wheel, key string) engine.Shard {
	t.Helper()
	for _, s := range engine.Of(w).Shards() {
		_, found, err := s.Get(context.Background(), key)
		if err != nil {
			t.Fatal(err)
		}
		if found {
			return s
		}
	}
	t.Fatalf("no task %q", key)
	return engine.Shard{}
}

// List returns up to limit tasks of shard s in the given state that follow the position after, ordered by time
// (Found.At) and key.
func List(ctx context.Context, s engine.Shard, state rediswheel.State, after engine.Position, limit int) (all []engine.Found, err error) {
	for more := true; more && len(all) < limit; {
		var list []engine.Found
		if list, after, more, err = s.Scan(ctx, &engine.Scan{State: string(state), View: "full"}, after, limit-len(all)); err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}
