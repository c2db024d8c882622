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
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

func keysOfQuery(t testing.TB, w *rediswheel.Wheel, q rediswheel.Query) []string {
	t.Helper()
	var keys []string
	for info, err := range w.Tasks(context.Background(), q) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// Tasks are chosen by state, pattern, host and reason, in every state, and listed in order whatever the page.
func TestQuery(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 3)
		wheeltesting.AddDead(t, w, 9)
		start := time.Now().Add(time.Hour).Truncate(time.Minute)
		for i := range 50 {
			task := rediswheel.Task{URL: fmt.Sprintf("http://[2001:db8::%d]:80/", i%2)}
			if err := w.AddTask(ctx, fmt.Sprintf("w%02d", i), task, start.Add(time.Duration(i)*10*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			q     rediswheel.Query
			n     int
			first string
		}{
			{rediswheel.Query{State: rediswheel.Waiting}, 50, "w00"}, {rediswheel.Query{State: rediswheel.Waiting, Page: 3}, 50, "w00"},
			{rediswheel.Query{State: rediswheel.Waiting, Match: "w1*"}, 10, "w10"}, {rediswheel.Query{State: rediswheel.Waiting, Match: "*1?"}, 10, "w10"},
			{rediswheel.Query{State: rediswheel.Waiting, Match: "w*1*9*"}, 1, "w19"}, {rediswheel.Query{State: rediswheel.Waiting, Match: "W*"}, 0, ""},
			{rediswheel.Query{State: rediswheel.Waiting, Host: "2001:db8::1"}, 25, "w01"}, {rediswheel.Query{State: rediswheel.Waiting, Error: "500"}, 0, ""},
			{rediswheel.Query{State: rediswheel.Dead, Error: "answered 5"}, 5, "k0"}, {rediswheel.Query{State: rediswheel.Dead, Host: "host1.example"}, 4, "k1"},
			{rediswheel.Query{State: rediswheel.Dead, Host: "secret@host1.example"}, 0, ""},
			{rediswheel.Query{State: rediswheel.Waiting, From: start.Add(100 * time.Second), After: "w10"}, 39, "w11"},
		} {
			for _, view := range []rediswheel.View{"", rediswheel.ViewRow, rediswheel.ViewKey} {
				c.q.View = view
				keys := keysOfQuery(t, w, c.q)
				if len(keys) != c.n || c.n > 0 && keys[0] != c.first || c.q.State == rediswheel.Waiting && !slices.IsSorted(keys) {
					t.Errorf("%+v: %d, %q", c.q, len(keys), keys)
				}
			}
		}
	})
}

// A row has no credentials, headers or body, whatever the URL; a full task has all.
func TestViews(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		w := wheeltesting.Open(t, c, 1)
		for key, url := range map[string]string{"a": "https://user:p/w@host/x", "b": "https://tok%40en@host/" + strings.Repeat("y", 500), "c": "http://host/a@b"} {
			if key == "a" {
				url = strings.ReplaceAll(url, "p/w", "p%2Fw")
			}
			if err := w.AddTask(t.Context(), key, rediswheel.Task{URL: url, Method: "PUT", Headers: map[string]string{"Authorization": "x"}, Body: []byte("body")}, rediswheel.DueMax); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.AddTask(t.Context(), "d", rediswheel.Task{Handler: "h", Body: []byte("body")}, rediswheel.DueMax); err != nil {
			t.Fatal(err)
		}
		want := []rediswheel.Task{{URL: "https://xxxxx@host/x", Method: "PUT"}, {URL: ("https://xxxxx@host/" + strings.Repeat("y", 500))[:200], Method: "PUT"},
			{URL: "http://host/a@b", Method: "PUT"}, {Handler: "h"}}
		i := 0
		for info, err := range w.Tasks(t.Context(), rediswheel.Query{State: rediswheel.Waiting, View: rediswheel.ViewRow}) {
			if err != nil || info.Err != nil || fmt.Sprint(info.Task) != fmt.Sprint(want[i]) || !info.Due.Equal(rediswheel.DueMax) {
				t.Errorf("%s: %+v, %v", info.Key, info, err)
			}
			i++
		}
		for info := range w.Tasks(t.Context(), rediswheel.Query{State: rediswheel.Waiting, Match: "a"}) {
			if string(info.Task.Body) != "body" || info.Task.Headers["Authorization"] != "x" || !strings.Contains(info.Task.URL, "user:p%2Fw@") {
				t.Errorf("full: %+v", info)
			}
		}
	})
}

// Listing large tasks transfers no bodies, and from other shards little more than the listed tasks.
func TestListTransfersWhatIsShown(t *testing.T) {
	server := redistest.Start(t)
	ctx, w := t.Context(), wheeltesting.Open(t, server.Client(), 4)
	var items []rediswheel.Item
	for i := range 400 {
		items = append(items, rediswheel.Item{fmt.Sprint("k", i), rediswheel.Task{URL: "http://x/", Body: make([]byte, 64<<10)}, time.Now().Add(time.Hour)})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	sent := func() (n int64) {
		info := redistest.Must(connect.Info(ctx, server.Client()))(t)
		fmt.Sscan(info["total_net_output_bytes"], &n)
		return n
	}
	before, n := sent(), 0
	for _, err := range w.Tasks(ctx, rediswheel.Query{State: rediswheel.Waiting, View: rediswheel.ViewRow, Page: 200}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 200 {
			break
		}
	}
	if bytes := sent() - before; n != 200 || bytes > 100_000 {
		t.Errorf("%d tasks of 64 KiB listed, %d bytes transferred", n, bytes)
	}
	if list := redistest.Must(w.List(ctx, rediswheel.Waiting, time.Time{}, 400))(t); len(list) != 400 || len(list[399].Task.Body) != 64<<10 {
		t.Errorf("%d listed in full", len(list))
	}
}

// Tasks of a query are removed, but not one that was added again after it was listed.
func TestRemoveTasks(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 2)
		wheeltesting.AddDead(t, w, 10)
		start := time.Now().Add(time.Hour).Truncate(time.Minute).Add(time.Second)
		for i := range 700 {
			if err := w.AddTask(ctx, fmt.Sprint("w", i), rediswheel.Task{Handler: "h"}, start.Add(time.Duration(i)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		if n := redistest.Must(w.RemoveTasks(ctx, rediswheel.Query{State: rediswheel.Dead, Error: "404"}))(t); n != 5 {
			t.Errorf("%d dead removed", n)
		}
		if n := redistest.Must(w.RemoveTasks(ctx, rediswheel.Query{State: rediswheel.Waiting, Match: "w*"}))(t); n != 700 {
			t.Errorf("%d waiting removed", n)
		}
		st := redistest.Must(w.Stats(ctx))(t)
		if st.Waiting != 0 || st.Dead != 5 || st.Removed != 705 || st.MinutesAll != 0 {
			t.Errorf("%+v", st)
		}
	})
}

// Invalid queries are reported.
func TestQueryMistakes(t *testing.T) {
	w := wheeltesting.Open(t, redistest.Embedded(t), 1)
	for _, q := range []rediswheel.Query{{}, {State: "lost"}, {State: rediswheel.Dead, Page: rediswheel.ListMax + 1}, {State: rediswheel.Dead, Match: strings.Repeat("x", rediswheel.FilterMax+1)}} {
		for _, err := range w.Tasks(t.Context(), q) {
			if !errors.Is(err, rediswheel.ErrInput) {
				t.Errorf("%+v: %v", q, err)
			}
		}
		if _, err := w.RemoveTasks(t.Context(), q); !errors.Is(err, rediswheel.ErrInput) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// Tasks that are reserved for workers with their handler are waiting tasks: listed in order, and removed.
func TestQueryOfReservedTasks(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 1)
		for i, key := range []string{"h1", "u2", "h3", "u4"} {
			task, due := rediswheel.Task{Handler: "h"}, time.UnixMilli(int64(i+1))
			if key[0] == 'u' {
				task, due = rediswheel.Task{URL: "http://x"}, time.Now().Add(time.Hour)
			}
			if err := w.AddTask(ctx, key, task, due); err != nil {
				t.Fatal(err)
			}
		}
		claim := redistest.Must(engine.Of(w).Shards()[0].ClaimFor(ctx, engine.ClaimRequest{Limit: 10, Lease: time.Minute, Worker: "w", Nonce: 1}))(t)
		if len(claim.Tasks) != 0 {
			t.Fatalf("claimed %+v", claim.Tasks)
		}
		for _, page := range []int{1, 2, 10} {
			if keys := keysOfQuery(t, w, rediswheel.Query{State: rediswheel.Waiting, Page: page}); !slices.Equal(keys, []string{"h1", "h3", "u2", "u4"}) {
				t.Errorf("pages of %d: %q", page, keys)
			}
		}
		if st := redistest.Must(w.Stats(ctx))(t); st.Overdue != 2 || st.Waiting != 4 {
			t.Errorf("%+v", st)
		}
		if n := redistest.Must(w.RemoveTasks(ctx, rediswheel.Query{State: rediswheel.Waiting, Match: "h*"}))(t); n != 2 {
			t.Errorf("%d removed", n)
		}
		if keys := keysOfQuery(t, w, rediswheel.Query{State: rediswheel.Waiting}); !slices.Equal(keys, []string{"u2", "u4"}) {
			t.Errorf("left: %q", keys)
		}
	})
}

// A dead task is retried with all its attempts, selected by its key, a part of the reason, the
// host, or not at all. One call retries it once, whatever the receiver answers.
func TestRetry(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 3)
		wheeltesting.AddDead(t, w, 20)
		if !redistest.Must(w.RetryTask(ctx, "k0"))(t) || redistest.Must(w.RetryTask(ctx, "k0"))(t) || redistest.Must(w.RetryTask(ctx, "none"))(t) {
			t.Error("one task")
		}
		info, _, err := w.Get(ctx, "k0")
		if err != nil || info.State != rediswheel.Retrying || info.Attempts != 0 || info.Reason != "answered 500" || info.At.After(time.Now().Add(time.Second)) {
			t.Errorf("retried: %+v, %v", info, err)
		}
		if n := redistest.Must(w.Retry(ctx, rediswheel.Query{State: rediswheel.Dead, Error: "404"}))(t); n != 10 {
			t.Errorf("%d by reason", n)
		}
		if n := redistest.Must(w.Retry(ctx, rediswheel.Query{State: rediswheel.Dead, Host: "HOST1.example"}))(t); n != 0 {
			t.Errorf("%d of a host that has none left", n)
		}
		if n := redistest.Must(w.Retry(ctx, rediswheel.Query{State: rediswheel.Dead, Match: "k?", Host: "host0.example"}))(t); n != 4 {
			t.Errorf("%d by pattern", n)
		}
		if n := redistest.Must(w.Retry(ctx, rediswheel.Query{State: rediswheel.Dead}))(t); n != 5 {
			t.Errorf("%d of the rest", n)
		}
		if st := redistest.Must(w.Stats(ctx))(t); st.Dead != 0 || st.Retrying != 20 || st.RetriedDead != 20 || st.Added != 20 {
			t.Errorf("%+v", st)
		}
		if _, err := w.Retry(ctx, rediswheel.Query{State: rediswheel.Waiting}); err == nil {
			t.Error("waiting tasks are retried")
		}
	})
}

// Tasks that wait an hour for their next attempt are tried at once after the receiver is repaired, and keep
// their number of attempts. Those that are due already are not counted.
func TestRetryNow(t *testing.T) {
	ctx, w := t.Context(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	s := engine.Of(w).Shards()[0]
	for i := range 600 {
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry(fmt.Sprint("k", i), 1)}))(t)
	}
	for range 2 {
		c := redistest.Must(s.Claim(ctx, 300, time.Minute))(t)
		var failed []engine.Failed
		for _, task := range c.Tasks {
			failed = append(failed, engine.Failed{ClaimID: task.ClaimID, Wait: time.Hour, Reason: "answered 503"})
		}
		redistest.Must(s.Later(ctx, engine.Retried, failed))(t)
	}
	if n := redistest.Must(w.Retry(ctx, rediswheel.Query{State: rediswheel.Retrying}))(t); n != 600 {
		t.Errorf("%d made due", n)
	}
	if n := redistest.Must(w.Retry(ctx, rediswheel.Query{State: rediswheel.Retrying}))(t); n != 0 {
		t.Errorf("%d made due again", n)
	}
	if c := redistest.Must(s.Claim(ctx, 1, time.Minute))(t); len(c.Tasks) != 1 || c.Tasks[0].Attempts != 2 {
		t.Errorf("claimed %+v", c.Tasks)
	}
}
