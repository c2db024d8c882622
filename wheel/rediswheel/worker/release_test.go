package worker

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
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/layout"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// deferAll claims all due tasks and puts them back for an hour because their receiver does not
// answer.
func deferAll(t *testing.T, s rediswheel.Shard, receiver string) {
	t.Helper()
	ctx := context.Background()
	var failed []rediswheel.Failed
	for _, task := range redistest.Must(s.Claim(ctx, 100, time.Minute))(t).Tasks {
		_, due, err := rediswheel.ReadRecord(task.Record)
		if err != nil {
			t.Fatal(err)
		}
		failed = append(failed, rediswheel.Failed{ClaimID: task.ClaimID, Wait: time.Hour, Reason: reasonOpen, Receiver: receiver, Due: due})
	}
	redistest.Must(s.Later(ctx, rediswheel.Deferred, failed))(t)
}

// Tasks that were put back because of a receiver are released in the order in which they were due.
// At most as many are released at a time as are claimed, and no attempt is counted.
func TestRelease(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), rediswheel.Shard{Redis: c, Prefix: "w{0}"}
		redistest.Must(s.Add(ctx, []rediswheel.Entry{wheeltesting.Entry("c", 3), wheeltesting.Entry("a", 1), wheeltesting.Entry("b", 2)}))(t)
		deferAll(t, s, "h")
		redistest.Must(s.Add(ctx, []rediswheel.Entry{wheeltesting.Entry("other", 1)}))(t)
		deferAll(t, s, "o")
		expect := func(most int, want rediswheel.Release) {
			t.Helper()
			if got := redistest.Must(s.Release(ctx, "h", most, false, reasonOpen, reasonBusy))(t); got != want {
				t.Fatalf("up to %d: %+v, want %+v", most, got, want)
			}
		}
		expect(2, rediswheel.Release{Released: 2, Left: 1})
		expect(2, rediswheel.Release{Released: 0, Left: 1}) // these two are still due
		claim := redistest.Must(s.Claim(ctx, 10, time.Minute))(t)
		wheeltesting.ExpectKeys(t, claim, "a", "b")
		for _, task := range claim.Tasks {
			if task.Attempts != 1 {
				t.Errorf("%s: attempt %d", task.Key, task.Attempts)
			}
		}
		expect(2, rediswheel.Release{Released: 1, Left: 0})
		wheeltesting.ExpectKeys(t, redistest.Must(s.Claim(ctx, 10, time.Minute))(t), "c")
		expect(2, rediswheel.Release{Released: 0, Left: 0})
		if wait := redistest.Must(c.PTTL(ctx, "w{0}:deferred:o").Result())(t); wait <= openWaitMax || wait > deferredKept {
			t.Errorf("an index without new entries is kept for %v", wait)
		}
	})
}

// A release does not affect a task that was changed after it was put back.
func TestReleaseOfTasksThatMovedOn(t *testing.T) {
	for name, move := range map[string]func(t *testing.T, s rediswheel.Shard){
		"in flight": func(t *testing.T, s rediswheel.Shard) {
			redistest.Must(s.Claim(t.Context(), 1, time.Minute))(t)
		},
		"failed": func(t *testing.T, s rediswheel.Shard) {
			claim := redistest.Must(s.Claim(t.Context(), 1, time.Minute))(t)
			redistest.Must(s.Later(t.Context(), rediswheel.Retried, []rediswheel.Failed{{ClaimID: claim.Tasks[0].ClaimID, Wait: time.Hour, Reason: "answered 503"}}))(t)
		},
		"dead": func(t *testing.T, s rediswheel.Shard) {
			claim := redistest.Must(s.Claim(t.Context(), 1, time.Minute))(t)
			redistest.Must(s.MarkDead(t.Context(), 0, []rediswheel.Failed{{ClaimID: claim.Tasks[0].ClaimID}}))(t)
		},
		"removed": func(t *testing.T, s rediswheel.Shard) { redistest.Must(s.Remove(t.Context(), []string{"k"}))(t) },
		"replaced": func(t *testing.T, s rediswheel.Shard) {
			redistest.Must(s.Add(t.Context(), []rediswheel.Entry{wheeltesting.Entry("k", 1<<42)}))(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := wheeltesting.NewClockwork(t)
			ctx, s := t.Context(), w.Shard
			redistest.Must(s.Add(ctx, []rediswheel.Entry{wheeltesting.Entry("k", 1)}))(t)
			deferAll(t, s, "h")
			w.Set(w.Now + time.Hour.Milliseconds())
			move(t, s)
			before, found, err := s.Get(ctx, "k")
			if err != nil {
				t.Fatal(err)
			}
			if got := redistest.Must(s.Release(ctx, "h", 10, false, reasonOpen))(t); got != (rediswheel.Release{}) {
				t.Errorf("released: %+v", got)
			}
			after, still, err := s.Get(ctx, "k")
			if err != nil || before != after || found != still {
				t.Errorf("%+v before, %+v after (%v)", before, after, err)
			}
		})
	}
}

// Once a receiver answers again, the tasks that two workers had put back for up to openWaitMax are
// called once each.
func TestReceiverIsBack(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 2)
	l := redistest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	addr := l.Addr().String()
	_ = l.Close()
	o := Options{Concurrency: 8, AllowPrivate: true, CallbackTime: time.Minute}
	startWorker(t, w, o)
	startWorker(t, w, o)
	const tasks = 300
	var items []rediswheel.Item
	for i := range tasks {
		items = append(items, rediswheel.Item{Key: fmt.Sprint("k", i), Task: rediswheel.Task{URL: "http://" + addr}, ExecuteAt: time.Now()})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	far := func() (n int) {
		for _, i := range redistest.Must(w.List(ctx, rediswheel.Retrying, time.Now().Add(time.Hour), 2*tasks))(t) {
			if i.Reason == reasonOpen {
				n++
			}
		}
		return n
	}
	redistest.Eventually(t, "tasks are put back", func() bool { return redistest.Must(w.Stats(ctx))(t).Retrying > tasks/2 })
	// Their waits are longer than the test may take.
	for _, s := range w.Shards() {
		for _, key := range redistest.Must(layout.Of(w).Client().ZRange(ctx, s.Prefix+":retries", 0, -1).Result())(t) {
			layout.Of(w).Client().ZAddXX(ctx, s.Prefix+":retries", goredis.Z{Score: float64(time.Now().Add(2 * time.Hour).UnixMilli()), Member: key})
		}
	}
	if far() == 0 {
		t.Fatal("no task waits for long")
	}
	var calls atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	server.Listener = redistest.Must(net.Listen("tcp", addr))(t)
	server.Start()
	defer server.Close()
	if err := w.AddTask(ctx, "new", rediswheel.Task{URL: "http://" + addr}, time.Now()); err != nil {
		t.Fatal(err)
	}
	redistest.Eventually(t, "none waits for long", func() bool { return far() == 0 })
	if n := calls.Load(); n > tasks+1 {
		t.Errorf("%d calls of %d tasks", n, tasks+1)
	}
}

// Other workers are notified that a receiver answers, even if nothing is left to release.
func TestReleaseNotifies(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, stop := context.WithCancel(context.Background())
		w, hosts := wheeltesting.Open(t, c, 2), make(chan string, 10)
		n := newNotifier(layout.Of(w), time.Minute, func(host string) { hosts <- host })
		ended := make(chan struct{})
		go func() { n.run(ctx); close(ended) }()
		defer func() { stop(); <-ended }()
		redistest.Eventually(t, "it is subscribed", n.live.Load)
		redistest.Must(w.Shards()[0].Release(ctx, "quiet", 9, false, reasonOpen))(t)
		redistest.Must(w.Shards()[1].Release(ctx, "example.org:80", 9, true, reasonOpen))(t)
		if host := <-hosts; host != "example.org:80" {
			t.Errorf("notified of %q", host)
		}
	})
}
