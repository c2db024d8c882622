package worker

import (
	"context"
	"embed"
	"fmt"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

//go:embed testdata/format1/*.lua testdata/format2/*.lua
var oldFormats embed.FS

// oldShard runs scripts of an older format, as a program of that time does: format1, before claims had
// additions, or format2, before they had lapses.
type oldShard struct {
	t      *testing.T
	c      goredis.UniversalClient
	s      rediswheel.Shard
	format string
}

func (o *oldShard) run(name string, args ...any) any {
	o.t.Helper()
	read := func(name string) string {
		return string(redistest.Must(oldFormats.ReadFile("testdata/" + o.format + "/" + name + ".lua"))(o.t))
	}
	reply, err := o.c.Eval(context.Background(), read("common")+read(name), []string{o.s.Prefix, o.s.Prefix + ":none"}, args...).Result()
	if err != nil {
		o.t.Fatalf("%s: %v", name, err)
	}
	return reply
}

// claim returns what an old worker would claim: the token, and the keys with their attempts.
func (o *oldShard) claim(limit int, lease time.Duration) (token int64, tasks map[string]int64) {
	o.t.Helper()
	list := o.run("claim", limit, lease.Milliseconds(), limit).([]any)
	r := &reply.Reader{List: list[2:]}
	token = r.Int()
	r.Int()
	for tasks = map[string]int64{}; r.More(); {
		key := r.Text()
		r.Text()
		tasks[key] = r.Int()
	}
	return token, tasks
}

// After an upgrade, tasks of the old format are delivered if they are waiting, in flight with an
// old worker or to be retried, and kept if they are dead. Results that the old worker still sends
// are accepted.
func TestUpgradeWithTasksInFlight(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 1)
		s := w.Shards()[0]
		old := &oldShard{t, c, s, "format1"}
		add := func(key string, due int64) {
			old.run("add", key, due, fmt.Sprintf(`1 %d {"handler":"h"}`+"\nbody", due))
		}
		add("retried", 1)
		token, _ := old.claim(1, time.Minute)
		old.run("later", rediswheel.Retried, 1, "retried", token, 1500, "it failed")
		add("dead", 2)
		token, _ = old.claim(1, time.Minute)
		old.run("bury", 10, "dead", token, "it failed for good")
		add("lost", 3)
		old.claim(1, time.Millisecond) // and that worker died
		time.Sleep(2 * time.Millisecond)
		old.run("claim", 0, 1, 0)
		add("ending", 4)
		add("failing", 5)
		add("replaced", 6)
		token, tasks := old.claim(6, time.Minute)
		if len(tasks) != 4 || tasks["lost"] != 2 || tasks["ending"] != 1 {
			t.Fatalf("an old worker claimed %v", tasks)
		}
		add("waiting", time.Now().UnixMilli()+300)
		old.run("extend", 10, "lost", token) // it dies too, in 10 ms
		d := &callRecorder{}
		_, stop := startWorker(t, w, Options{Lease: time.Second, Handlers: recordingHandler(d, 0)})
		defer stop()
		if err := w.AddTask(ctx, "replaced", rediswheel.Task{Handler: "h", Body: []byte("new")}, time.Now()); err != nil {
			t.Fatal(err)
		}
		old.run("ack", 0, "ending", token, "replaced", token)
		old.run("later", rediswheel.Retried, 1, "failing", token, 0, "it failed")
		redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 6 })
		for key, attempt := range map[string]int{"retried": 2, "lost": 3, "failing": 2, "replaced": 1, "waiting": 1} {
			calls := d.of(key)
			if len(calls) != 1 || calls[0].Attempt != attempt {
				t.Errorf("%s: %+v", key, calls)
			}
		}
		if calls := d.of("replaced"); string(calls[0].Task.Body) != "new" {
			t.Errorf("%q", calls[0].Task.Body)
		}
		if i, ok, err := w.Get(ctx, "dead"); err != nil || !ok || i.State != rediswheel.Dead || i.Attempts != 1 || i.Reason != "it failed for good" {
			t.Errorf("dead: %+v %v %v", i, ok, err)
		}
	})
}

// Old and new workers on one wheel read each other's records: a task is claimed by both in turn and
// keeps its attempts.
func TestOldAndNewWorkersShareAWheel(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), wheeltesting.Open(t, c, 1).Shards()[0]
		old := &oldShard{t, c, s, "format1"}
		redistest.Must(s.Add(ctx, []rediswheel.Entry{wheeltesting.Entry("k", 1)}))(t)
		request := rediswheel.ClaimRequest{Limit: 1, Lease: time.Minute, Suspects: 9, Attempts: 12, Worker: "w", Nonce: 1}
		claim := redistest.Must(s.ClaimFor(ctx, request))(t)
		redistest.Must(s.Later(ctx, rediswheel.Retried, []rediswheel.Failed{{ClaimID: claim.Tasks[0].ClaimID, Reason: "new"}}))(t)
		time.Sleep(2 * time.Millisecond)
		token, tasks := old.claim(1, time.Minute)
		if tasks["k"] != 2 {
			t.Fatalf("an old worker claimed %v", tasks)
		}
		old.run("later", rediswheel.Retried, 1, "k", token, 0, "old")
		time.Sleep(2 * time.Millisecond)
		request.Nonce++
		claim = redistest.Must(s.ClaimFor(ctx, request))(t)
		if wheeltesting.ExpectKeys(t, claim, "k"); claim.Tasks[0].Attempts != 3 || claim.Tasks[0].Addition == 0 {
			t.Errorf("%+v", claim.Tasks[0])
		}
		if f, _, err := s.Get(ctx, "k"); err != nil || f.Reason != "old" || f.Attempts != 3 {
			t.Errorf("%+v %v", f, err)
		}
		if ended := redistest.Must(s.Ack(ctx, []rediswheel.ClaimID{claim.Tasks[0].ClaimID}, nil))(t); !ended[0] {
			t.Error("not ended")
		}
	})
}

// A worker of the format before lapses were counted keeps the count as part of the reason. The
// lapse of its own lease is not counted, because it does not mark the only suspect.
func TestLapsesAreKeptByOlderWorkers(t *testing.T) {
	w, ctx := wheeltesting.NewClockwork(t), context.Background()
	old := &oldShard{t, w.Redis.(goredis.UniversalClient), w.Shard, "format2"}
	redistest.Must(w.Add(ctx, []rediswheel.Entry{wheeltesting.Entry("k", 1)}))(t)
	lapses := func(want int) rediswheel.Claimed {
		t.Helper()
		tasks := w.Lapsing(t, rediswheel.ClaimRequest{Suspects: 1})
		if len(tasks) != 1 || tasks[0].Lapses != want {
			t.Fatalf("%+v, expected %d lapses", tasks, want)
		}
		return tasks[0]
	}
	oldClaim := func() int64 {
		t.Helper()
		r := &reply.Reader{List: old.run("claim", 1, 1, 1, "old", w.Now, 0, 0, 0, 12, 1).([]any)[2:]}
		token, key := r.Int(), r.Text()
		if key != "k" || r.Err != nil {
			t.Fatalf("an old worker claimed %q, %v", key, r.Err)
		}
		w.Set(w.Now + 100)
		return token
	}
	for _, n := range []int{0, 0, 0, 1} { // its third claim is the first as a suspect
		lapses(n)
	}
	oldClaim() // the second lapse of the only suspect, which it does not count
	if got := lapses(1).Addition; got != 1_700_000_000_000 {
		t.Errorf("addition %d", got)
	}
	token := lapses(2).Token
	if f, _, err := w.Get(ctx, "k"); err != nil || f.Reason != "" || f.Attempts != 7 {
		t.Errorf("%+v, %v", f, err)
	}
	old.run("later", rediswheel.Retried, 1, "k", token, 0, "it failed")
	lapses(0)
}

// A program of the format before tasks were reserved for workers with their handler leaves an entry
// behind when it replaces or removes a task. The task of such an entry is neither called nor listed
// nor counted, and the next worker that reads the entry deletes it.
func TestEntriesThatOlderProgramsLeave(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := context.Background(), wheeltesting.Open(t, c, 1)
		s := w.Shards()[0]
		old := &oldShard{t, c, s, "format1"}
		later := time.Now().Add(time.Hour).UnixMilli()
		record := func(due int64) string { return (&rediswheel.Task{Handler: "h"}).Record(due) }
		for _, key := range []string{"kept", "moved", "removed", "same"} {
			redistest.Must(s.Add(ctx, []rediswheel.Entry{{Key: key, Due: 1, Record: record(1)}}))(t)
		}
		reserve := rediswheel.ClaimRequest{Limit: 9, Lease: time.Minute, Worker: "w", Nonce: 1}
		wheeltesting.ExpectKeys(t, redistest.Must(s.ClaimFor(ctx, reserve))(t)) // by a worker without the handler
		old.run("add", "moved", later, record(later))
		old.run("add", "same", 1, record(1))
		old.run("remove", "removed")
		list := redistest.Must(w.List(ctx, rediswheel.Waiting, time.Time{}, 9))(t)
		var listed []string
		for _, i := range list {
			listed = append(listed, fmt.Sprint(i.Key, i.Due.UnixMilli() == later))
		}
		if got := fmt.Sprint(listed); got != "[keptfalse samefalse movedtrue]" {
			t.Errorf("listed %s", got)
		}
		keys := 0
		for _, err := range w.Tasks(ctx, rediswheel.Query{State: rediswheel.Waiting, View: rediswheel.ViewKey, Page: 1}) {
			if keys++; err != nil {
				t.Fatal(err)
			}
		}
		if st := redistest.Must(w.Stats(ctx))(t); keys != 3 || st.Waiting != 3 || st.Overdue != 2 {
			t.Errorf("%d listed one by one, %+v", keys, st)
		}
		request := rediswheel.ClaimRequest{Limit: 9, Lease: time.Minute, Suspects: 9, Worker: "w", Nonce: 2, Handlers: []string{"h"}}
		claim := redistest.Must(s.ClaimFor(ctx, request))(t)
		wheeltesting.ExpectKeys(t, claim, "kept", "same")
		if n := redistest.Must(c.ZCard(ctx, s.Prefix+":handler:h").Result())(t); n != 0 {
			t.Errorf("%d entries are left", n)
		}
		redistest.Must(s.MarkDead(ctx, 0, []rediswheel.Failed{{ClaimID: claim.Tasks[0].ClaimID, Reason: "it failed"}}))(t)
		old.run("add", "kept", later, record(later)) // a dead task that the old program can read
		dead := redistest.Must(w.List(ctx, rediswheel.Dead, time.Time{}, 9))(t)
		if st := redistest.Must(w.Stats(ctx))(t); st.InFlight != 1 || st.Waiting != 2 || st.Dead != 0 || len(dead) != 0 {
			t.Errorf("%+v, dead: %+v", st, dead)
		}
	})
}
