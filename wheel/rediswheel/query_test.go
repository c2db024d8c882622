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
	"github.com/wheelscope/wheelscope/internal/redistest"
)

func keysOfQuery(t testing.TB, w *Wheel, q Query) []string {
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
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), open(t, c, 3)
		addDead(t, w, 9)
		start := time.Now().Add(time.Hour).Truncate(time.Minute)
		for i := range 50 {
			task := Task{URL: fmt.Sprintf("http://[2001:db8::%d]:80/", i%2)}
			if err := w.AddTask(ctx, fmt.Sprintf("w%02d", i), task, start.Add(time.Duration(i)*10*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			q     Query
			n     int
			first string
		}{
			{Query{State: Waiting}, 50, "w00"}, {Query{State: Waiting, Page: 3}, 50, "w00"},
			{Query{State: Waiting, Match: "w1*"}, 10, "w10"}, {Query{State: Waiting, Match: "*1?"}, 10, "w10"},
			{Query{State: Waiting, Match: "w*1*9*"}, 1, "w19"}, {Query{State: Waiting, Match: "W*"}, 0, ""},
			{Query{State: Waiting, Host: "2001:db8::1"}, 25, "w01"}, {Query{State: Waiting, Error: "500"}, 0, ""},
			{Query{State: Dead, Error: "answered 5"}, 5, "k0"}, {Query{State: Dead, Host: "host1.example"}, 4, "k1"},
			{Query{State: Dead, Host: "secret@host1.example"}, 0, ""},
			{Query{State: Waiting, From: start.Add(100 * time.Second), After: "w10"}, 39, "w11"},
		} {
			for _, view := range []View{"", ViewRow, ViewKey} {
				c.q.View = view
				keys := keysOfQuery(t, w, c.q)
				if len(keys) != c.n || c.n > 0 && keys[0] != c.first || c.q.State == Waiting && !slices.IsSorted(keys) {
					t.Errorf("%+v: %d, %q", c.q, len(keys), keys)
				}
			}
		}
	})
}

// A row has no credentials, headers or body, whatever the URL; a full task has all.
func TestViews(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		w := open(t, c, 1)
		for key, url := range map[string]string{"a": "https://user:p/w@host/x", "b": "https://tok%40en@host/" + strings.Repeat("y", 500), "c": "http://host/a@b"} {
			if key == "a" {
				url = strings.ReplaceAll(url, "p/w", "p%2Fw")
			}
			if err := w.AddTask(t.Context(), key, Task{URL: url, Method: "PUT", Headers: map[string]string{"Authorization": "x"}, Body: []byte("body")}, DueMax); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.AddTask(t.Context(), "d", Task{Handler: "h", Body: []byte("body")}, DueMax); err != nil {
			t.Fatal(err)
		}
		want := []Task{{URL: "https://xxxxx@host/x", Method: "PUT"}, {URL: ("https://xxxxx@host/" + strings.Repeat("y", 500))[:200], Method: "PUT"},
			{URL: "http://host/a@b", Method: "PUT"}, {Handler: "h"}}
		i := 0
		for info, err := range w.Tasks(t.Context(), Query{State: Waiting, View: ViewRow}) {
			if err != nil || info.Err != nil || fmt.Sprint(info.Task) != fmt.Sprint(want[i]) || !info.Due.Equal(DueMax) {
				t.Errorf("%s: %+v, %v", info.Key, info, err)
			}
			i++
		}
		for info := range w.Tasks(t.Context(), Query{State: Waiting, Match: "a"}) {
			if string(info.Task.Body) != "body" || info.Task.Headers["Authorization"] != "x" || !strings.Contains(info.Task.URL, "user:p%2Fw@") {
				t.Errorf("full: %+v", info)
			}
		}
	})
}

// A list of large tasks transfers no bodies, and of other shards no more than is listed, about.
func TestListTransfersWhatIsShown(t *testing.T) {
	server := redistest.Start(t)
	ctx, w := t.Context(), open(t, server.Client(), 4)
	var items []Item
	for i := range 400 {
		items = append(items, Item{fmt.Sprint("k", i), Task{URL: "http://x/", Body: make([]byte, 64<<10)}, time.Now().Add(time.Hour)})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	sent := func() (n int64) {
		info := must(infoOf(ctx, server.Client()))(t)
		fmt.Sscan(info["total_net_output_bytes"], &n)
		return n
	}
	before, n := sent(), 0
	for _, err := range w.Tasks(ctx, Query{State: Waiting, View: ViewRow, Page: 200}) {
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
	if list := must(w.List(ctx, Waiting, time.Time{}, 400))(t); len(list) != 400 || len(list[399].Task.Body) != 64<<10 {
		t.Errorf("%d listed in full", len(list))
	}
}

// Tasks of a query are removed, but not one that was added again after it was listed.
func TestRemoveTasks(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), open(t, c, 2)
		addDead(t, w, 10)
		start := time.Now().Add(time.Hour).Truncate(time.Minute).Add(time.Second)
		for i := range 700 {
			if err := w.AddTask(ctx, fmt.Sprint("w", i), Task{Handler: "h"}, start.Add(time.Duration(i)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		if n := must(w.RemoveTasks(ctx, Query{State: Dead, Error: "404"}))(t); n != 5 {
			t.Errorf("%d dead removed", n)
		}
		if n := must(w.RemoveTasks(ctx, Query{State: Waiting, Match: "w*"}))(t); n != 700 {
			t.Errorf("%d waiting removed", n)
		}
		st := must(w.Stats(ctx))(t)
		if st.Waiting != 0 || st.Dead != 5 || st.Removed != 705 || st.MinutesAll != 0 {
			t.Errorf("%+v", st)
		}
		s := w.shards[w.shardOf("k0")]
		listed := must(s.List(ctx, Dead, 0, "", 100))(t)
		at := listed[slices.IndexFunc(listed, func(f Found) bool { return f.Key == "k0" })].At
		if err := w.AddTask(ctx, "k0", Task{Handler: "new"}, start); err != nil {
			t.Fatal(err)
		}
		if n := must(s.removeListed(ctx, Waiting, []string{"k0", fmt.Sprint(must(dueOf(start))(t) - 1)}))(t); n != 0 {
			t.Error("a task whose time has changed within its minute is removed")
		}
		for _, state := range []State{Dead, Waiting} {
			if n := must(s.removeListed(ctx, state, []string{"k0", fmt.Sprint(at)}))(t); n != 0 {
				t.Errorf("a task that was added again is removed as %s", state)
			}
		}
	})
}

// A task in flight is removed although its lease was extended after it was listed.
func TestRemoveInFlight(t *testing.T) {
	ctx, w := t.Context(), open(t, embedded(t), 1)
	s := w.shards[0]
	must(s.Add(ctx, []Entry{entry("k", 1)}))(t)
	c := must(s.Claim(ctx, 1, time.Minute))(t)
	must(s.Extend(ctx, []Hold{c.Tasks[0].Hold}, time.Hour))(t)
	if n := must(s.removeListed(ctx, InFlight, []string{"k", "17"}))(t); n != 1 {
		t.Errorf("%d removed", n)
	}
}

// Invalid queries are reported.
func TestQueryMistakes(t *testing.T) {
	w := open(t, embedded(t), 1)
	for _, q := range []Query{{}, {State: "lost"}, {State: Dead, Page: ListMax + 1}, {State: Dead, Match: strings.Repeat("x", FilterMax+1)}} {
		for _, err := range w.Tasks(t.Context(), q) {
			if !errors.Is(err, ErrInput) {
				t.Errorf("%+v: %v", q, err)
			}
		}
		if _, err := w.RemoveTasks(t.Context(), q); !errors.Is(err, ErrInput) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// Tasks that are reserved for workers with their handler are waiting tasks: listed in order, and removed.
func TestQueryOfReservedTasks(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), open(t, c, 1)
		for i, key := range []string{"h1", "u2", "h3", "u4"} {
			task, due := Task{Handler: "h"}, time.UnixMilli(int64(i+1))
			if key[0] == 'u' {
				task, due = Task{URL: "http://x"}, time.Now().Add(time.Hour)
			}
			if err := w.AddTask(ctx, key, task, due); err != nil {
				t.Fatal(err)
			}
		}
		claim := must(w.shards[0].ClaimFor(ctx, ClaimRequest{Limit: 10, Lease: time.Minute, Worker: "w", Nonce: 1}))(t)
		if len(claim.Tasks) != 0 {
			t.Fatalf("claimed %+v", claim.Tasks)
		}
		for _, page := range []int{1, 2, 10} {
			if keys := keysOfQuery(t, w, Query{State: Waiting, Page: page}); !slices.Equal(keys, []string{"h1", "h3", "u2", "u4"}) {
				t.Errorf("pages of %d: %q", page, keys)
			}
		}
		if st := must(w.Stats(ctx))(t); st.Overdue != 2 || st.Waiting != 4 {
			t.Errorf("%+v", st)
		}
		if n := must(w.RemoveTasks(ctx, Query{State: Waiting, Match: "h*"}))(t); n != 2 {
			t.Errorf("%d removed", n)
		}
		if keys := keysOfQuery(t, w, Query{State: Waiting}); !slices.Equal(keys, []string{"u2", "u4"}) {
			t.Errorf("left: %q", keys)
		}
	})
}
