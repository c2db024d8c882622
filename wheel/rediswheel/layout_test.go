package rediswheel_test

import (
	"context"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
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
		if st := redistest.Must(again.Stats(ctx))(t); st.Waiting != 8 || again.Shards() != 4 {
			t.Errorf("%d tasks, %d shards", st.Waiting, again.Shards())
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
		for _, key := range redistest.Must(c.Keys(ctx, engine.Of(w).Shards()[2].Prefix+":*").Result())(t) {
			redistest.Must(c.Del(ctx, key).Result())(t)
		}
		wheeltesting.AddHandled(t, w, "after", 12)
		if w.Losses().Data != 1 || !strings.Contains(log.String(), `"shards lost"=[2]`) || engine.Of(w).Latest() != engine.Of(w) {
			t.Errorf("%+v, %s", w.Losses(), log)
		}
		if st := redistest.Must(w.Stats(ctx))(t); st.Waiting < 12 {
			t.Errorf("%d tasks", st.Waiting)
		}
	})
}

// A wheel whose description has another format, or a number of shards that is out of range, is rejected with a one-line
// error.
func TestOtherFormatIsRefused(t *testing.T) {
	ctx, c := context.Background(), redistest.Embedded(t)
	wheeltesting.Open(t, c, 3)
	redistest.Must(c.HSet(ctx, "wheel:wheel", "format", 3).Result())(t)
	_, err := rediswheel.Open(ctx, c, rediswheel.Options{})
	redistest.ExpectLine(t, err, rediswheel.ErrFormat, `the wheel has format "3", this program has 1; use programs of one version (Redis at `)
	redistest.Must(c.HSet(ctx, "wheel:wheel", "format", 1, "shards", 65).Result())(t)
	_, err = rediswheel.Open(ctx, c, rediswheel.Options{})
	redistest.ExpectLine(t, err, rediswheel.ErrShards, `the wheel has "65" shards, expected 1 to 64`)
}
