package worker

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A receiver may use all slots except an eighth. While other receivers are called, it may use a
// quarter if it is not known to be fast. A fixed limit replaces both.
func TestLimitOfAReceiver(t *testing.T) {
	now := time.Now()
	begin := func(hs *hosts, name string) (n int) {
		for ; hs.admit(name, now).start && n < 100; n++ {
			hs.begin(name, now)
		}
		return n
	}
	hs := newHosts(64, 0)
	if n := begin(hs, "alone"); n != 56 {
		t.Errorf("alone: %d", n)
	}
	if n := begin(hs, "second"); n != 16 {
		t.Errorf("not known, beside another: %d", n)
	}
	for range 10 {
		hs.end("second", time.Millisecond, false, now)
	}
	if n := begin(hs, "second"); n != 50 {
		t.Errorf("quick, beside another: %d more than 6", n)
	}
	now = now.Add(2 * hostSlow)
	a := hs.admit("second", now)
	if a.start || a.soon || a.open {
		t.Errorf("none has ended for long: %+v", a)
	}
	var last putBack
	for i := range 1000 {
		if p := hs.putBack("second", a, now); p.wait > backMax || i == 0 && p.wait != backMin || i == 3 && p.wait <= last.wait {
			t.Errorf("task %d is put back for %v, the one before for %v", i, p.wait, last.wait)
		} else {
			last = p
		}
	}
	if last.wait != backMax {
		t.Errorf("the last is put back for %v", last.wait)
	}
	if n := begin(newHosts(64, 5), "fixed"); n != 5 {
		t.Errorf("fixed: %d", n)
	}
	if n := begin(newHosts(1, 0), "one"); n != 1 {
		t.Errorf("of one slot: %d", n)
	}
}

// A receiver that does not answer is not called for increasing times. After each of them it is
// tried by one callback. Any answer ends this.
func TestBreaker(t *testing.T) {
	now := time.Now()
	hs := newHosts(64, 0)
	fail := func(n int) {
		for range n {
			hs.begin("h", now)
		}
		for range n {
			hs.end("h", time.Second, true, now)
		}
	}
	fail(40)
	for _, open := range []time.Duration{500, 1000, 1500, 1500} {
		open *= time.Millisecond
		a := hs.admit("h", now)
		if p := hs.putBack("h", a, now); a.start || !a.open || p.wait < open || p.wait > open+10*slotTimeMin {
			t.Fatalf("open for %v: %+v, %v", open, a, p.wait)
		}
		now = now.Add(open)
		if !hs.admit("h", now).start {
			t.Fatal("it is not tried again")
		}
		hs.begin("h", now)
		if a := hs.admit("h", now); a.start || !a.open {
			t.Errorf("a second callback: %+v", a)
		}
		hs.end("h", time.Second, true, now)
	}
	if n := hs.room("h", now); n != 0 {
		t.Errorf("there is room for %d callbacks while it is open", n)
	}
	hs.closeBreaker("h", now) // another worker reports that it answers
	if !hs.admit("h", now).start {
		t.Error("it is not tried at once")
	}
	hs.begin("h", now)
	if !hs.end("h", time.Second, false, now) {
		t.Error("the end of the breaker is not reported")
	}
	if !hs.admit("h", now).start || hs.get("h", now).failed != 0 || hs.room("h", now) != 56 {
		t.Error("an answer did not close it")
	}
	if p := hs.putBack("h", admission{every: slotTimeMin}, now); p.wait != backMin {
		t.Errorf("closed: the first task is put back for %v", p.wait)
	}
	hs.begin("h", now)
	if hs.end("h", time.Second, false, now) {
		t.Error("the end of the breaker is reported again")
	}
	hs.begin("other", now)
	if !hs.admit("other", now).start {
		t.Error("another receiver is left alone too")
	}
}

// Receivers beyond the bound share one place, and places are reused.
func TestReceiversAreBounded(t *testing.T) {
	now := time.Now()
	hs := newHosts(64, 0)
	for i := range 3 * hostsMax {
		hs.begin(fmt.Sprint("h", i), now)
	}
	if n := len(hs.all); n > hostsMax+1 {
		t.Errorf("%d receivers are kept", n)
	}
	for i := range 3 * hostsMax {
		hs.end(fmt.Sprint("h", i), time.Millisecond, false, now)
	}
	now = now.Add(time.Minute)
	hs.begin("later", now)
	if n := len(hs.all); n > 10 || hs.all["later"] == nil {
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
		j := &job{keeper: w.leaseKeepers[0], lease: &lease{}, call: Call{Attempt: test.attempt, Late: test.late}}
		w.putBack(j, deferred, putBack{open: true})
		if batch, _ := w.leaseKeepers[0].results.take(); batch[0].end != test.want {
			t.Errorf("attempt %d, %v late: %v", test.attempt, test.late, batch[0].end)
		}
	}
}
