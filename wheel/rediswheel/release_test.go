package rediswheel

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/layout"
)

// deferAll claims all due tasks and puts them back for an hour because of a receiver.
func deferAll(t *testing.T, s Shard, receiver string) {
	t.Helper()
	ctx := context.Background()
	var failed []Failed
	for _, task := range must(s.Claim(ctx, 100, time.Minute))(t).Tasks {
		_, due, err := ReadRecord(task.Record)
		if err != nil {
			t.Fatal(err)
		}
		failed = append(failed, Failed{Hold: task.Hold, Wait: time.Hour, Reason: reasonOpen, Receiver: receiver, Due: due})
	}
	must(s.Later(ctx, Deferred, failed))(t)
}

// Tasks that were put back because of a receiver are released in the order in which they were due, no more at a
// time than are claimed, and without an attempt counted.
func TestRelease(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		must(s.Add(ctx, []Entry{entry("c", 3), entry("a", 1), entry("b", 2)}))(t)
		deferAll(t, s, "h")
		must(s.Add(ctx, []Entry{entry("other", 1)}))(t)
		deferAll(t, s, "o")
		expect := func(most int, want Release) {
			t.Helper()
			if got := must(s.Release(ctx, "h", most, false, reasonOpen, reasonBusy))(t); got != want {
				t.Fatalf("up to %d: %+v, want %+v", most, got, want)
			}
		}
		expect(2, Release{2, 1})
		expect(2, Release{0, 1}) // these two are due still
		claim := must(s.Claim(ctx, 10, time.Minute))(t)
		expectKeys(t, claim, "a", "b")
		for _, task := range claim.Tasks {
			if task.Attempts != 1 {
				t.Errorf("%s: attempt %d", task.Key, task.Attempts)
			}
		}
		expect(2, Release{1, 0})
		expectKeys(t, must(s.Claim(ctx, 10, time.Minute))(t), "c")
		expect(2, Release{0, 0})
		if wait := must(c.PTTL(ctx, "w{0}:deferred:o").Result())(t); wait <= backAtOpen || wait > deferredKept {
			t.Errorf("an index without new entries is kept for %v", wait)
		}
	})
}

// A release does nothing to a task that has moved on since it was put back.
func TestReleaseOfTasksThatMovedOn(t *testing.T) {
	for name, move := range map[string]func(t *testing.T, s Shard){
		"in flight": func(t *testing.T, s Shard) {
			must(s.Claim(t.Context(), 1, time.Minute))(t)
		},
		"failed": func(t *testing.T, s Shard) {
			claim := must(s.Claim(t.Context(), 1, time.Minute))(t)
			must(s.Later(t.Context(), Retried, []Failed{{Hold: claim.Tasks[0].Hold, Wait: time.Hour, Reason: "answered 503"}}))(t)
		},
		"dead": func(t *testing.T, s Shard) {
			claim := must(s.Claim(t.Context(), 1, time.Minute))(t)
			must(s.Bury(t.Context(), 0, []Failed{{Hold: claim.Tasks[0].Hold}}))(t)
		},
		"removed":  func(t *testing.T, s Shard) { must(s.Remove(t.Context(), []string{"k"}))(t) },
		"replaced": func(t *testing.T, s Shard) { must(s.Add(t.Context(), []Entry{entry("k", 1<<42)}))(t) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newClockwork(t)
			ctx, s := t.Context(), w.Shard
			must(s.Add(ctx, []Entry{entry("k", 1)}))(t)
			deferAll(t, s, "h")
			w.set(w.now + time.Hour.Milliseconds())
			move(t, s)
			before, found, err := s.Get(ctx, "k")
			if err != nil {
				t.Fatal(err)
			}
			if got := must(s.Release(ctx, "h", 10, false, reasonOpen))(t); got != (Release{}) {
				t.Errorf("released: %+v", got)
			}
			after, still, err := s.Get(ctx, "k")
			if err != nil || before != after || found != still {
				t.Errorf("%+v before, %+v after (%v)", before, after, err)
			}
		})
	}
}

// Once a receiver answers again, the tasks that two workers had put back for up to backAtOpen are called, each once.
func TestReceiverIsBack(t *testing.T) {
	ctx, w := context.Background(), open(t, embedded(t), 2)
	l := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	addr := l.Addr().String()
	_ = l.Close()
	o := WorkerOptions{Concurrency: 8, AllowPrivate: true, CallbackTime: time.Minute}
	startWorker(t, w, o)
	startWorker(t, w, o)
	const tasks = 300
	var items []Item
	for i := range tasks {
		items = append(items, Item{fmt.Sprint("k", i), Task{URL: "http://" + addr}, time.Now()})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	far := func() (n int) {
		for _, i := range must(w.List(ctx, Retrying, time.Now().Add(time.Hour), 2*tasks))(t) {
			if i.Reason == reasonOpen {
				n++
			}
		}
		return n
	}
	eventually(t, "tasks are put back", func() bool { return must(w.Stats(ctx))(t).Retrying > tasks/2 })
	// Their waits are made longer than the test may take.
	for _, s := range w.shards {
		for _, key := range must(w.client.ZRange(ctx, s.Prefix+":retries", 0, -1).Result())(t) {
			w.client.ZAddXX(ctx, s.Prefix+":retries", goredis.Z{Score: float64(time.Now().Add(2 * time.Hour).UnixMilli()), Member: key})
		}
	}
	if far() == 0 {
		t.Fatal("no task waits for long")
	}
	var calls atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	server.Listener = must(net.Listen("tcp", addr))(t)
	server.Start()
	defer server.Close()
	if err := w.AddTask(ctx, "new", Task{URL: "http://" + addr}, time.Now()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "none waits for long", func() bool { return far() == 0 })
	if n := calls.Load(); n > tasks+1 {
		t.Errorf("%d calls of %d tasks", n, tasks+1)
	}
}

// Other workers are notified that a receiver answers, even if nothing is left to release.
func TestReleaseNotifies(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, stop := context.WithCancel(context.Background())
		w, hosts := open(t, c, 2), make(chan string, 10)
		n := newNotifier(layout.Of(w), time.Minute, func(host string) { hosts <- host })
		ended := make(chan struct{})
		go func() { n.run(ctx); close(ended) }()
		defer func() { stop(); <-ended }()
		eventually(t, "it is subscribed", n.live.Load)
		must(w.shards[0].Release(ctx, "quiet", 9, false, reasonOpen))(t)
		must(w.shards[1].Release(ctx, "example.org:80", 9, true, reasonOpen))(t)
		if host := <-hosts; host != "example.org:80" {
			t.Errorf("notified of %q", host)
		}
	})
}
