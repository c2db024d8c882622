package rediswheel_test

import (
	"context"
	"maps"
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

// dumpAll returns every key with its content.
func dumpAll(t *testing.T, c *goredis.Client) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, key := range redistest.Must(c.Keys(context.Background(), "*").Result())(t) {
		all[key] = redistest.Must(c.Dump(context.Background(), key).Result())(t)
	}
	return all
}

// addMixedTasks adds due tasks to an empty shard: some are waiting, some have a lapsed lease, some are to
// be retried.
func addMixedTasks(t *testing.T, s engine.Shard) {
	t.Helper()
	ctx := context.Background()
	redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1), wheeltesting.Entry("b", 2), wheeltesting.Entry("c", 3), wheeltesting.Entry("d", 4)}))(t)
	claim := redistest.Must(s.Claim(ctx, 4, 0))(t)
	redistest.Must(s.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: claim.Tasks[0].ClaimID}, {ClaimID: claim.Tasks[1].ClaimID}}))(t)
	redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("e", 5), wheeltesting.Entry("f", 70_000)}))(t)
}

// A script that fails because Redis refuses a write, or because a key has another type, changes
// nothing: every task keeps its place.
func TestRefusedClaimChangesNothing(t *testing.T) {
	server, ctx := redistest.Start(t), context.Background()
	c, s := server.Client(), engine.Shard{Redis: server.Client(), Prefix: "w{0}"}
	addMixedTasks(t, s)
	claimed := func(what string, s engine.Shard, want string) {
		t.Helper()
		before := dumpAll(t, c)
		claim, err := s.Claim(ctx, 10, time.Minute)
		if err = connect.Explain(err, "here"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d tasks, %v, want %q", what, len(claim.Tasks), err, want)
		}
		if after := dumpAll(t, c); !maps.Equal(after, before) {
			t.Errorf("%s: the keys have changed", what)
		}
	}
	for _, command := range []string{"zadd", "zrem", "zremrangebyrank", "hset", "hincrby", "hget", "zrange"} {
		if err := c.Do(ctx, "ACL", "SETUSER", "u", "reset", "on", "nopass", "~*", "+@all", "-"+command).Err(); err != nil {
			t.Fatal(err)
		}
		user := goredis.NewClient(&goredis.Options{Addr: server.Addr, Username: "u", Password: "x"})
		claimed("without "+command, engine.Shard{Redis: user, Prefix: "w{0}"}, "access refused by Redis at here: this user may not do that")
		_ = user.Close()
	}
	for _, key := range []string{":stats", ":claims", ":tasks", ":leases", ":retries", ":minutes", ":slice:1"} {
		redistest.Must(c.Rename(ctx, s.Prefix+key, "aside").Result())(t)
		redistest.Must(c.Set(ctx, s.Prefix+key, "text", 0).Result())(t)
		claimed("no "+key, s, "WRONGTYPE")
		redistest.Must(c.Rename(ctx, "aside", s.Prefix+key).Result())(t)
	}
	wheeltesting.ExpectKeys(t, redistest.Must(s.Claim(ctx, 10, time.Minute))(t), "c", "d", "a", "b", "e", "f")
}

// A task that cannot be moved to the dead tasks stays in flight.
func TestRefusedMoveToDeadChangesNothing(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1)}))(t)
		hold := redistest.Must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].ClaimID
		redistest.Must(c.Set(ctx, "w{0}:dead", "text", 0).Result())(t)
		if _, err := s.MarkDead(ctx, 1, []engine.Failed{{ClaimID: hold}}); err == nil {
			t.Error("buried in a text")
		}
		redistest.Must(c.Del(ctx, "w{0}:dead").Result())(t)
		if st := redistest.Must(rediswheel.ReadStats(ctx, s))(t); st.InFlight != 1 {
			t.Errorf("%+v", st)
		}
	})
}
