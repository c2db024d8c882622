package rediswheel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// Adding a key again replaces time and body in every state. Removal needs only the key, however far
// in the future the task is due.
func TestOneTaskAKey(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 4)
		now := time.Now().UTC().Truncate(time.Millisecond)
		for i, at := range []time.Time{now.Add(time.Hour), now.Add(-time.Hour), now.AddDate(100, 0, 0)} {
			if err := w.AddTask(ctx, "k", rediswheel.Task{Handler: fmt.Sprint(i)}, at); err != nil {
				t.Fatal(err)
			}
			got, ok, err := w.Get(ctx, "k")
			if !ok || err != nil || got.Task.Handler != fmt.Sprint(i) || !got.Due.Equal(at) || got.State != rediswheel.Waiting {
				t.Fatalf("%d: %+v %v %v", i, got, ok, err)
			}
		}
		st := redistest.Must(w.Stats(ctx))(t)
		if st.Waiting != 1 || st.Added != 3 || st.Replaced != 2 || len(st.Minutes) != 1 {
			t.Errorf("stats %+v", st)
		}
		if ok := redistest.Must(w.RemoveTask(ctx, "k"))(t); !ok {
			t.Error("not removed")
		}
		if ok := redistest.Must(w.RemoveTask(ctx, "k"))(t); ok {
			t.Error("removed twice")
		}
		if left := redistest.Must(c.Keys(ctx, "*:tasks").Result())(t); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	})
}

// With many concurrent callers each gets the result of its own task, and the last task of a key is
// kept.
func TestAddSideBySide(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 2)
		var all sync.WaitGroup
		for caller := range 20 {
			all.Go(func() {
				for i := range 10 {
					for _, key := range []string{fmt.Sprint(caller, "-", i), fmt.Sprint("own ", caller), "shared"} {
						if err := w.AddTask(ctx, key, rediswheel.Task{Handler: fmt.Sprint(i)}, time.Now().Add(time.Hour)); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		all.Wait()
		st := redistest.Must(w.Stats(ctx))(t)
		if st.Waiting != 221 || st.Added != 600 || st.Replaced != 379 {
			t.Errorf("stats %+v", st)
		}
		for caller := range 20 {
			if i, ok, err := w.Get(ctx, fmt.Sprint("own ", caller)); !ok || err != nil || i.Task.Handler != "9" {
				t.Errorf("caller %d: %+v %v", caller, i, err)
			}
		}
	})
}

// AddTasks adds many tasks across batches and shards. Of two tasks with one key it keeps the later.
func TestAddTasks(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 3)
	var items []rediswheel.Item
	for i := range 3 * rediswheel.AddBatch {
		items = append(items, rediswheel.Item{fmt.Sprint(i % 700), rediswheel.Task{Handler: fmt.Sprint(i)}, time.Now().Add(time.Duration(i) * time.Minute)})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	if i, _, err := w.Get(ctx, "5"); i.Task.Handler != "705" || err != nil {
		t.Errorf("%+v %v", i, err)
	}
	st := redistest.Must(w.Stats(ctx))(t)
	if st.Waiting != 700 || len(st.Minutes) != rediswheel.MinutesMax || st.Minutes[0].Tasks != 1 {
		t.Errorf("%d waiting, %d minutes", st.Waiting, len(st.Minutes))
	}
	items[1].Key = ""
	if err := w.AddTasks(ctx, items); !errors.Is(err, rediswheel.ErrInput) || !strings.HasPrefix(err.Error(), "task 1: ") {
		t.Errorf("a bad one: %v", err)
	}
}

// List returns tasks in order of time over all shards, and continues at a given position.
func TestList(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 3)
		start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range 30 {
			if err := w.AddTask(ctx, fmt.Sprintf("k%02d", i), wheeltesting.Post, start.Add(time.Duration(i)*20*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		list := redistest.Must(w.List(ctx, rediswheel.Waiting, start.Add(100*time.Second), 10))(t)
		for i, info := range list {
			if want := fmt.Sprintf("k%02d", i+5); info.Key != want || len(list) != 10 || string(info.Task.Body) != "b" {
				t.Errorf("%d of %d: %+v, want %s", i, len(list), info, want)
			}
		}
	})
}

// A page of a list of a shard omits tasks of its first instant that were on earlier pages, whether
// or not the last task of that page still exists.
func TestListContinues(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.NewClockwork(t)
	var entries []engine.Entry
	for i := range 6 {
		entries = append(entries, wheeltesting.Entry(fmt.Sprint("k", i), 60_000*int64(1+i/4)))
	}
	redistest.Must(w.Add(ctx, entries))(t)
	for after, want := range map[string]string{"": "k0", "j": "k0", "k": "k0", "k0": "k1", "k2": "k3", "k2x": "k3", "k3": "k4", "z": "k4"} {
		found := redistest.Must(wheeltesting.List(ctx, w.Shard, rediswheel.Waiting, engine.Position{At: 60_000, Key: after}, 2))(t)
		if len(found) != 2 || found[0].Key != want {
			t.Errorf("after %q: %+v, want %s", after, found, want)
		}
	}
}

// If more tasks have the same instant than a list returns, they are listed page by page, each
// once, ordered by the bytes of their keys; also at the end of the range of times.
func TestListOfOneInstant(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 3)
		var items []rediswheel.Item
		for i := range 200 {
			items = append(items, rediswheel.Item{string([]byte{byte(i + 40), 'x'}), wheeltesting.Post, rediswheel.DueMax})
		}
		if err := w.AddTasks(ctx, items); err != nil {
			t.Fatal(err)
		}
		var keys []string
		for info, err := range w.Tasks(ctx, rediswheel.Query{State: rediswheel.Waiting, From: rediswheel.DueMax, Page: 30}) {
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, info.Key)
		}
		if len(keys) != 200 || !slices.IsSorted(keys) || len(slices.Compact(keys)) != 200 {
			t.Errorf("%d keys, in order %v: %q", len(keys), slices.IsSorted(keys), keys)
		}
	})
}

// Minutes are counted over all shards; MinutesAll is not less than the number of minutes listed.
func TestMinutesOfShards(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 4)
	var items []rediswheel.Item
	for i := range 40 {
		items = append(items, rediswheel.Item{fmt.Sprint(i), wheeltesting.Post, time.Unix(60*int64(i), 0)})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	if st := redistest.Must(w.Stats(ctx))(t); len(st.Minutes) != 40 || st.MinutesAll != 40 {
		t.Errorf("%d minutes listed of %d", len(st.Minutes), st.MinutesAll)
	}
}

// An invalid argument returns a one-line error that names it, and nothing is added.
func TestBadTasks(t *testing.T) {
	ctx, c := context.Background(), redistest.Embedded(t)
	w := wheeltesting.Open(t, c, 1)
	now := time.Now()
	many := map[string]string{}
	for i := range rediswheel.HeadersMax + 1 {
		many[fmt.Sprint("h", i)] = "v"
	}
	for _, x := range []struct {
		name, key string
		task      rediswheel.Task
		at        time.Time
		want      string
	}{
		{"no key", "", wheeltesting.Post, now, "key: empty"},
		{"long key", strings.Repeat("k", rediswheel.KeyMax+1), wheeltesting.Post, now, "key: 513 bytes, expected at most 512"},
		{"nothing", "k", rediswheel.Task{}, now, "neither URL nor handler"},
		{"both", "k", rediswheel.Task{URL: "http://x", Handler: "h"}, now, "both handler and URL given"},
		{"scheme", "k", rediswheel.Task{URL: "ftp://x/"}, now, `url: "ftp://x/", expected http`},
		{"no host", "k", rediswheel.Task{URL: "http:///x"}, now, "expected http://HOST"},
		{"port alone", "k", rediswheel.Task{URL: "http://:80/x"}, now, `url: "http://:80/x", expected http://HOST`},
		{"space in the query", "k", rediswheel.Task{URL: "http://h/a?q=b c"}, now, "expected no space"},
		{"no port", "k", rediswheel.Task{URL: "http://x:65536/"}, now, `url: "http://x:65536/": expected a port of 0 to 65535`},
		{"malformed", "k", rediswheel.Task{URL: "http://[::1/"}, now, `url: "http://[::1/": missing ']' in host`},
		{"long url", "k", rediswheel.Task{URL: "http://x/" + strings.Repeat("a", rediswheel.URLMax)}, now, "at most 4096"},
		{"method", "k", rediswheel.Task{URL: "http://x", Method: "BREW"}, now, `method: "BREW"`},
		{"header", "k", rediswheel.Task{URL: "http://x", Headers: map[string]string{"a b": "c"}}, now, `header "a b"`},
		{"header value", "k", rediswheel.Task{URL: "http://x", Headers: map[string]string{"a": "c\r\nd: e"}}, now, `header "a"`},
		{"header value of no text", "k", rediswheel.Task{URL: "http://x", Headers: map[string]string{"a": "caf\xe9"}}, now, `header "a": "caf\xe9": not valid UTF-8`},
		{"url of no text", "k", rediswheel.Task{URL: "http://x/caf\xe9"}, now, `url: "http://x/caf\xe9": not valid UTF-8`},
		{"handler of no text", "k", rediswheel.Task{Handler: "caf\xe9"}, now, `handler: "caf\xe9": not valid UTF-8`},
		{"many headers", "k", rediswheel.Task{URL: "http://x", Headers: many}, now, "33 fields, expected at most 32"},
		{"big headers", "k", rediswheel.Task{URL: "http://x", Headers: map[string]string{"a": strings.Repeat("v", rediswheel.HeaderMax)}}, now, "at most 8192"},
		{"handler's headers", "k", rediswheel.Task{Handler: "h", Headers: map[string]string{"a": "b"}}, now, "only for a URL, not for a handler"},
		{"long handler", "k", rediswheel.Task{Handler: strings.Repeat("h", rediswheel.HandlerMax+1)}, now, "at most 128"},
		{"body", "k", rediswheel.Task{Handler: "h", Body: make([]byte, rediswheel.BodyMax+1)}, now, "body: 262145 bytes, expected at most 262144"},
		{"before 1970", "k", wheeltesting.Post, time.Unix(0, -1), "before 1970"},
		{"zero time", "k", wheeltesting.Post, time.Time{}, "before 1970"},
		{"past the range", "k", wheeltesting.Post, rediswheel.DueMax.Add(time.Millisecond), "past the year 9999"},
	} {
		err := w.AddTask(ctx, x.key, x.task, x.at)
		if !errors.Is(err, rediswheel.ErrInput) || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
		}
	}
	if n := redistest.Must(c.DBSize(ctx).Result())(t); n != 2 {
		t.Errorf("%d keys, want that of the wheel and the mark of its shard", n)
	}
}

// The ends of every range are accepted, and a time is rounded up to the ms.
func TestGoodTasks(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	for _, x := range []struct {
		at   time.Time
		want int64
	}{
		{time.Unix(0, 0), 0}, {time.Unix(0, 1), 1}, {time.Unix(5, 1e6), 5001}, {time.Unix(5, 1e6+1), 5002},
		{rediswheel.DueMax, rediswheel.DueMax.UnixMilli()}, {time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 8*3600)), 1767294245000},
	} {
		task := rediswheel.Task{Handler: strings.Repeat("h", rediswheel.HandlerMax), Body: make([]byte, rediswheel.BodyMax)}
		if err := w.AddTask(ctx, strings.Repeat("k", rediswheel.KeyMax), task, x.at); err != nil {
			t.Fatal(err)
		}
		i, _, err := w.Get(ctx, strings.Repeat("k", rediswheel.KeyMax))
		if err != nil || i.Due.UnixMilli() != x.want || len(i.Task.Body) != rediswheel.BodyMax {
			t.Errorf("%v: due %d, want %d (%v)", x.at, i.Due.UnixMilli(), x.want, err)
		}
	}
}

// A record without a due time, written by another program, is found, replaced and removed in every
// state.
func TestRecordWithoutDue(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 1)
		s := engine.Of(w).Shards()[0]
		for _, state := range []rediswheel.State{rediswheel.InFlight, rediswheel.Dead} {
			for _, replace := range []bool{true, false} {
				redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("k", 1)}))(t)
				claim := redistest.Must(s.Claim(ctx, 1, time.Minute))(t)
				if state == rediswheel.Dead {
					redistest.Must(s.MarkDead(ctx, 0, []engine.Failed{{ClaimID: claim.Tasks[0].ClaimID}}))(t)
				}
				redistest.Must(c.HSet(ctx, s.Prefix+":tasks", "k", "not a record").Result())(t)
				if i, ok, err := w.Get(ctx, "k"); !ok || err != nil || i.State != state || i.Err == nil {
					t.Fatalf("%s: %+v, %v, %v", state, i, ok, err)
				}
				if replace {
					redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("k", rediswheel.DueMax.UnixMilli())}))(t)
				}
				if !redistest.Must(w.RemoveTask(ctx, "k"))(t) {
					t.Errorf("%s, replaced %v: not removed", state, replace)
				}
				if st := redistest.Must(w.Stats(ctx))(t); st.Waiting+st.InFlight+st.Dead+st.MinutesAll > 0 {
					t.Errorf("%s, replaced %v: left %+v", state, replace, st)
				}
			}
		}
		redistest.Must(c.HSet(ctx, s.Prefix+":tasks", "lone", "").Result())(t)
		if i, ok, err := w.Get(ctx, "lone"); !ok || err != nil || i.State != rediswheel.Waiting {
			t.Errorf("lone: %+v, %v, %v", i, ok, err)
		}
	})
}

// The first program that opens a wheel sets its number of shards.
func TestOpen(t *testing.T) {
	ctx, c := context.Background(), redistest.Embedded(t)
	for _, o := range []rediswheel.Options{{Name: "a b"}, {Name: "{x}"}, {Name: strings.Repeat("n", 65)}, {Shards: -1}, {Shards: rediswheel.ShardsMax + 1}} {
		if _, err := rediswheel.Open(ctx, c, o); !errors.Is(err, rediswheel.ErrInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	wheeltesting.Open(t, c, 3)
	if w := wheeltesting.Open(t, c, 0); w.Shards() != 3 || w.Name() != rediswheel.NameDefault || w.Addr() == "" {
		t.Errorf("opened %q at %q with %d shards", w.Name(), w.Addr(), w.Shards())
	}
	_, err := rediswheel.Open(ctx, c, rediswheel.Options{Shards: 2})
	if want := `shards do not agree: wheel "wheel" has 3, expected 2 (Redis at `; !errors.Is(err, rediswheel.ErrShards) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// Opening with Existing creates no wheel and does not fix the number of shards.
func TestOpenExisting(t *testing.T) {
	ctx, c := context.Background(), redistest.Embedded(t)
	_, err := rediswheel.Open(ctx, c, rediswheel.Options{Existing: true})
	redistest.ExpectLine(t, err, rediswheel.ErrNone, `no such wheel: "wheel", created by its first worker or task (Redis at `)
	if n := redistest.Must(c.DBSize(ctx).Result())(t); n != 0 {
		t.Errorf("%d keys were made", n)
	}
	wheeltesting.Open(t, c, 3)
	if w := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Existing: true}))(t); w.Shards() != 3 {
		t.Errorf("%d shards", w.Shards())
	}
}

// Invalid queries return errors as invalid tasks do.
func TestBadQuestions(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	_, _, err := w.Get(ctx, "")
	_, errRemove := w.RemoveTask(ctx, "")
	_, errState := w.List(ctx, "gone", time.Time{}, 1)
	_, errLimit := w.List(ctx, rediswheel.Dead, time.Time{}, rediswheel.ListMax+1)
	for i, err := range []error{err, errRemove, errState, errLimit} {
		if !errors.Is(err, rediswheel.ErrInput) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// An error about a URL does not quote its password.
func TestBadURLsHidePasswords(t *testing.T) {
	w := wheeltesting.Open(t, redistest.Embedded(t), 1)
	for _, url := range []string{"ftp://u:secret@h/", "https://u:secret@h:99999/", "https://u:sec%ret@h/", "https://u:secret@[::1/", "https://u:secret@h/\xff"} {
		if err := w.AddTask(t.Context(), "k", rediswheel.Task{URL: url}, time.Now()); !errors.Is(err, rediswheel.ErrInput) || strings.Contains(err.Error(), "sec") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
