package rediswheel

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// onBoth runs a test on the embedded server and on a real one, both empty.
func onBoth(t *testing.T, f func(t *testing.T, c goredis.UniversalClient)) {
	t.Run("embedded", func(t *testing.T) { f(t, embedded(t)) })
	t.Run("real", func(t *testing.T) { f(t, redistest.Start(t).Client()) })
}

// embedded starts an embedded server under its own, real clock.
func embedded(t testing.TB) *goredis.Client {
	t.Helper()
	c := goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// clockwork is a shard on an embedded server whose clock the test sets.
type clockwork struct {
	Shard
	server *miniredis.Miniredis
	now    int64
}

func newClockwork(t testing.TB) *clockwork {
	t.Helper()
	m := miniredis.RunT(t)
	c := goredis.NewClient(&goredis.Options{Addr: m.Addr()})
	t.Cleanup(func() { _ = c.Close() })
	w := &clockwork{Shard: Shard{Redis: c, Prefix: "w{0}"}, server: m}
	w.set(1_700_000_000_000)
	return w
}

func (w *clockwork) set(ms int64) {
	w.now = ms
	w.server.SetTime(time.UnixMilli(ms))
}
