package rediswheel

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// entry is a task for tests; due in ms.
func entry(key string, due int64) Entry {
	t := Task{URL: "http://example.org/" + key}
	return Entry{key, due, t.Record(due)}
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

func keysOf(c Claim) []string {
	var keys []string
	for _, task := range c.Tasks {
		keys = append(keys, task.Key)
	}
	return keys
}

func expectKeys(t *testing.T, c Claim, want ...string) {
	t.Helper()
	if got := keysOf(c); !slices.Equal(got, want) {
		t.Fatalf("claimed %q, want %q", got, want)
	}
}

// No number of a reply needs more than 32 bits: an embedded server on such a machine would
// cut it.
func TestNumbersOfRepliesAreSmall(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		later := time.Now().AddDate(1, 0, 0).UnixMilli()
		must(s.Add(ctx, []Entry{entry("now", 1), entry("later", later)}))(t)
		look := func(script *goredis.Script, args ...any) {
			t.Helper()
			if at := wide(must(s.run(ctx, script, args...))(t)); at != 0 {
				t.Errorf("%v: a reply has %d", args, at)
			}
		}
		look(statsScript, MinutesMax, 1000)
		look(getScript, "later")
		look(scanScript, string(Waiting), 0, "", 9, "full", "", "", "")
		look(claimScript, 9, 60_000)
		look(claimScript, 9, 60_000) // nothing is due: the reply is how long to wait
		look(getScript, "now")
		look(scanScript, string(InFlight), 0, "", 9, "full", "", "", "")
	})
}

// wide returns a number of a reply that does not fit in 32 bits, or 0.
func wide(v any) int64 {
	switch v := v.(type) {
	case int64:
		if v != int64(int32(v)) {
			return v
		}
	case []any:
		for _, one := range v {
			if n := wide(one); n != 0 {
				return n
			}
		}
	}
	return 0
}

// A server that has lost its data does not reuse a token: the acknowledgement of an old claim does
// not end a newer task with the same key.
func TestTokenAfterLoss(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		claim := func() Hold {
			t.Helper()
			must(s.Add(ctx, []Entry{entry("k", 1)}))(t)
			return must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].Hold
		}
		old := claim()
		if err := c.FlushAll(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond)
		newer := claim()
		if got := must(s.Ack(ctx, []Hold{old}, nil))(t); got[0] {
			t.Error("an old call's answer ended a newer task")
		}
		if got := must(s.Ack(ctx, []Hold{newer}, nil))(t); !got[0] {
			t.Error("its own call's answer did not")
		}
	})
}

// Claims within one ms, and by a clock that was set back, have tokens of their own.
func TestTokensOfOneInstant(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	must(w.Add(ctx, []Entry{entry("a", 1), entry("b", 2), entry("c", 3)}))(t)
	for i, key := range []string{"a", "b", "c"} {
		if i == 2 {
			w.set(w.now - 1000)
		}
		if got, want := must(w.Claim(ctx, 1, time.Minute))(t).Tasks[0].Hold, (Hold{Key: key, Token: 1_700_000_000_000 + int64(i), Addition: 1_700_000_000_000 + int64(i)}); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// big is a task with the longest body there may be.
func big(key string, due int64) Entry {
	t := Task{Handler: "h", Body: make([]byte, BodyMax)}
	return Entry{key, due, t.Record(due)}
}

// A claim takes no more records than come in time over a slow link, and at least one
// task; what is left is due at once.
func TestClaimIsBoundedInBytes(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		for i := range 12 {
			must(s.Add(ctx, []Entry{big(fmt.Sprintf("k%02d", i), int64(i)*30_000)}))(t)
		}
		must(s.Add(ctx, []Entry{entry("small", 1_000_000)}))(t)
		expectKeys(t, must(s.Claim(ctx, 1, time.Minute))(t), "k00")
		for _, want := range [][]string{{"k01", "k02", "k03", "k04"}, {"k05", "k06", "k07", "k08"}, {"k09", "k10", "k11", "small"}} {
			claim := must(s.Claim(ctx, 500, time.Minute))(t)
			expectKeys(t, claim, want...)
			if done := want[3] == "small"; (claim.Wait == 0) == done {
				t.Errorf("after %q: wait %d", want, claim.Wait)
			}
		}
	})
}

// Lapsed leases and retries do not delay new tasks or each other, whatever the length of their
// records.
func TestBytesAreShared(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	for i := range 8 {
		must(w.Add(ctx, []Entry{big(fmt.Sprint("old", i), 1)}))(t)
		claim := must(w.Claim(ctx, 1, time.Minute))(t)
		if i%2 == 0 {
			must(w.Later(ctx, Retried, []Failed{{Hold: claim.Tasks[0].Hold, Wait: time.Minute}}))(t)
		}
	}
	must(w.Add(ctx, []Entry{big("new0", 1), big("new1", 2)}))(t)
	w.set(w.now + 120_000)
	expectKeys(t, must(w.Claim(ctx, 500, time.Minute))(t), "old1", "old3", "old0", "new0")
}

// With room for one task, a task that fails repeatedly and new tasks are claimed in turn.
func TestRoomForOne(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	fail := func(c Claim) {
		t.Helper()
		expectKeys(t, c, "failing")
		must(w.Later(ctx, Retried, []Failed{{Hold: c.Tasks[0].Hold, Wait: 10 * time.Millisecond}}))(t)
	}
	must(w.Add(ctx, []Entry{entry("failing", 1), entry("new", w.now+15), entry("newer", w.now+16)}))(t)
	fail(must(w.Claim(ctx, 1, time.Minute))(t))
	w.set(w.now + 20)
	fail(must(w.Claim(ctx, 1, time.Minute))(t))
	w.set(w.now + 20)
	expectKeys(t, must(w.Claim(ctx, 1, time.Minute))(t), "new")
	fail(must(w.Claim(ctx, 1, time.Minute))(t))
}

// Suspects beyond the limit do not delay other lapsed leases, and a claim that leaves suspects
// returns when the next task is due.
func TestSuspectsKeepNothingWaiting(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		must(s.Add(ctx, []Entry{entry("a", 1), entry("b", 2)}))(t)
		lapse := func(claim Claim, want ...string) {
			t.Helper()
			expectKeys(t, claim, want...)
			time.Sleep(2 * time.Millisecond)
		}
		lapse(must(s.Claim(ctx, 2, time.Millisecond))(t), "a", "b")
		lapse(must(s.Claim(ctx, 4, time.Millisecond))(t), "a", "b")
		must(s.Add(ctx, []Entry{entry("c", 1)}))(t)
		lapse(must(s.ClaimLimited(ctx, 1, 0, time.Millisecond))(t), "c")
		claim := must(s.ClaimLimited(ctx, 4, 0, time.Minute))(t)
		expectKeys(t, claim, "c")
		if suspectsOf(claim) != 0 || claim.Wait < 50_000 {
			t.Errorf("two suspects left: %+v", claim)
		}
		if claim = must(s.ClaimLimited(ctx, 4, 0, time.Minute))(t); len(claim.Tasks) > 0 || claim.Wait < 50_000 {
			t.Errorf("nothing but suspects: %+v", claim)
		}
		if claim = must(s.ClaimLimited(ctx, 4, 1, time.Minute))(t); suspectsOf(claim) != 1 || claim.Tasks[0].Attempts != 3 {
			t.Errorf("one suspect: %+v", claim)
		}
	})
}

// suspectsOf counts the suspects of a claim.
func suspectsOf(c Claim) (n int) {
	for _, task := range c.Tasks {
		if task.Suspect {
			n++
		}
	}
	return n
}

// A claim whose reply is late is not resent by the client, which would lease further tasks to no
// worker.
func TestClaimIsSentOnce(t *testing.T) {
	server, ctx := redistest.Start(t), context.Background()
	direct, proxy := Shard{Redis: server.Client(), Prefix: "w{0}"}, redistest.StartProxy(t, server.Addr)
	client := goredis.NewClient(&goredis.Options{Addr: proxy.Addr, ReadTimeout: 250 * time.Millisecond})
	defer client.Close()
	slow := Shard{Redis: client, Prefix: "w{0}"}
	for i := range 9 {
		must(direct.Add(ctx, []Entry{entry(fmt.Sprint("k", i), 1)}))(t)
	}
	must(slow.Claim(ctx, 1, time.Minute))(t)
	must(slow.Remove(ctx, []string{"k8"}))(t)
	// late lets an answer come too late, and what is sent again in time.
	late := func(f func()) {
		must(client.Ping(ctx).Result())(t)
		proxy.Delay(200 * time.Millisecond)
		defer time.AfterFunc(275*time.Millisecond, func() { proxy.Delay(0) }).Stop()
		f()
		time.Sleep(500 * time.Millisecond)
	}
	late(func() {
		if claim, err := slow.Claim(ctx, 1, time.Minute); err == nil {
			t.Errorf("claimed %q by a second script", keysOf(claim))
		}
	})
	late(func() {
		if removed, err := slow.Remove(ctx, []string{"k7"}); err == nil {
			t.Errorf("removed: %v, says a second script", removed)
		}
	})
	if st := must(direct.Stats(ctx))(t); st.InFlight != 2 || st.Removed != 2 {
		t.Errorf("%d tasks are leased by two claims of one each, %d removed", st.InFlight, st.Removed)
	}
}

// A task goes from its slice to a lease and away; nothing of it is left behind.
func TestShardLife(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		now := must(s.Stats(ctx))(t).Now
		must(s.Add(ctx, []Entry{entry("a", now-5), entry("b", now-70_000), entry("far", now+3_600_000)}))(t)
		claim := must(s.Claim(ctx, 10, time.Minute))(t)
		expectKeys(t, claim, "b", "a")
		if claim.Wait < 59_000 || claim.Wait > 60_000 {
			t.Errorf("wait %d ms, the leases lapse in a minute", claim.Wait)
		}
		f, ok, err := s.Get(ctx, "a")
		if !ok || err != nil || f.State != InFlight || f.Attempts != 1 {
			t.Fatalf("get: %+v %v %v", f, ok, err)
		}
		holds := []Hold{claim.Tasks[0].Hold, claim.Tasks[1].Hold}
		if got := must(s.Ack(ctx, holds, []Count{{"late:3", 2}}))(t); !slices.Equal(got, []bool{true, true}) {
			t.Fatalf("ack: %v", got)
		}
		if got := must(s.Ack(ctx, holds, nil))(t); !slices.Equal(got, []bool{false, false}) {
			t.Fatalf("second ack: %v", got)
		}
		if got := must(s.Remove(ctx, []string{"far", "none"}))(t); !slices.Equal(got, []bool{true, false}) {
			t.Fatalf("remove: %v", got)
		}
		if left := must(c.Keys(ctx, "*").Result())(t); !slices.Equal(left, []string{"w{0}:stats"}) {
			t.Errorf("left behind: %q", left)
		}
		st := must(s.Stats(ctx))(t)
		if st.Added != 3 || st.Done != 2 || st.Removed != 1 || st.Stale != 2 || st.Late[3] != 2 {
			t.Errorf("stats: %+v", st)
		}
	})
}
