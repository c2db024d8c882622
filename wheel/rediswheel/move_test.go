package rediswheel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A task that waits for its time or for another attempt, or is dead, is moved with its body, and starts with its first
// attempt. A task in flight is not changed.
func TestReschedule(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 2)
		at := time.Now().Add(3 * time.Hour).UTC().Truncate(time.Millisecond)
		task := rediswheel.Call("h", []byte("body"))
		for _, state := range []rediswheel.State{rediswheel.Waiting, rediswheel.Retrying, rediswheel.Dead, rediswheel.InFlight} {
			key := string(state)
			due := time.UnixMilli(1)
			if state == rediswheel.Waiting {
				due = at.Add(time.Hour)
			}
			if err := w.AddTask(ctx, key, task, due); err != nil {
				t.Fatal(err)
			}
			s := wheeltesting.ShardOf(t, w, key)
			if state != rediswheel.Waiting {
				failed := []engine.Failed{{ClaimID: redistest.Must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].ClaimID, Wait: time.Hour, Reason: "failed"}}
				switch state {
				case rediswheel.Retrying:
					redistest.Must(s.Later(ctx, engine.Retried, failed))(t)
				case rediswheel.Dead:
					redistest.Must(s.MarkDead(ctx, 0, failed))(t)
				}
			}
			moved, err := w.Reschedule(ctx, key, at)
			got, _, _ := w.Get(ctx, key)
			if state == rediswheel.InFlight {
				if moved || !errors.Is(err, rediswheel.ErrInFlight) || got.State != state {
					t.Errorf("in flight: moved %v, %v, then %+v", moved, err, got)
				}
				continue
			}
			if !moved || err != nil || got.State != rediswheel.Waiting || !got.Due.Equal(at) || !got.At.Equal(at) || got.Attempts != 0 || string(got.Task.Body) != "body" {
				t.Errorf("%s: moved %v, %v, then %+v", state, moved, err, got)
			}
			if moved, err = w.RunNow(ctx, key); !moved || err != nil {
				t.Errorf("%s: run %v, %v", state, moved, err)
			}
			wheeltesting.ExpectKeys(t, redistest.Must(s.Claim(ctx, 1, time.Minute))(t), key)
			if removed, err := w.RemoveTask(ctx, key); !removed || err != nil {
				t.Errorf("%s: removed %v, %v", state, removed, err)
			}
		}
		if moved, err := w.RunNow(ctx, "none"); moved || err != nil {
			t.Errorf("no task: %v, %v", moved, err)
		}
		if st := redistest.Must(w.Stats(ctx))(t); st.InFlight != 1 || st.Added != 4 || st.Waiting+st.Retrying+st.Dead != 0 {
			t.Errorf("%+v", st)
		}
	})
}

// A delay is counted from the clock of Redis.
func TestAddIn(t *testing.T) {
	w := wheeltesting.Open(t, redistest.Embedded(t), 1)
	before := redistest.Must(w.Now(t.Context()))(t)
	if err := w.AddIn(t.Context(), "k", rediswheel.HTTP("http://example.org/x", nil), time.Hour); err != nil {
		t.Fatal(err)
	}
	after := redistest.Must(w.Now(t.Context()))(t)
	got, ok, err := w.Get(t.Context(), "k")
	if !ok || err != nil || got.Due.Before(before.Add(time.Hour).Truncate(time.Millisecond)) || got.Due.After(after.Add(time.Hour+time.Millisecond)) {
		t.Errorf("%+v %v %v", got, ok, err)
	}
}
