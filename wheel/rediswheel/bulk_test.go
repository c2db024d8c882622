package rediswheel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A bulk adds every task once, in batches of limited number and size. Of two tasks with the same
// key it adds the later.
func TestBulk(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 3)
		b, start := w.NewBulk(ctx, rediswheel.BulkOptions{}), time.Now().Add(time.Hour)
		for i := range 2000 {
			if err := b.Add(fmt.Sprint("k", i%1500), rediswheel.Task{Handler: fmt.Sprint("h", i/1500), Body: make([]byte, 2000)}, start); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Add("", rediswheel.Task{}, start); !errors.Is(err, rediswheel.ErrInput) {
			t.Errorf("a wrong task: %v", err)
		}
		added, present, err := b.Close()
		st := redistest.Must(w.Stats(ctx))(t)
		if err != nil || added != 2000 || present != 0 || st.Waiting != 1500 || st.Replaced != 500 {
			t.Errorf("%d, %d, %v; %+v", added, present, err, st)
		}
		if info, _, err := w.Get(ctx, "k3"); err != nil || info.Task.Handler != "h1" {
			t.Errorf("%+v, %v", info, err)
		}
	})
}

// With IfAbsent a task with the same key is not changed, in any state.
func TestAddIfAbsent(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 2)
		wheeltesting.AddDead(t, w, 3)
		at := time.Now().Add(time.Hour).Truncate(time.Millisecond)
		for i, want := range []bool{true, false} {
			if added, err := w.AddTaskIfAbsent(ctx, "new", rediswheel.Task{Handler: fmt.Sprint("h", i)}, at); err != nil || added != want {
				t.Errorf("%d: %v, %v", i, added, err)
			}
		}
		if added, err := w.AddTaskIfAbsent(ctx, "k0", rediswheel.Task{Handler: "h"}, at); err != nil || added {
			t.Errorf("dead: %v, %v", added, err)
		}
		if _, err := w.AddTaskIfAbsent(ctx, "x", rediswheel.Task{}, at); !errors.Is(err, rediswheel.ErrInput) {
			t.Error(err)
		}
		info, _, _ := w.Get(ctx, "new")
		if st := redistest.Must(w.Stats(ctx))(t); st.Waiting != 1 || st.Dead != 3 || st.Replaced != 0 || info.Task.Handler != "h0" || !info.At.Equal(at) {
			t.Errorf("%+v, %+v", st, info)
		}
	})
}

// Listed tasks are restored unchanged on another wheel, except that tasks in flight are due at
// once.
func TestRestore(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), wheeltesting.Open(t, c, 1)
		wheeltesting.AddDead(t, w, 2)
		s := engine.Of(w).Shards()[0]
		for i, key := range []string{"retry", "flight"} {
			redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry(key, 1)}))(t)
			hold := redistest.Must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].ClaimID
			if i == 0 {
				redistest.Must(s.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: hold, Wait: time.Hour, Reason: "answered 503"}}))(t)
			}
		}
		task := rediswheel.Task{URL: "http://u:p@x/", Body: []byte("b\xff"), Headers: map[string]string{"A": "b"}, MaxAttempts: 7, Timeout: 90 * time.Second}
		if err := w.AddTask(ctx, "wait", task, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		other := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Name: "other", Shards: 4}))(t)
		want := map[string]rediswheel.Info{}
		for round, o := range []rediswheel.BulkOptions{{IfAbsent: true}, {IfAbsent: true}, {}} {
			b := other.NewBulk(ctx, o)
			for _, state := range rediswheel.States {
				for info, err := range w.Tasks(ctx, rediswheel.Query{State: state}) {
					if err == nil {
						err = b.Restore(info)
					}
					if err != nil {
						t.Fatal(err)
					}
					want[info.Key] = info
				}
			}
			added, present, err := b.Close()
			if err != nil || added != []int{5, 0, 5}[round] || present != []int{0, 5, 0}[round] {
				t.Errorf("round %d: %d added, %d present, %v", round, added, present, err)
			}
		}
		for key, i := range want {
			got, ok, err := other.Get(ctx, key)
			if key == "flight" {
				i.State, i.At = rediswheel.Retrying, i.Due
			}
			if !ok || err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", i) {
				t.Errorf("%s: %+v, %v, want %+v", key, got, err, i)
			}
		}
		if st := redistest.Must(other.Stats(ctx))(t); st.Waiting != 1 || st.Retrying != 2 || st.Dead != 2 || st.Overdue != 1 {
			t.Errorf("%+v", st)
		}
		b := other.NewBulk(ctx, rediswheel.BulkOptions{})
		if err := b.Restore(rediswheel.Info{Key: "k", State: "lost", Task: task, Due: rediswheel.DueMin, At: rediswheel.DueMin}); !errors.Is(err, rediswheel.ErrInput) {
			t.Error(err)
		}
		b.Close()
	})
}

// If Redis is killed during a bulk, Close returns an error, and the tasks counted as added were
// added.
func TestBulkWithoutRedis(t *testing.T) {
	server := redistest.Start(t)
	w := wheeltesting.Open(t, server.Client(), 2)
	b := w.NewBulk(t.Context(), rediswheel.BulkOptions{})
	var err error
	for i := 0; err == nil && i < 1_000_000; i++ {
		if i == 3000 {
			server.Kill()
		}
		err = b.Add(fmt.Sprint("k", i), rediswheel.Task{Handler: "h"}, time.Now())
	}
	added, _, errClose := b.Close()
	if !errors.Is(err, rediswheel.ErrUnreachable) || !errors.Is(errClose, rediswheel.ErrUnreachable) || added > 3000 || strings.Contains(err.Error(), "context") {
		t.Errorf("%d added, %v, %v", added, err, errClose)
	}
}
