package engine

import (
	"fmt"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// A task in flight is removed although its lease was extended after it was listed.
func TestRemoveInFlight(t *testing.T) {
	ctx, s := t.Context(), Shard{Redis: redistest.Embedded(t), Prefix: "w{0}"}
	redistest.Must(s.Add(ctx, []Entry{record("k", 1)}))(t)
	c := redistest.Must(s.Claim(ctx, 1, time.Minute))(t)
	redistest.Must(s.Extend(ctx, []ClaimID{c.Tasks[0].ClaimID}, time.Hour))(t)
	if n := redistest.Must(s.RemoveListed(ctx, "in-flight", []string{"k", "17"}))(t); n != 1 {
		t.Errorf("%d removed", n)
	}
}

// A listed task that was added again, or whose time has changed, is not removed.
func TestRemoveListedAgain(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := t.Context(), Shard{Redis: c, Prefix: "w{0}"}
		add := func(due int64) { redistest.Must(s.Add(ctx, []Entry{record("k0", due)}))(t) }
		add(1)
		claim := redistest.Must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].ClaimID
		redistest.Must(s.MarkDead(ctx, 0, []Failed{{ClaimID: claim}}))(t)
		dead, _, err := s.Get(ctx, "k0")
		if err != nil {
			t.Fatal(err)
		}
		at := dead.At
		start := time.Now().Add(time.Hour).Truncate(time.Minute).Add(time.Second).UnixMilli()
		add(start)
		if n := redistest.Must(s.RemoveListed(ctx, "waiting", []string{"k0", fmt.Sprint(start - 1)}))(t); n != 0 {
			t.Error("a task whose time has changed within its minute is removed")
		}
		for _, state := range []string{"dead", "waiting"} {
			if n := redistest.Must(s.RemoveListed(ctx, state, []string{"k0", fmt.Sprint(at)}))(t); n != 0 {
				t.Errorf("a task that was added again is removed as %s", state)
			}
		}
	})
}
