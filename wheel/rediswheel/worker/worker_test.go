package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
	"go.uber.org/goleak"
)

// TestMain runs the tests, or a worker of the failure run.
func TestMain(m *testing.M) {
	if os.Getenv(envID) != "" {
		workerProcess()
		return
	}
	goleak.VerifyTestMain(m)
}

// callRecorder records the calls of a handler.
type callRecorder struct {
	mu    sync.Mutex
	calls map[string][]Call
}

func (d *callRecorder) note(c Call) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.calls == nil {
		d.calls = map[string][]Call{}
	}
	d.calls[c.Key] = append(d.calls[c.Key], c)
	return len(d.calls[c.Key])
}

func (d *callRecorder) of(key string) []Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[key]
}

// startWorker runs a worker that retries quickly. It stops when the test ends or when stop is
// called.
func startWorker(t testing.TB, w *rediswheel.Wheel, o Options) (worker *Worker, stop func()) {
	t.Helper()
	if o.Retry == 0 {
		o.Retry, o.RetryMax = 5*time.Millisecond, 40*time.Millisecond
	}
	if o.Poll == 0 {
		o.Poll = 5 * time.Millisecond
	}
	worker = redistest.Must(New(w, o))(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(stop)
	return worker, stop
}

// A handler that adds its own key again is counted once for each call, with its lateness.
func TestHandlerAddsItsOwnKeyAgain(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		const calls = 15
		ctx, w := context.Background(), wheeltesting.Open(t, c, 2)
		var n atomic.Int64
		_, stop := startWorker(t, w, Options{Handlers: map[string]Handler{"h": func(ctx context.Context, call Call) error {
			if n.Add(1) < calls {
				return w.AddTask(ctx, call.Key, call.Task, time.Now())
			}
			return nil
		}}})
		wheeltesting.AddHandled(t, w, "k", 1)
		redistest.Eventually(t, "all are called", func() bool { return n.Load() == calls })
		stop()
		st := redistest.Must(w.Stats(ctx))(t)
		var late int64
		for _, n := range st.Late {
			late += n
		}
		if st.Delivered() != calls || late != calls || st.Added != calls {
			t.Errorf("%d delivered, the lateness of %d, %d added, want %d of each", st.Delivered(), late, st.Added, calls)
		}
	})
}

// A task is called over HTTP with its own fields, key, attempt and due time. Afterwards it is
// deleted.
func TestWorkerCallsBack(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		type seen struct {
			r    *http.Request
			body string
		}
		got := make(chan seen, 10)
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got <- seen{r, string(body)}
		}))
		defer server.Close()
		ctx, w := context.Background(), wheeltesting.Open(t, c, 3)
		due := time.Now().Add(-time.Second).UTC().Truncate(time.Millisecond)
		task := rediswheel.Task{URL: server.URL + "/order?id=7", Method: "PUT", Headers: map[string]string{"X-Shop": "a b"}, Body: []byte("paid\n\x00")}
		if err := w.AddTask(ctx, "order 7", task, due); err != nil {
			t.Fatal(err)
		}
		startWorker(t, w, Options{AllowPrivate: true})
		s := <-got
		if s.r.Method != "PUT" || s.r.URL.String() != "/order?id=7" || s.body != "paid\n\x00" || s.r.Header.Get("X-Shop") != "a b" {
			t.Errorf("called %s %s %q %v", s.r.Method, s.r.URL, s.body, s.r.Header)
		}
		if s.r.Header.Get(HeaderKey) != "order%207" || s.r.Header.Get(HeaderAttempt) != "1" || s.r.Header.Get(HeaderDue) != due.Format(time.RFC3339Nano) {
			t.Errorf("fields %v", s.r.Header)
		}
		redistest.Eventually(t, "the task is gone", func() bool {
			_, ok, err := w.Get(ctx, "order 7")
			return !ok && err == nil
		})
		st := redistest.Must(w.Stats(ctx))(t)
		if st.Done != 1 || st.InFlight != 0 || st.Late.Quantile(0.5) < 1000 {
			t.Errorf("stats %+v", st)
		}
	})
}

// A task that fails is retried. After the last attempt it becomes a dead task with the reason.
func TestWorkerRetriesAndMarksDead(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		var d callRecorder
		log := &redistest.Journal{}
		handlers := map[string]Handler{
			"third": func(_ context.Context, c Call) error {
				if n := d.note(c); n < 3 {
					return fmt.Errorf("failure %d", n)
				}
				return nil
			},
			"never": func(_ context.Context, c Call) error {
				d.note(c)
				panic("out of\nideas")
			},
		}
		ctx, w := context.Background(), wheeltesting.Open(t, c, 1)
		for _, key := range []string{"third", "never"} {
			if err := w.AddTask(ctx, key, rediswheel.Task{Handler: key}, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		startWorker(t, w, Options{Handlers: handlers, Attempts: 4, Log: log.Logger()})
		redistest.Eventually(t, "one is dead, the other gone", func() bool {
			st := redistest.Must(w.Stats(ctx))(t)
			return st.Dead == 1 && st.Done == 1
		})
		if n := len(d.of("third")); n != 3 {
			t.Errorf("third was called %d times", n)
		}
		calls := d.of("never")
		if len(calls) != 4 || calls[3].Attempt != 4 || calls[3].Due != calls[0].Due {
			t.Errorf("never was called %+v", calls)
		}
		dead := redistest.Must(w.List(ctx, rediswheel.Dead, time.Time{}, 10))(t)
		if len(dead) != 1 || dead[0].Key != "never" || dead[0].Reason != "the handler panicked: out of ideas" || dead[0].Attempts != 4 {
			t.Errorf("dead: %+v", dead)
		}
		if !strings.Contains(log.String(), "worker_test.go") { // the stack of the panic
			t.Errorf("logged: %s", log)
		}
	})
}

// Tasks that this worker cannot call are kept, and it continues: an unknown handler, a damaged
// record, a private address.
func TestWorkerKeepsWhatItCannotCall(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w, log := context.Background(), wheeltesting.Open(t, c, 1), &redistest.Journal{}
		now := time.Now()
		add := func(key string, task rediswheel.Task) {
			t.Helper()
			if err := w.AddTask(ctx, key, task, now); err != nil {
				t.Fatal(err)
			}
		}
		add("unknown", rediswheel.Task{Handler: "not here"})
		add("loopback", rediswheel.Task{URL: "http://127.0.0.1:9/"})
		add("named", rediswheel.Task{URL: "http://localhost:9/"})
		ms := now.UnixMilli()
		other, damaged := fmt.Sprintf("2 %d whatever", ms), fmt.Sprintf("1 %d {", ms)
		entries := []engine.Entry{{Key: "other", Due: ms, Record: other}, {Key: "damaged", Due: ms, Record: damaged}}
		redistest.Must(engine.Of(w).Shards()[0].Add(ctx, entries))(t)
		add("good", rediswheel.Task{Handler: "good"})
		called := make(chan Call, 10)
		startWorker(t, w, Options{Log: log.Logger(), LogEvery: time.Hour, RetryMax: time.Minute, Retry: time.Millisecond,
			Handlers: map[string]Handler{"good": func(_ context.Context, c Call) error { called <- c; return nil }}})
		<-called
		want := map[string]struct {
			state  rediswheel.State
			reason string
		}{
			"unknown":  {rediswheel.Waiting, ""},
			"other":    {rediswheel.Dead, "not a task's record"},
			"damaged":  {rediswheel.Dead, "not a task's record"},
			"loopback": {rediswheel.Retrying, ErrPrivate.Error()},
			"named":    {rediswheel.Retrying, ErrPrivate.Error()},
		}
		for key, want := range want {
			redistest.Eventually(t, key+" is "+string(want.state), func() bool {
				i, ok, err := w.Get(ctx, key)
				return err == nil && ok && i.State == want.state && strings.Contains(i.Reason, want.reason)
			})
		}
		for _, line := range []string{"given up", "not for this worker, put back"} {
			redistest.Eventually(t, line, func() bool { return strings.Contains(log.String(), line) })
			if n := strings.Count(log.String(), line); n != 1 {
				t.Errorf("%q is logged %d times: %s", line, n, log)
			}
		}
	})
}

// A stopped worker finishes the running calls and puts the other tasks back without counting an
// attempt.
func TestWorkerStops(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 1)
		var items []rediswheel.Item
		for i := range 10 {
			items = append(items, rediswheel.Item{Key: fmt.Sprint(i), Task: rediswheel.Task{Handler: "slow"}, ExecuteAt: time.Now()})
		}
		if err := w.AddTasks(ctx, items); err != nil {
			t.Fatal(err)
		}
		began, finish := make(chan string, 10), make(chan struct{})
		_, stop := startWorker(t, w, Options{Concurrency: 2, PerHost: 2, Handlers: map[string]Handler{
			"slow": func(_ context.Context, c Call) error { began <- c.Key; <-finish; return nil }}})
		<-began
		<-began
		stopped := make(chan struct{})
		go func() { stop(); close(stopped) }()
		close(finish)
		<-stopped
		st := redistest.Must(w.Stats(ctx))(t)
		if st.InFlight != 0 || st.Done < 2 || st.Done+st.Waiting+st.Retrying != 10 || st.Stale+st.Retried != 0 {
			t.Errorf("after the stop: %+v", st)
		}
		for _, i := range redistest.Must(w.List(ctx, rediswheel.Retrying, time.Time{}, 10))(t) {
			if i.Attempts != 0 || i.Reason != "its worker stopped" {
				t.Errorf("given back: %+v", i)
			}
		}
	})
}

// A callback that runs longer than the grace period is cancelled, and its task is given back.
func TestWorkerStopsInTheMiddle(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	if err := w.AddTask(ctx, "k", rediswheel.Task{Handler: "endless"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{})
	_, stop := startWorker(t, w, Options{Grace: 20 * time.Millisecond, Handlers: map[string]Handler{
		"endless": func(ctx context.Context, _ Call) error { close(began); <-ctx.Done(); return ctx.Err() }}})
	<-began
	stop()
	i, ok, err := w.Get(ctx, "k")
	if err != nil || !ok || i.State != rediswheel.Retrying || i.Attempts != 0 || i.Reason != "its worker stopped in the middle of the call" {
		t.Errorf("%+v %v %v", i, ok, err)
	}
}

// A callback that runs longer than its lease keeps the lease. The lease of a worker that died is
// claimed by another worker.
func TestLeases(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	if err := w.AddTask(ctx, "long", rediswheel.Task{Handler: "long"}, time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if err := w.AddTask(ctx, "orphan", rediswheel.Task{Handler: "short"}, time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	gone := redistest.Must(engine.Of(w).Shards()[0].Claim(ctx, 1, 100*time.Millisecond))(t) // and this worker died
	var d callRecorder
	o := Options{Lease: LeaseMin, Handlers: map[string]Handler{
		"long":  func(_ context.Context, c Call) error { d.note(c); time.Sleep(3 * LeaseMin); return nil },
		"short": func(_ context.Context, c Call) error { d.note(c); return nil }}}
	startWorker(t, w, o)
	startWorker(t, w, o)
	redistest.Eventually(t, "both are gone", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 2 })
	orphan := gone.Tasks[0].Key
	for _, key := range []string{"long", "orphan"} {
		calls, attempt := d.of(key), 1
		if key == orphan {
			attempt = 2
		}
		if len(calls) != 1 || calls[0].Attempt != attempt {
			t.Errorf("%s was called %+v", key, calls)
		}
	}
}

// Invalid options return an input error.
func TestBadOptions(t *testing.T) {
	w := wheeltesting.Open(t, redistest.Embedded(t), 1)
	for _, o := range []Options{{Concurrency: -1}, {Concurrency: ConcurrencyMax + 1}, {Attempts: -1},
		{Lease: time.Millisecond}, {CallbackTime: -1}, {Poll: 1}} {
		if _, err := New(w, o); !errors.Is(err, rediswheel.ErrInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for name, field := range map[string]func(*Options) *time.Duration{
		"lease":         func(o *Options) *time.Duration { return &o.Lease },
		"callback-time": func(o *Options) *time.Duration { return &o.CallbackTime },
		"retry":         func(o *Options) *time.Duration { return &o.Retry },
		"retry-max":     func(o *Options) *time.Duration { return &o.RetryMax },
		"poll":          func(o *Options) *time.Duration { return &o.Poll },
		"grace":         func(o *Options) *time.Duration { return &o.Grace },
		"log-every":     func(o *Options) *time.Duration { return &o.LogEvery },
	} {
		for _, d := range []time.Duration{math.MaxInt64, math.MinInt64, -time.Second, time.Microsecond} {
			var o Options
			*field(&o) = d
			redistest.ExpectLine(t, o.Check(), rediswheel.ErrInput, " "+name+": "+d.String()+", expected")
		}
	}
}
