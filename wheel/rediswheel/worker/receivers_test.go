package worker

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A receiver has at most the given number of calls at a time, whatever others have.
func TestLimitOfAReceiver(t *testing.T) {
	rs, now := newReceivers(2), time.Now()
	first := rs.admit("a", now)
	rs.admit("a", now)
	if a := rs.admit("a", now); a.reason != reasonBusy || !a.soon {
		t.Errorf("a third call: %+v", a)
	}
	if a := rs.admit("a", now.Add(time.Minute)); a.reason != reasonBusy || a.soon {
		t.Errorf("a receiver that hangs: %+v", a)
	}
	if a := rs.admit("b", now); a.reason != "" {
		t.Errorf("another receiver: %+v", a)
	}
	first.end(nil)
	if a := rs.admit("a", now); a.reason != "" {
		t.Errorf("after the end of a call: %+v", a)
	}
}

// After five calls without an answer, one at a time tries the receiver, once per second, until one is answered. A call
// that was not made does not count.
func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rs := newReceivers(10)
		call := func(result error) string {
			a := rs.admit("a", time.Now())
			if a.reason == "" {
				a.end(result)
			}
			return a.reason
		}
		for range breakerFailures {
			if got := call(errNoAnswer); got != "" {
				t.Fatalf("%q", got)
			}
		}
		if got := call(nil); got != reasonOpen {
			t.Errorf("open: %q", got)
		}
		time.Sleep(breakerWait + 1)
		trial := rs.admit("a", time.Now())
		if got := call(nil); trial.reason != "" || got != reasonOpen {
			t.Errorf("beside the trial: %+v, %q", trial, got)
		}
		trial.end(errNotCalled)
		trial = rs.admit("a", time.Now())
		trial.end(errNoAnswer)
		if got := call(nil); trial.reason != "" || got != reasonOpen {
			t.Errorf("after an unanswered trial: %+v, %q", trial, got)
		}
		time.Sleep(breakerWait + 1)
		for range 3 {
			if got := call(nil); got != "" {
				t.Errorf("answered: %q", got)
			}
		}
	})
}

// At most receiversMax receivers are kept apart. Those that are not being called and answer are forgotten first.
func TestReceiversAreBounded(t *testing.T) {
	rs, now := newReceivers(1), time.Now()
	for i := range 2 * receiversMax {
		rs.admit(fmt.Sprint("busy", i), now)
	}
	if n := len(rs.all); n != receiversMax+1 {
		t.Errorf("%d receivers are kept", n)
	}
	rs = newReceivers(1)
	for range breakerFailures {
		rs.admit("silent", now).end(errNoAnswer)
	}
	for i := range receiversMax - 1 {
		rs.admit(fmt.Sprint("idle", i), now).end(nil)
	}
	rs.admit("later", now)
	if n := len(rs.all); n != 2 || rs.all["later"] == nil || rs.all["silent"] == nil {
		t.Errorf("%d receivers are kept", n)
	}
}

// The receiver of a task is its URL's host and port, or its handler.
func TestReceiverOf(t *testing.T) {
	for want, task := range map[string]rediswheel.Task{
		"example.org":      {URL: "https://user:secret@Example.org/a?b"},
		"example.org:8080": {URL: "http://EXAMPLE.org:8080/"},
		"[::1]:80":         {URL: "http://[::1]:80/"},
		"handler a/b":      {Handler: "a/b"},
		"":                 {URL: "//a b/"},
	} {
		if got := receiverOf(&task); got != want {
			t.Errorf("%+v: %q, want %q", task, got, want)
		}
	}
}

// A receiver that hangs does not delay others, and its waiting tasks lose no attempts.
func TestHangingReceiverKeepsNoneWaiting(t *testing.T) {
	t.Parallel()
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer hanging.Close()
	defer close(release)
	got := make(chan time.Time, 1000)
	good := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got <- time.Now() }))
	defer good.Close()
	_, stop := startWorker(t, w, Options{Concurrency: 16, AllowPrivate: true, CallbackTime: time.Minute, Grace: time.Millisecond})
	defer stop()
	var items []rediswheel.Item
	for i := range 200 {
		items = append(items, rediswheel.Item{Key: fmt.Sprint("bad", i), Task: rediswheel.Task{URL: hanging.URL}, ExecuteAt: time.Now()})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	const tasks = 100
	for i := range tasks {
		if err := w.AddTask(ctx, fmt.Sprint("good", i), rediswheel.Task{URL: good.URL}, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	limit := time.After(20 * time.Second)
	for n := range tasks {
		select {
		case <-got:
		case <-limit:
			t.Fatalf("%d of %d good tasks were called in time: %+v", n, tasks, redistest.Must(w.Stats(ctx))(t))
		}
	}
	for _, i := range redistest.Must(w.List(ctx, rediswheel.Retrying, time.Time{}, 10))(t) {
		if i.Attempts != 0 || !strings.Contains(i.Reason, "its receiver has as many callbacks") {
			t.Errorf("put back: %+v", i)
		}
	}
}

// A task whose receiver never answers is moved to the dead tasks in the end, although few callbacks
// try it. A task that was never called is not.
func TestCircuitGivesUpInTime(t *testing.T) {
	w := redistest.Must(New(wheeltesting.Open(t, redistest.Embedded(t), 1), Options{Attempts: 4, Retry: time.Second, RetryMax: 3 * time.Second}))(t)
	for _, test := range []struct {
		attempt int
		late    time.Duration
		want    ending
	}{{2, 5 * time.Second, deferred}, {2, 7 * time.Second, becameDead}, {1, time.Hour, deferred}} {
		j := &job{keeper: (*w.keepers.Load())[0], lease: &lease{}, call: Call{Attempt: test.attempt, Late: test.late}}
		w.putBack(j, deferred, putBack{open: true})
		if batch, _ := (*w.keepers.Load())[0].results.take(); batch[0].end != test.want {
			t.Errorf("attempt %d, %v late: %v", test.attempt, test.late, batch[0].end)
		}
	}
}
