package lane

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// The published wheel has the faults of its source. Other tests compare it with all
// recorded scenarios.
func TestPublishedFaults(t *testing.T) {
	for name, c := range map[string]*goredis.Client{
		"embedded": goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()}), "real": redistest.Start(t).Client()} {
		t.Cleanup(func() { _ = c.Close() })
		t.Run(name, func(t *testing.T) { testPublishedFaults(t, c) })
	}
}

func testPublishedFaults(t *testing.T, c *goredis.Client) {
	ctx, p := context.Background(), publishedScripts{c}
	epoch := time.Date(2023, 9, 23, 15, 59, 0, 0, time.UTC)
	at := func(s int) time.Time { return epoch.Add(time.Duration(s) * time.Second) }
	add := func(key, body string, when time.Time) bool {
		t.Helper()
		return must(p.AddTask(ctx, key, publishedTask{CallbackURL: "http://x/cb", Method: "POST", Req: body}, when))(t)
	}
	scan := func(s int, want ...string) {
		t.Helper()
		var got []string
		for _, task := range must(p.Scan(ctx, at(s)))(t).Fired {
			got = append(got, task.Key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("scan at %d fired %q, want %q", s, got, want)
		}
	}
	add("early", "", at(65).Add(999*time.Millisecond))
	scan(64, "early") // 1.999 s early
	scan(65)          // already popped
	add("twice", "a", at(65))
	add("twice", "b", at(65))
	scan(64, "twice", "twice")
	add("zone", "", at(65).In(time.FixedZone("", 8*3600)))
	scan(64)
	add("minute", "", at(120))
	scan(119) // reads the minute before, and the scan at 120 is missed
	scan(121)
	add("deleted", "", at(185))
	if n := must(p.RemoveTask(ctx, "deleted", at(241)))(t); n != 1 {
		t.Errorf("%d marks", n)
	}
	scan(184, "deleted") // the mark is in the wrong minute
	add("gone", "", at(245))
	must(p.RemoveTask(ctx, "gone", at(245)))(t)
	if ttl := must(c.TTL(ctx, publishedDeleteSetKey(at(245))).Result())(t); ttl != 120*time.Second {
		t.Errorf("the marks last %v", ttl)
	}
	scan(244)
	if !add("gone", "", at(245)) || add("gone", "", at(246)) {
		t.Error("the same body is the same member")
	}
	scan(245, "gone")
	must(c.ZAdd(ctx, publishedSliceKey(at(300)), goredis.Z{Score: float64(at(300).Unix()), Member: "not json"}).Result())(t)
	if s := must(p.Scan(ctx, at(300)))(t); len(s.Bodies) != 1 || len(s.Fired) != 0 {
		t.Errorf("what can't be read: %+v", s)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
