package rediswheel

import (
	"context"
	"fmt"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// request returns the claim of a worker.
func request(nonce int64, again bool) ClaimRequest {
	return ClaimRequest{Limit: 10, Lease: time.Minute, Suspects: 10, Attempts: 12, Worker: "w1", Nonce: nonce, Again: again}
}

// A repeated claim returns the same tasks, and no attempt is counted twice. It omits tasks that
// were removed, and another worker does not get them.
func TestLostClaimIsAnsweredAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		must(s.Add(ctx, []Entry{entry("a", 1), entry("b", 2), entry("c", 3)}))(t)
		lost := must(s.ClaimFor(ctx, request(7, false)))(t)
		expectKeys(t, lost, "a", "b", "c")
		must(s.Remove(ctx, []string{"b"}))(t)
		must(s.Add(ctx, []Entry{entry("d", 1)}))(t)
		if other := must(s.ClaimFor(ctx, ClaimRequest{Limit: 0, Lease: time.Minute, Worker: "w2", Nonce: 7, Again: true}))(t); len(other.Tasks) > 0 {
			t.Errorf("another worker was given %q", keysOf(other))
		}
		again := must(s.ClaimFor(ctx, request(7, true)))(t)
		expectKeys(t, again, "a", "c")
		for i, task := range again.Tasks {
			if task.Attempts != 1 || task.Hold != lost.Tasks[2*i].Hold {
				t.Errorf("%+v, first %+v", task, lost.Tasks[2*i])
			}
		}
		expectKeys(t, must(s.ClaimFor(ctx, request(8, false)))(t), "d")
		if st := must(s.Stats(ctx))(t); st.InFlight != 3 || st.Lapsed != 0 {
			t.Errorf("%+v", st)
		}
	})
}

// A claim that reaches Redis after its time limit takes nothing, and neither does one with limit
// 0.
func TestClaimTakesNothingLate(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	must(w.Add(ctx, []Entry{entry("a", 1)}))(t)
	late := request(1, false)
	late.NotAfter = w.now - 1
	empty := request(2, true)
	empty.Limit = 0
	for _, r := range []ClaimRequest{late, empty} {
		if c := must(w.ClaimFor(ctx, r))(t); len(c.Tasks) > 0 || c.Now != w.now {
			t.Errorf("%+v gave %+v", r, c)
		}
	}
	late.NotAfter = w.now
	expectKeys(t, must(w.ClaimFor(ctx, late))(t), "a")
}

// A success ends the addition, even if the lease lapsed and the task was claimed again, put back
// or given up. It does not end a later addition with the same key.
func TestAckByAddition(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		claim := func() Hold {
			t.Helper()
			claim := must(s.Claim(ctx, 1, time.Millisecond))(t)
			expectKeys(t, claim, "k")
			time.Sleep(3 * time.Millisecond)
			return claim.Tasks[0].Hold
		}
		for what, then := range map[string]func(second Hold){
			"claimed again": func(Hold) {},
			"put back":      func(h Hold) { must(s.Later(ctx, Retried, []Failed{{Hold: h, Wait: time.Hour}}))(t) },
			"refused":       func(h Hold) { must(s.Later(ctx, Refused, []Failed{{Hold: h, Wait: time.Hour}}))(t) },
			"given up":      func(h Hold) { must(s.Bury(ctx, 10, []Failed{{Hold: h}}))(t) },
		} {
			must(s.Add(ctx, []Entry{entry("k", 1)}))(t)
			first := claim()
			second := claim()
			then(second)
			if first.Addition != second.Addition || first.Token == second.Token {
				t.Fatalf("%s: %+v, then %+v", what, first, second)
			}
			if got := must(s.Ack(ctx, []Hold{first}, nil))(t); !got[0] {
				t.Errorf("%s: the success was not counted", what)
			}
			if st := must(s.Stats(ctx))(t); st.Waiting+st.InFlight+st.Retrying+st.Dead != 0 {
				t.Errorf("%s: left: %+v", what, st)
			}
		}
		must(s.Add(ctx, []Entry{entry("k", 1)}))(t)
		old := claim()
		must(s.Add(ctx, []Entry{entry("k", 1)}))(t)
		if got := must(s.Ack(ctx, []Hold{old}, nil))(t); got[0] {
			t.Error("the success of a task that was replaced ended its successor")
		}
		claim()
		if got := must(s.Ack(ctx, []Hold{old}, nil))(t); got[0] {
			t.Error("the success of a task that was replaced ended its successor, once that was claimed")
		}
	})
}

// Tasks whose handler a worker lacks, or whose record is newer, are left to other workers. They
// are delivered in time, and found, counted and removed as other tasks are.
func TestClaimByHandler(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		odd := `"<&\` + "\u2028é"
		var entries []Entry
		for i, name := range []string{"mine", odd, "", "mine", odd} {
			task := Task{Handler: name}
			if name == "" {
				task = post
			}
			due := int64(i + 1)
			entries = append(entries, Entry{fmt.Sprint("k", i), due, task.Record(due)})
		}
		entries = append(entries, Entry{"newer", 9, "2 9 {}\n"})
		must(s.Add(ctx, entries))(t)
		plain, r := request(1, false), request(1, false)
		for _, want := range [][]string{{"k2"}, nil} {
			expectKeys(t, must(s.ClaimFor(ctx, plain))(t), want...)
			plain.Nonce++
		}
		if st := must(s.Stats(ctx))(t); st.Waiting != 5 || st.MinutesAll != 0 {
			t.Errorf("left to others: %+v", st)
		}
		if f, ok, err := s.Get(ctx, "k1"); !ok || err != nil || f.State != Waiting || f.At != 2 || f.Attempts != 0 {
			t.Errorf("%+v %v %v", f, ok, err)
		}
		if removed := must(s.Remove(ctx, []string{"k3", "newer"}))(t); !removed[0] || !removed[1] {
			t.Errorf("removed: %v", removed)
		}
		r.Worker, r.Handlers = "w2", []string{odd}
		claim := must(s.ClaimFor(ctx, r))(t)
		expectKeys(t, claim, "k1", "k4")
		must(s.Later(ctx, Retried, []Failed{{Hold: claim.Tasks[1].Hold, Reason: "failed"}}))(t)
		time.Sleep(2 * time.Millisecond)
		expectKeys(t, must(s.ClaimFor(ctx, plain))(t))
		r.Nonce++
		claim = must(s.ClaimFor(ctx, r))(t)
		expectKeys(t, claim, "k4")
		if claim.Tasks[0].Attempts != 2 {
			t.Errorf("%+v", claim.Tasks[0])
		}
		r.Nonce, r.Handlers = r.Nonce+1, []string{"mine", odd}
		expectKeys(t, must(s.ClaimFor(ctx, r))(t), "k0")
		for _, key := range must(c.Keys(ctx, "*").Result())(t) {
			if typ := c.Type(ctx, key).Val(); typ == "zset" && key != "w{0}:leases" {
				t.Errorf("left: %s", key)
			}
		}
	})
}

// Leases that lapsed while no worker reached Redis are not claimed for a moment, since their
// workers may be alive.
func TestLapsedInAnOutage(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	must(w.Add(ctx, []Entry{entry("a", 1)}))(t)
	lease := 10 * time.Second
	r := func(worker string) ClaimRequest {
		return ClaimRequest{Limit: 10, Lease: lease, Suspects: 10, Attempts: 12, Worker: worker, Nonce: w.now}
	}
	held := must(w.ClaimFor(ctx, r("w1")))(t)
	expectKeys(t, held, "a")
	w.set(w.now + 12_000)
	c := must(w.ClaimFor(ctx, r("w2")))(t)
	if expectKeys(t, c); c.Wait != 1000 {
		t.Errorf("waits %d ms", c.Wait)
	}
	w.set(w.now + 500)
	expectKeys(t, must(w.ClaimFor(ctx, r("w2")))(t))
	if kept := must(w.Extend(ctx, []Hold{held.Tasks[0].Hold}, lease))(t); !kept[0] {
		t.Error("the lease could not be extended")
	}
	for range 10 { // w1 has died; w2 claims all the time
		w.set(w.now + 1000)
		c = must(w.ClaimFor(ctx, r("w2")))(t)
	}
	expectKeys(t, c, "a")
}

// Suspects come in groups that are smaller near the last attempt, and alone before it.
func TestGroupsOfSuspects(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	var entries []Entry
	for i := range 40 {
		entries = append(entries, entry(fmt.Sprintf("k%02d", i), 1))
	}
	claim := func(r ClaimRequest) int {
		t.Helper()
		r.Limit, r.Lease, r.Worker, r.Nonce = 80, time.Millisecond, "w", w.now
		n := suspectsOf(must(w.ClaimFor(ctx, r))(t))
		w.set(w.now + 100)
		return n
	}
	for _, test := range []struct{ suspects, out, attempts, want int }{
		{5, 0, 12, 5}, {80, 0, 3, 1}, {80, 1, 3, 0}, {80, 0, 4, 2}, {80, 1, 4, 1}, {0, 0, 12, 0}, {80, 6, 6, 2},
	} {
		w.server.FlushAll()
		must(w.Add(ctx, entries))(t)
		for range 2 { // after these all are suspects, of two attempts
			claim(ClaimRequest{Suspects: 80})
		}
		if n := claim(ClaimRequest{Suspects: test.suspects, Out: test.out, Attempts: test.attempts}); n != test.want {
			t.Errorf("%+v: %d", test, n)
		}
	}
}

// lapsing claims tasks and sets the clock past the end of their leases.
func (w *clockwork) lapsing(t *testing.T, r ClaimRequest) []Claimed {
	t.Helper()
	r.Limit, r.Lease, r.Worker, r.Nonce = 10, time.Millisecond, "w", w.now
	if r.Attempts == 0 {
		r.Attempts = 12
	}
	tasks := must(w.ClaimFor(context.Background(), r))(t).Tasks
	w.set(w.now + 100)
	return tasks
}

// A lapse is counted if the task was the only suspect of its worker and no other could be claimed.
// A failure resets the count; putting the task back without a call keeps it.
func TestLapsesOfTheOnlySuspect(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	must(w.Add(ctx, []Entry{entry("a", 1), entry("b", 2)}))(t)
	for range 2 { // after these both are suspects
		w.lapsing(t, ClaimRequest{Suspects: 9})
	}
	expect := func(tasks []Claimed, want string) {
		t.Helper()
		got := ""
		for _, c := range tasks {
			got += fmt.Sprintf("%s %d %v %v; ", c.Key, c.Lapses, c.Suspect, c.Alone)
		}
		if got != want {
			t.Errorf("claimed %s, expected %s", got, want)
		}
	}
	expect(w.lapsing(t, ClaimRequest{Suspects: 9}), "a 0 true false; b 0 true false; ")
	expect(w.lapsing(t, ClaimRequest{Suspects: 1, Out: 1}), "a 0 true false; ")
	expect(w.lapsing(t, ClaimRequest{Suspects: 1}), "b 0 true true; ")
	expect(w.lapsing(t, ClaimRequest{Suspects: 1}), "a 0 true true; ")
	expect(w.lapsing(t, ClaimRequest{Suspects: 9, Out: 1}), "") // each is to be alone
	expect(w.lapsing(t, ClaimRequest{Suspects: 9}), "b 1 true true; ")
	w.set(w.now - 100)
	holds := must(w.ClaimFor(ctx, ClaimRequest{Limit: 10, Suspects: 9, Lease: time.Minute, Attempts: 12, Worker: "w", Nonce: w.now}))(t).Tasks
	expect(holds, "a 1 true true; ")
	w.set(w.now + 100)
	must(w.Later(ctx, Released, []Failed{{Hold: holds[0].Hold, Reason: "its worker stopped"}}))(t)
	tasks := w.lapsing(t, ClaimRequest{})
	expect(tasks, "a 1 false false; ")
	if f, _, err := w.Get(ctx, "a"); err != nil || f.Reason != "its worker stopped" {
		t.Errorf("%+v, %v", f, err)
	}
	must(w.Later(ctx, Retried, []Failed{{Hold: tasks[0].Hold, Reason: "it failed"}}))(t)
	expect(w.lapsing(t, ClaimRequest{}), "a 0 false false; ")
}

// A suspect that a worker cannot run is also a suspect for the workers that can.
func TestReservedSuspects(t *testing.T) {
	w, ctx := newClockwork(t), context.Background()
	var entries []Entry
	for i := range 4 {
		entries = append(entries, Entry{fmt.Sprint("k", i), 1, (&Task{Handler: "h"}).Record(1)})
	}
	must(w.Add(ctx, entries))(t)
	claim := func(suspects int, handlers ...string) (keys string) {
		t.Helper()
		for _, c := range w.lapsing(t, ClaimRequest{Suspects: suspects, Handlers: handlers}) {
			keys += fmt.Sprint(c.Key, " ", c.Alone, "; ")
		}
		return keys
	}
	for range 2 { // after these all are suspects
		claim(9, "h")
	}
	claim(9) // by a worker without the handler
	must(w.Add(ctx, []Entry{{"new", 1, (&Task{Handler: "h"}).Record(1)}}))(t)
	claim(0) // moves it behind the suspects
	if got := claim(0, "h"); got != "new false; " {
		t.Errorf("without suspects: claimed %s", got)
	}
	if got := claim(1, "h"); got != "new false; k0 true; " {
		t.Errorf("with one suspect: claimed %s", got)
	}
}
