package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A worker logs a warning if the eviction policy of its Redis may delete tasks.
func TestEvictionIsLogged(t *testing.T) {
	ctx, s := context.Background(), redistest.Start(t)
	c := s.Client()
	for _, test := range []struct {
		memory, policy string
		warnings       int
	}{{"0", "allkeys-lru", 0}, {"100mb", "noeviction", 0}, {"100mb", "volatile-lru", 0}, {"100mb", "allkeys-lru", 1}} {
		for name, value := range map[string]string{"maxmemory": test.memory, "maxmemory-policy": test.policy} {
			if err := c.ConfigSet(ctx, name, value).Err(); err != nil {
				t.Fatal(err)
			}
		}
		log := &redistest.Journal{}
		_, stop := startWorker(t, wheeltesting.Open(t, c, 1), Options{Log: log.Logger()})
		stop()
		if n := strings.Count(log.String(), "its maxmemory-policy is allkeys-lru, expected noeviction"); n != test.warnings {
			t.Errorf("%+v: logged %d times: %s", test, n, log)
		}
	}
}

// A server that is out of memory accepts no new tasks, but existing tasks are delivered, retried
// and moved to the dead tasks as usual.
func TestOutOfMemory(t *testing.T) {
	s, ctx := redistest.Start(t), context.Background()
	c := s.Client()
	w := wheeltesting.Open(t, c, 1)
	for i := range 30 {
		task := rediswheel.Task{Handler: []string{"good", "bad"}[i%2]}
		if err := w.AddTask(ctx, fmt.Sprint(i), task, time.Now().Add(-time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"new", "3"} {
		err := w.AddTask(ctx, key, wheeltesting.Post, time.Now())
		if key == "new" || err != nil { // a replacement may succeed, but only as a whole
			redistest.ExpectLine(t, err, rediswheel.ErrRefused, "out of memory (maxmemory); nothing was added")
		}
	}
	startWorker(t, w, Options{Attempts: 3, Handlers: map[string]Handler{
		"good": func(context.Context, Call) error { return nil },
		"bad":  func(context.Context, Call) error { return io.ErrUnexpectedEOF }}})
	redistest.Eventually(t, "all is done that was there", func() bool {
		st := redistest.Must(w.Stats(ctx))(t)
		return st.Done == 15 && st.Dead == 15
	})
	if _, ok, err := w.Get(ctx, "new"); ok || err != nil {
		t.Errorf("a refused task is there (%v)", err)
	}
}

// Errors of Redis are logged at most once in an interval, and their end once.
func TestTroubleIsLoggedOnce(t *testing.T) {
	log := &redistest.Journal{}
	w := caller(t, Options{Log: log.Logger(), LogEvery: time.Hour})
	for range 3 {
		w.report(errors.New("refused"))
		w.report(errors.New("away"))
	}
	if want := "refused; the worker keeps trying\"\n"; strings.Count(log.String(), "\n") != 1 || !strings.HasSuffix(log.String(), want) {
		t.Errorf("log: %s", log)
	}
	w.report(nil)
	w.report(nil)
	if n := strings.Count(log.String(), "answers again"); n != 1 || strings.Count(log.String(), "\n") != 2 {
		t.Errorf("log: %s", log)
	}
}

// While Redis cannot be reached or is slow, the worker logs it once, keeps trying, and continues
// when Redis answers again.
func TestWorkerOutlastsRedis(t *testing.T) {
	s, ctx, log := redistest.StartKept(t), context.Background(), &redistest.Journal{}
	proxy := redistest.StartProxy(t, s.Addr)
	w := wheeltesting.Open(t, redistest.Quick(t, proxy.Addr), 1)
	direct := wheeltesting.Open(t, s.Client(), 1)
	var called atomic.Int64
	handlers := map[string]Handler{"h": func(context.Context, Call) error { called.Add(1); return nil }}
	const lease = 3 * time.Second // on a busy machine the reply to a claim may be late; its tasks are claimed again when this has lapsed
	startWorker(t, w, Options{Handlers: handlers, Log: log.Logger(), LogEvery: 100 * time.Millisecond, Lease: lease})
	trouble := func(word string) {
		t.Helper()
		redistest.Eventually(t, word, func() bool { return strings.Contains(log.String(), word) })
	}
	s.Kill()
	trouble("no Redis at " + proxy.Addr)
	s.Restart()
	redistest.Eventually(t, "back again", func() bool { return strings.Contains(log.String(), "Redis answers again") })
	proxy.Delay(200 * time.Millisecond)
	trouble("it gave no answer in time; the worker keeps trying")
	proxy.Delay(0)
	if err := direct.AddTask(ctx, "k", rediswheel.Task{Handler: "h"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	redistest.Eventually(t, "the task is gone", func() bool { return redistest.Must(direct.Stats(ctx))(t).Done == 1 })
	if called.Load() != 1 {
		t.Errorf("called %d times", called.Load())
	}
}

func init() { goredis.SetLogger(discardLogger{}) }

// discardLogger discards the client's own log.
type discardLogger struct{}

func (discardLogger) Printf(context.Context, string, ...any) {}
