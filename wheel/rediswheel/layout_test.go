package rediswheel_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/layout"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// If Redis has lost its data, a producer creates the wheel again with the same layout.
func TestWheelIsMadeAgain(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log := context.Background(), &redistest.Journal{}
		w := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Shards: 4, Log: log.Logger()}))(t)
		if err := c.FlushAll(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		if found, err := w.RemoveTask(ctx, "k"); found || err != nil {
			t.Errorf("removed %v, %v", found, err)
		}
		wheeltesting.AddHandled(t, w, "k", 8)
		again := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Existing: true}))(t)
		if st := redistest.Must(again.Stats(ctx))(t); st.Waiting != 8 || len(again.Shards()) != 4 {
			t.Errorf("%d tasks, %d shards", st.Waiting, len(again.Shards()))
		}
		if w.Losses().Data != 1 || strings.Count(log.String(), "Redis has lost the wheel") != 1 || c.HGet(ctx, "wheel:wheel", "lost").Val() != "1" {
			t.Errorf("%+v, %s", w.Losses(), log)
		}
	})
}

// A shard that was lost alone, with its node of a cluster, is reported by its number.
func TestShardIsLost(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log := context.Background(), &redistest.Journal{}
		w := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Shards: 4, Log: log.Logger()}))(t)
		wheeltesting.AddHandled(t, w, "before", 12)
		for _, key := range redistest.Must(c.Keys(ctx, w.Shards()[2].Prefix+":*").Result())(t) {
			redistest.Must(c.Del(ctx, key).Result())(t)
		}
		wheeltesting.AddHandled(t, w, "after", 12)
		if w.Losses().Data != 1 || !strings.Contains(log.String(), `"shards lost"=[2]`) || layout.Of(w).Latest() != layout.Of(w) {
			t.Errorf("%+v, %s", w.Losses(), log)
		}
		if st := redistest.Must(w.Stats(ctx))(t); st.Waiting < 12 {
			t.Errorf("%d tasks", st.Waiting)
		}
	})
}

// A wheel created by an older program stores only its number of shards. It keeps its layout.
func TestOlderWheel(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx := context.Background()
		redistest.Must(c.HSet(ctx, "wheel:wheel", "shards", 3).Result())(t)
		for i := range 3 {
			redistest.Must(rediswheel.Shard{Redis: c, Prefix: fmt.Sprintf("wheel{%d}", i)}.Add(ctx, []rediswheel.Entry{wheeltesting.Entry(fmt.Sprint("old", i), 1)}))(t)
		}
		looking := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Existing: true}))(t)
		if n := redistest.Must(c.HLen(ctx, "wheel:wheel").Result())(t); n != 1 || len(looking.Shards()) != 3 {
			t.Errorf("looking at it left %d fields; %d shards", n, len(looking.Shards()))
		}
		log := &redistest.Journal{}
		w := redistest.Must(rediswheel.Open(ctx, c, rediswheel.Options{Log: log.Logger()}))(t)
		if st := redistest.Must(w.Stats(ctx))(t); st.Waiting != 3 || w.Shards()[1].Prefix != "wheel{1}" || log.String() != "" {
			t.Errorf("%+v, %q, %s", st, w.Shards()[1].Prefix, log)
		}
		wheeltesting.AddHandled(t, w, "new", 30)
		if st := redistest.Must(looking.Stats(ctx))(t); st.Waiting != 33 {
			t.Errorf("%+v", st)
		}
	})
}

// An older program rejects a wheel of layout 2, because it reads the number of shards as 0. The
// layout of a newer program is rejected with a one-line error.
func TestOtherLayoutIsRefused(t *testing.T) {
	ctx, c := context.Background(), redistest.Embedded(t)
	wheeltesting.Open(t, c, 3)
	if n, err := c.HGet(ctx, "wheel:wheel", "shards").Int(); n != 0 || err != nil {
		t.Errorf("an older program reads %d shards, %v", n, err)
	}
	redistest.Must(c.HSet(ctx, "wheel:wheel", "layout", 3).Result())(t)
	_, err := rediswheel.Open(ctx, c, rediswheel.Options{})
	redistest.ExpectLine(t, err, rediswheel.ErrShards, `the wheel has layout "3", this program knows up to 2 (Redis at `)
	redistest.Must(c.HSet(ctx, "wheel:wheel", "layout", 2, "count", 65).Result())(t)
	_, err = rediswheel.Open(ctx, c, rediswheel.Options{})
	redistest.ExpectLine(t, err, rediswheel.ErrShards, `the wheel has "65" shards, expected 1 to 64`)
}
