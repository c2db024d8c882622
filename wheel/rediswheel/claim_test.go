package rediswheel_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// request returns the claim of a worker.
func request(nonce int64, again bool) engine.ClaimRequest {
	return engine.ClaimRequest{Limit: 10, Lease: time.Minute, Suspects: 10, Worker: "w1", Nonce: nonce, Resent: again}
}

// A repeated claim returns the same tasks, and no attempt is counted twice. It omits tasks that
// were removed, and another worker does not get them.
func TestLostClaimIsAnsweredAgain(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1), wheeltesting.Entry("b", 2), wheeltesting.Entry("c", 3)}))(t)
		lost := redistest.Must(s.ClaimFor(ctx, request(7, false)))(t)
		wheeltesting.ExpectKeys(t, lost, "a", "b", "c")
		redistest.Must(s.Remove(ctx, []string{"b"}))(t)
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("d", 1)}))(t)
		if other := redistest.Must(s.ClaimFor(ctx, engine.ClaimRequest{Limit: 0, Lease: time.Minute, Worker: "w2", Nonce: 7, Resent: true}))(t); len(other.Tasks) > 0 {
			t.Errorf("another worker was given %q", wheeltesting.KeysOf(other))
		}
		again := redistest.Must(s.ClaimFor(ctx, request(7, true)))(t)
		wheeltesting.ExpectKeys(t, again, "a", "c")
		for i, task := range again.Tasks {
			if task.Attempts != 1 || task.ClaimID != lost.Tasks[2*i].ClaimID {
				t.Errorf("%+v, first %+v", task, lost.Tasks[2*i])
			}
		}
		wheeltesting.ExpectKeys(t, redistest.Must(s.ClaimFor(ctx, request(8, false)))(t), "d")
		if st := redistest.Must(rediswheel.ReadStats(ctx, s))(t); st.InFlight != 3 || st.Lapsed != 0 {
			t.Errorf("%+v", st)
		}
	})
}

// A claim that reaches Redis after its time limit takes nothing, and neither does one with limit
// 0.
func TestClaimTakesNothingLate(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1)}))(t)
	late := request(1, false)
	late.NotAfter = w.Now - 1
	empty := request(2, true)
	empty.Limit = 0
	for _, r := range []engine.ClaimRequest{late, empty} {
		if c := redistest.Must(w.ClaimFor(ctx, r))(t); len(c.Tasks) > 0 || c.Now != w.Now {
			t.Errorf("%+v gave %+v", r, c)
		}
	}
	late.NotAfter = w.Now
	wheeltesting.ExpectKeys(t, redistest.Must(w.ClaimFor(ctx, late))(t), "a")
}

// A successful call ends the task that was added, even if its lease lapsed and the task was claimed
// again, put back or given up. It does not end a task that was added later with the same key.
func TestAckByAddition(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		claim := func() engine.ClaimID {
			t.Helper()
			claim := redistest.Must(s.Claim(ctx, 1, time.Millisecond))(t)
			wheeltesting.ExpectKeys(t, claim, "k")
			time.Sleep(3 * time.Millisecond)
			return claim.Tasks[0].ClaimID
		}
		for what, then := range map[string]func(second engine.ClaimID){
			"claimed again": func(engine.ClaimID) {},
			"put back": func(h engine.ClaimID) {
				redistest.Must(s.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: h, Wait: time.Hour}}))(t)
			},
			"refused": func(h engine.ClaimID) {
				redistest.Must(s.Later(ctx, engine.Refused, []engine.Failed{{ClaimID: h, Wait: time.Hour}}))(t)
			},
			"given up": func(h engine.ClaimID) { redistest.Must(s.MarkDead(ctx, 10, []engine.Failed{{ClaimID: h}}))(t) },
		} {
			redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("k", 1)}))(t)
			first := claim()
			second := claim()
			then(second)
			if first.Addition != second.Addition || first.Token == second.Token {
				t.Fatalf("%s: %+v, then %+v", what, first, second)
			}
			if got := redistest.Must(s.Ack(ctx, []engine.ClaimID{first}, nil))(t); !got[0] {
				t.Errorf("%s: the success was not counted", what)
			}
			if st := redistest.Must(rediswheel.ReadStats(ctx, s))(t); st.Waiting+st.InFlight+st.Retrying+st.Dead != 0 {
				t.Errorf("%s: left: %+v", what, st)
			}
		}
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("k", 1)}))(t)
		old := claim()
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("k", 1)}))(t)
		if got := redistest.Must(s.Ack(ctx, []engine.ClaimID{old}, nil))(t); got[0] {
			t.Error("the success of a task that was replaced ended its successor")
		}
		claim()
		if got := redistest.Must(s.Ack(ctx, []engine.ClaimID{old}, nil))(t); got[0] {
			t.Error("the success of a task that was replaced ended its successor, once that was claimed")
		}
	})
}

// Tasks whose handler a worker lacks are left to other workers. They
// are delivered in time, and found, counted and removed as other tasks are.
func TestClaimByHandler(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		odd := `"<&\` + "\u2028é"
		var entries []engine.Entry
		for i, name := range []string{"mine", odd, "", "mine", odd} {
			task := rediswheel.Task{Handler: name}
			if name == "" {
				task = wheeltesting.Post
			}
			due := int64(i + 1)
			entries = append(entries, engine.Entry{Key: fmt.Sprint("k", i), Due: due, Record: task.Record(due)})
		}
		redistest.Must(s.Add(ctx, entries))(t)
		plain, r := request(1, false), request(1, false)
		for _, want := range [][]string{{"k2"}, nil} {
			wheeltesting.ExpectKeys(t, redistest.Must(s.ClaimFor(ctx, plain))(t), want...)
			plain.Nonce++
		}
		if st := redistest.Must(rediswheel.ReadStats(ctx, s))(t); st.Waiting != 4 || st.MinutesAll != 0 {
			t.Errorf("left to others: %+v", st)
		}
		if f, ok, err := s.Get(ctx, "k1"); !ok || err != nil || f.State != string(rediswheel.Waiting) || f.At != 2 || f.Attempts != 0 {
			t.Errorf("%+v %v %v", f, ok, err)
		}
		if removed := redistest.Must(s.Remove(ctx, []string{"k3"}))(t); !removed[0] {
			t.Errorf("removed: %v", removed)
		}
		r.Worker, r.Handlers = "w2", []string{odd}
		claim := redistest.Must(s.ClaimFor(ctx, r))(t)
		wheeltesting.ExpectKeys(t, claim, "k1", "k4")
		redistest.Must(s.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: claim.Tasks[1].ClaimID, Reason: "failed"}}))(t)
		time.Sleep(2 * time.Millisecond)
		wheeltesting.ExpectKeys(t, redistest.Must(s.ClaimFor(ctx, plain))(t))
		r.Nonce++
		claim = redistest.Must(s.ClaimFor(ctx, r))(t)
		wheeltesting.ExpectKeys(t, claim, "k4")
		if claim.Tasks[0].Attempts != 2 {
			t.Errorf("%+v", claim.Tasks[0])
		}
		r.Nonce, r.Handlers = r.Nonce+1, []string{"mine", odd}
		wheeltesting.ExpectKeys(t, redistest.Must(s.ClaimFor(ctx, r))(t), "k0")
		for _, key := range redistest.Must(c.Keys(ctx, "*").Result())(t) {
			if typ := c.Type(ctx, key).Val(); typ == "zset" && key != "w{0}:leases" {
				t.Errorf("left: %s", key)
			}
		}
	})
}

// Leases that lapsed while no worker reached Redis are not claimed for a moment, since their
// workers may be alive.
func TestLapsedInAnOutage(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1)}))(t)
	lease := 10 * time.Second
	r := func(worker string) engine.ClaimRequest {
		return engine.ClaimRequest{Limit: 10, Lease: lease, Suspects: 10, Worker: worker, Nonce: w.Now}
	}
	held := redistest.Must(w.ClaimFor(ctx, r("w1")))(t)
	wheeltesting.ExpectKeys(t, held, "a")
	w.Set(w.Now + 12_000)
	c := redistest.Must(w.ClaimFor(ctx, r("w2")))(t)
	if wheeltesting.ExpectKeys(t, c); c.Wait != 1000 {
		t.Errorf("waits %d ms", c.Wait)
	}
	w.Set(w.Now + 500)
	wheeltesting.ExpectKeys(t, redistest.Must(w.ClaimFor(ctx, r("w2")))(t))
	if kept := redistest.Must(w.Extend(ctx, []engine.ClaimID{held.Tasks[0].ClaimID}, lease))(t); !kept[0] {
		t.Error("the lease could not be extended")
	}
	for range 10 { // w1 has died; w2 claims all the time
		w.Set(w.Now + 1000)
		c = redistest.Must(w.ClaimFor(ctx, r("w2")))(t)
	}
	wheeltesting.ExpectKeys(t, c, "a")
}

// Each lapse is counted until an attempt has a result, and from the second on a task is a suspect, of which a claim
// takes only as many as it may. Putting the task back without a call keeps the count.
func TestLapses(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1), wheeltesting.Entry("b", 2)}))(t)
	expect := func(tasks []engine.Claimed, want string) {
		t.Helper()
		got := ""
		for _, c := range tasks {
			got += fmt.Sprintf("%s %d %v; ", c.Key, c.Lapses, c.Suspect())
		}
		if got != want {
			t.Errorf("claimed %s, expected %s", got, want)
		}
	}
	expect(w.Lapsing(t, engine.ClaimRequest{}), "a 0 false; b 0 false; ")
	expect(w.Lapsing(t, engine.ClaimRequest{}), "a 1 false; b 1 false; ")
	expect(w.Lapsing(t, engine.ClaimRequest{}), "")
	expect(w.Lapsing(t, engine.ClaimRequest{Suspects: 1}), "a 2 true; ")
	redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Entry("new", 3)}))(t)
	expect(w.Lapsing(t, engine.ClaimRequest{Suspects: 1}), "b 2 true; new 0 false; ")
	redistest.Must(w.Remove(ctx, []string{"b", "new"}))(t)
	claimed := w.Lapsing(t, engine.ClaimRequest{Suspects: 2})
	expect(claimed, "a 3 true; ")
	redistest.Must(w.Later(ctx, engine.Released, []engine.Failed{{ClaimID: claimed[0].ClaimID, Reason: "its worker stopped"}}))(t)
	expect(w.Lapsing(t, engine.ClaimRequest{}), "")
	claimed = w.Lapsing(t, engine.ClaimRequest{Suspects: 1})
	expect(claimed, "a 3 true; ")
	if f, _, err := w.Get(ctx, "a"); err != nil || f.Reason != "its worker stopped" {
		t.Errorf("%+v, %v", f, err)
	}
	redistest.Must(w.Later(ctx, engine.Retried, []engine.Failed{{ClaimID: claimed[0].ClaimID, Reason: "it failed"}}))(t)
	expect(w.Lapsing(t, engine.ClaimRequest{}), "a 0 false; ")
}

// A suspect that a worker cannot run is also a suspect for the workers that can.
func TestReservedSuspects(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	var entries []engine.Entry
	for i := range 4 {
		entries = append(entries, engine.Entry{Key: fmt.Sprint("k", i), Due: 1, Record: (&rediswheel.Task{Handler: "h"}).Record(1)})
	}
	redistest.Must(w.Add(ctx, entries))(t)
	claim := func(suspects int, handlers ...string) (keys string) {
		t.Helper()
		for _, c := range w.Lapsing(t, engine.ClaimRequest{Suspects: suspects, Handlers: handlers}) {
			keys += fmt.Sprint(c.Key, " ", c.Suspect(), "; ")
		}
		return keys
	}
	for range 2 { // after these all are suspects
		claim(9, "h")
	}
	claim(9) // by a worker without the handler
	redistest.Must(w.Add(ctx, []engine.Entry{{Key: "new", Due: 1, Record: (&rediswheel.Task{Handler: "h"}).Record(1)}}))(t)
	claim(0) // moves it behind the suspects
	if got := claim(0, "h"); got != "new false; " {
		t.Errorf("without suspects: claimed %s", got)
	}
	if got := claim(1, "h"); got != "new false; k0 true; " {
		t.Errorf("with one suspect: claimed %s", got)
	}
}

// A task of a dead worker comes back to one idle worker, which claims only when it has been told to, within the lease
// and two seconds, for any lease.
func TestLapsedComesBackToIdleWorker(t *testing.T) {
	for _, lease := range []time.Duration{500 * time.Millisecond, time.Second, 1500 * time.Millisecond, 2 * time.Second, 3 * time.Second, 30 * time.Second} {
		w, ctx := wheeltesting.NewClockwork(t), context.Background()
		redistest.Must(w.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1)}))(t)
		claim := func(worker string) engine.Claim {
			t.Helper()
			r := engine.ClaimRequest{Limit: 10, Suspects: 1, Lease: lease, Worker: worker, Nonce: w.Now}
			return redistest.Must(w.ClaimFor(ctx, r))(t)
		}
		wheeltesting.ExpectKeys(t, claim("dead"), "a")
		killed := w.Now
		c := claim("idle")
		for n := 0; len(c.Tasks) == 0 && n < 100; n++ {
			w.Set(w.Now + max(c.Wait, 1) + 7)
			c = claim("idle")
		}
		if took := time.Duration(w.Now-killed) * time.Millisecond; len(c.Tasks) != 1 || took > lease+2*time.Second {
			t.Errorf("lease %v: %d tasks after %v", lease, len(c.Tasks), took)
		}
	}
}

// A malformed value that another program has written to the keys of a shard does not stop the other tasks. It is
// reported once, and removed or replaced.
func TestMalformedValues(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), engine.Shard{Redis: c, Prefix: "w{0}"}
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("a", 1), wheeltesting.Entry("b", 2)}))(t)
		redistest.Must(c.HSet(ctx, "w{0}:claims", "a", "nonsense").Result())(t)
		redistest.Must(c.HSet(ctx, "w{0}:stats", "beat", "x", "grace", "y", "token", "z").Result())(t)
		redistest.Must(c.ZAdd(ctx, "w{0}:minutes", goredis.Z{Score: -1, Member: "soon"}, goredis.Z{Score: 0.5, Member: "later"}).Result())(t)
		claim := redistest.Must(s.ClaimFor(ctx, request(1, false)))(t)
		wheeltesting.ExpectKeys(t, claim, "a", "b")
		if claim.Foreign == "" {
			t.Error("the foreign values are not reported")
		}
		redistest.Must(s.Add(ctx, []engine.Entry{wheeltesting.Entry("c", 1), wheeltesting.Entry("d", time.Now().Add(time.Hour).UnixMilli())}))(t)
		claim = redistest.Must(s.ClaimFor(ctx, request(2, false)))(t)
		wheeltesting.ExpectKeys(t, claim, "c")
		if claim.Foreign != "" || claim.Wait <= 0 {
			t.Errorf("the next claim reports %q, and to wait %d ms", claim.Foreign, claim.Wait)
		}
	})
}
