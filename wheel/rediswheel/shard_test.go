package rediswheel_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A server that has lost its data does not reuse a token: the acknowledgement of an old claim does
// not end a newer task with the same key.
func TestTokenAfterLoss(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		claim := func() engine.ClaimID {
			t.Helper()
			redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("k", 1)}))(t)
			return redistest.Must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].ClaimID
		}
		old := claim()
		if err := c.FlushAll(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond)
		newer := claim()
		if got := redistest.Must(s.Ack(ctx, []engine.ClaimID{old}, nil))(t); got[0] {
			t.Error("an old call's answer ended a newer task")
		}
		if got := redistest.Must(s.Ack(ctx, []engine.ClaimID{newer}, nil))(t); !got[0] {
			t.Error("its own call's answer did not")
		}
	})
}

// Claims within one ms, and claims after the clock was set back, have distinct tokens.
func TestTokensOfOneInstant(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1), wheeltesting.Entry("b", 2), wheeltesting.Entry("c", 3)}))(t)
	for i, key := range []string{"a", "b", "c"} {
		if i == 2 {
			w.Set(w.Now - 1000)
		}
		if got, want := redistest.Must(w.Claim(ctx, 1, time.Minute))(t).Tasks[0].ClaimID, (engine.ClaimID{Key: key, Token: 1_700_000_000_000 + int64(i), Addition: 1_700_000_000_000 + int64(i)}); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// A claim takes at most as many records as a slow link transfers in time, but at least one task.
// The remaining tasks are due at once.
func TestClaimIsBoundedInBytes(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		for i := range 12 {
			redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Big(fmt.Sprintf("k%02d", i), int64(i)*30_000)}))(t)
		}
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("small", 1_000_000)}))(t)
		wheeltesting.ExpectKeys(t, redistest.Must(s.Claim(ctx, 1, time.Minute))(t), "k00")
		for _, want := range [][]string{{"k01", "k02", "k03", "k04"}, {"k05", "k06", "k07", "k08"}, {"k09", "k10", "k11", "small"}} {
			claim := redistest.Must(s.Claim(ctx, 500, time.Minute))(t)
			wheeltesting.ExpectKeys(t, claim, want...)
			if done := want[3] == "small"; (claim.Wait == 0) == done {
				t.Errorf("after %q: wait %d", want, claim.Wait)
			}
		}
	})
}

// Lapsed leases and retries do not delay new tasks or each other, whatever the length of their
// records.
func TestBytesAreShared(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	for i := range 8 {
		redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Big(fmt.Sprint("old", i), 1)}))(t)
		claim := redistest.Must(w.Claim(ctx, 1, time.Minute))(t)
		if i%2 == 0 {
			redistest.Must(w.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: claim.Tasks[0].ClaimID, Wait: time.Minute}}))(t)
		}
	}
	redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Big("new0", 1), wheeltesting.Big("new1", 2)}))(t)
	w.Set(w.Now + 120_000)
	wheeltesting.ExpectKeys(t, redistest.Must(w.Claim(ctx, 500, time.Minute))(t), "old1", "old3", "old0", "new0")
}

// With room for one task, a task that fails repeatedly and new tasks are claimed in turn.
func TestRoomForOne(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	fail := func(c engine.Claim) {
		t.Helper()
		wheeltesting.ExpectKeys(t, c, "failing")
		redistest.Must(w.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: c.Tasks[0].ClaimID, Wait: 10 * time.Millisecond}}))(t)
	}
	redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Entry("failing", 1), wheeltesting.Entry("new", w.Now+15), wheeltesting.Entry("newer", w.Now+16)}))(t)
	fail(redistest.Must(w.Claim(ctx, 1, time.Minute))(t))
	w.Set(w.Now + 20)
	fail(redistest.Must(w.Claim(ctx, 1, time.Minute))(t))
	w.Set(w.Now + 20)
	wheeltesting.ExpectKeys(t, redistest.Must(w.Claim(ctx, 1, time.Minute))(t), "new")
	fail(redistest.Must(w.Claim(ctx, 1, time.Minute))(t))
}

// Suspects beyond the limit do not delay other lapsed leases, and a claim that leaves suspects
// returns when the next task is due.
func TestSuspectsKeepNothingWaiting(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1), wheeltesting.Entry("b", 2)}))(t)
		lapse := func(claim engine.Claim, want ...string) {
			t.Helper()
			wheeltesting.ExpectKeys(t, claim, want...)
			time.Sleep(2 * time.Millisecond)
		}
		lapse(redistest.Must(s.Claim(ctx, 2, time.Millisecond))(t), "a", "b")
		lapse(redistest.Must(s.Claim(ctx, 4, time.Millisecond))(t), "a", "b")
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("c", 1)}))(t)
		lapse(redistest.Must(s.ClaimLimited(ctx, 1, 0, time.Millisecond))(t), "c")
		claim := redistest.Must(s.ClaimLimited(ctx, 4, 0, time.Minute))(t)
		wheeltesting.ExpectKeys(t, claim, "c")
		if suspectsOf(claim) != 0 || claim.Wait < 50_000 {
			t.Errorf("two suspects left: %+v", claim)
		}
		if claim = redistest.Must(s.ClaimLimited(ctx, 4, 0, time.Minute))(t); len(claim.Tasks) > 0 || claim.Wait < 50_000 {
			t.Errorf("nothing but suspects: %+v", claim)
		}
		if claim = redistest.Must(s.ClaimLimited(ctx, 4, 1, time.Minute))(t); suspectsOf(claim) != 1 || claim.Tasks[0].Attempts != 3 {
			t.Errorf("one suspect: %+v", claim)
		}
	})
}

// suspectsOf counts the suspects of a claim.
func suspectsOf(c engine.Claim) (n int) {
	for _, task := range c.Tasks {
		if task.Suspect() {
			n++
		}
	}
	return n
}

// A claim whose reply is late is not resent by the client, which would lease further tasks to no
// worker.
func TestClaimIsSentOnce(t *testing.T) {
	server, ctx := redistest.Start(t), context.Background()
	direct, proxy := engine.Shard{Redis: server.Client(), Prefix: "w{0}"}, redistest.StartProxy(t, server.Addr)
	client := goredis.NewClient(&goredis.Options{Addr: proxy.Addr, ReadTimeout: time.Second})
	defer client.Close()
	slow := engine.Shard{Redis: client, Prefix: "w{0}"}
	for i := range 9 {
		redistest.Must(direct.Add(ctx, []engine.Entry{wheeltesting.Entry(fmt.Sprint("k", i), 1)}))(t)
	}
	redistest.Must(slow.Claim(ctx, 1, time.Minute))(t)
	redistest.Must(slow.Remove(ctx, []string{"k8"}))(t)
	// late delays a reply beyond the read timeout, and not the reply to a command that is sent
	// again.
	late := func(f func()) {
		redistest.Must(client.Ping(ctx).Result())(t)
		proxy.Delay(time.Second)
		defer time.AfterFunc(1500*time.Millisecond, func() { proxy.Delay(0) }).Stop()
		f()
		proxy.Delay(0)
	}
	late(func() {
		if claim, err := slow.Claim(ctx, 1, time.Minute); err == nil {
			t.Errorf("claimed %q by a second script", wheeltesting.KeysOf(claim))
		}
	})
	late(func() {
		if removed, err := slow.Remove(ctx, []string{"k7"}); err == nil {
			t.Errorf("removed: %v, says a second script", removed)
		}
	})
	redistest.Eventually(t, "two claims of one task each, and two removals, have reached Redis", func() bool {
		st := redistest.Must(rediswheel.ReadStats(ctx, direct))(t)
		return st.InFlight == 2 && st.Removed == 2
	})
}

// A task moves from its slice to a lease and is then removed. Nothing of it remains.
func TestShardLife(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		now := redistest.Must(rediswheel.ReadStats(ctx, s))(t).Now
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("a", now-5), wheeltesting.Entry("b", now-70_000), wheeltesting.Entry("far", now+3_600_000)}))(t)
		claim := redistest.Must(s.Claim(ctx, 10, time.Minute))(t)
		wheeltesting.ExpectKeys(t, claim, "b", "a")
		if claim.Wait < 59_000 || claim.Wait > 60_000 {
			t.Errorf("wait %d ms, the leases lapse in a minute", claim.Wait)
		}
		f, ok, err := s.Get(ctx, "a")
		if !ok || err != nil || f.State != string(rediswheel.InFlight) || f.Attempts != 1 {
			t.Fatalf("get: %+v %v %v", f, ok, err)
		}
		claims := []engine.ClaimID{claim.Tasks[0].ClaimID, claim.Tasks[1].ClaimID}
		if got := redistest.Must(s.Ack(ctx, claims, []engine.Count{{Field: "late:3", N: 2}}))(t); !slices.Equal(got, []bool{true, true}) {
			t.Fatalf("ack: %v", got)
		}
		if got := redistest.Must(s.Ack(ctx, claims, nil))(t); !slices.Equal(got, []bool{false, false}) {
			t.Fatalf("second ack: %v", got)
		}
		if got := redistest.Must(s.Remove(ctx, []string{"far", "none"}))(t); !slices.Equal(got, []bool{true, false}) {
			t.Fatalf("remove: %v", got)
		}
		if left := redistest.Must(c.Keys(ctx, "*").Result())(t); !slices.Equal(left, []string{"w{0}:stats"}) {
			t.Errorf("left behind: %q", left)
		}
		st := redistest.Must(rediswheel.ReadStats(ctx, s))(t)
		if st.Added != 3 || st.Done != 2 || st.Removed != 1 || st.Stale != 2 || st.Late[3] != 2 {
			t.Errorf("stats: %+v", st)
		}
	})
}

// An acknowledgement of a claim that is no longer valid removes nothing. Therefore a server that is
// out of memory still answers it, and its worker continues.
func TestStaleOutOfMemory(t *testing.T) {
	server, ctx := redistest.Start(t), context.Background()
	c, s := server.Client(), engine.Shard{Redis: server.Client(), Prefix: "w{0}"}
	if err := c.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	for _, counts := range [][]engine.Count{nil, {{Field: "late:3", N: 1}}} {
		if got, err := s.Ack(ctx, []engine.ClaimID{{Key: "k", Token: 7}}, counts); err != nil || !slices.Equal(got, []bool{false}) {
			t.Errorf("ack: %v %v", got, err)
		}
	}
}
