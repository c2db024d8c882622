package redis

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A receiver may take all slots but an eighth; a quarter while others are called, if it is not known to be
// quick; a number of its own if that is fixed.
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
	if a := hs.admit("second", now); a.start || a.soon || a.wait < hostBackMin || a.wait > 2*hostBackMax {
		t.Errorf("none has ended for long: %+v", a)
	}
	if n := begin(newHosts(64, 5), "fixed"); n != 5 {
		t.Errorf("fixed: %d", n)
	}
	if n := begin(newHosts(1, 0), "one"); n != 1 {
		t.Errorf("of one slot: %d", n)
	}
}

// A receiver that does not answer is left alone for growing times, and tried by one callback each time;
// an answer, whatever it says, ends that.
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
	for _, open := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		if a := hs.admit("h", now); a.start || a.wait < open*time.Second || a.wait > open*time.Second*5/4 {
			t.Fatalf("open for %ds: %+v", open, a)
		}
		now = now.Add(open * time.Second)
		if !hs.admit("h", now).start {
			t.Fatal("it is not tried again")
		}
		hs.begin("h", now)
		if a := hs.admit("h", now); a.start || a.wait < breakerFirst {
			t.Errorf("a second callback: %+v", a)
		}
		hs.end("h", time.Second, true, now)
	}
	now = now.Add(breakerMax)
	hs.begin("h", now)
	hs.end("h", time.Second, false, now)
	if !hs.admit("h", now).start || hs.get("h", now).failed != 0 {
		t.Error("an answer did not close it")
	}
	hs.begin("other", now)
	if !hs.admit("other", now).start {
		t.Error("another receiver is left alone too")
	}
}

// Receivers past the bound share one place, and places are used again.
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
func TestHostOf(t *testing.T) {
	for want, task := range map[string]Task{
		"example.org":      {URL: "https://user:secret@Example.org/a?b"},
		"example.org:8080": {URL: "http://EXAMPLE.org:8080/"},
		"[::1]:80":         {URL: "http://[::1]:80/"},
		"handler a/b":      {Handler: "a/b"},
		"":                 {URL: "http://a b/"},
	} {
		if got := hostOf(&task); got != want {
			t.Errorf("%+v: %q, want %q", task, got, want)
		}
	}
}

// A receiver that hangs keeps no others waiting, and its tasks lose no attempt by waiting.
func TestHangingReceiverKeepsNoneWaiting(t *testing.T) {
	t.Parallel()
	ctx, w := context.Background(), open(t, embedded(t), 1)
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer hanging.Close()
	defer close(release)
	got := make(chan time.Time, 1000)
	good := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got <- time.Now() }))
	defer good.Close()
	_, stop := startWorker(t, w, WorkerOptions{Concurrency: 16, AllowPrivate: true, CallbackTime: time.Minute, Grace: time.Millisecond})
	defer stop()
	var items []Item
	for i := range 200 {
		items = append(items, Item{fmt.Sprint("bad", i), Task{URL: hanging.URL}, time.Now()})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	const tasks = 100
	for i := range tasks {
		if err := w.AddTask(ctx, fmt.Sprint("good", i), Task{URL: good.URL}, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	limit := time.After(5 * time.Second)
	for n := range tasks {
		select {
		case <-got:
		case <-limit:
			t.Fatalf("%d of %d good tasks were called in time: %+v", n, tasks, must(w.Stats(ctx))(t))
		}
	}
	for _, i := range must(w.List(ctx, Retrying, time.Time{}, 10))(t) {
		if i.Attempts != 0 || !strings.Contains(i.Reason, "its receiver has as many callbacks") {
			t.Errorf("put back: %+v", i)
		}
	}
}
