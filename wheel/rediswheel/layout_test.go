package rediswheel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/layout"
)

// addHandled adds tasks that are due now, each for the handler "h".
func addHandled(t *testing.T, w *Wheel, prefix string, n int) {
	t.Helper()
	for i := range n {
		if err := w.AddTask(context.Background(), fmt.Sprint(prefix, i), Task{Handler: "h"}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// succeed contains a handler that always succeeds.
var succeed = map[string]Handler{"h": func(context.Context, Call) error { return nil }}

// Redis loses its data, and a program that does not request a number of shards creates the wheel
// again with one. A producer and a worker that used four continue with one: every task whose
// addition succeeded is delivered, and both report the loss.
func TestWheelIsMadeAgainByAnother(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log, workerLog := context.Background(), &journal{}, &journal{}
		producer := must(Open(ctx, c, Options{Shards: 4, Log: log.logger()}))(t)
		startWorker(t, must(Open(ctx, c, Options{}))(t), WorkerOptions{Handlers: succeed, Log: workerLog.logger()})
		addHandled(t, producer, "before", 8)
		eventually(t, "the first are done", func() bool { return must(producer.Stats(ctx))(t).Done == 8 })
		_, err := c.TxPipelined(ctx, func(p goredis.Pipeliner) error {
			p.FlushAll(ctx)
			return p.HSet(ctx, "wheel:wheel", "shards", 1).Err() // as an older program makes it
		})
		if err != nil {
			t.Fatal(err)
		}
		other := must(Open(ctx, c, Options{}))(t)
		if n := len(other.Shards()); n != 1 {
			t.Fatalf("the wheel was made with %d shards", n)
		}
		addHandled(t, producer, "after", 40)
		if err := producer.AddTasks(ctx, []Item{{"one", Task{Handler: "h"}, time.Now()}, {"two", Task{Handler: "h"}, time.Now()}}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "all that was added since is done", func() bool { return must(other.Stats(ctx))(t).Done == 42 })
		for who, text := range map[string]string{"producer": log.String(), "worker": workerLog.String()} {
			if strings.Count(text, "Redis has lost the wheel and its tasks") != 1 || !strings.Contains(text, "level=ERROR") {
				t.Errorf("the %s reports %q", who, text)
			}
		}
		if got := producer.Losses(); got.Data != 1 || len(producer.Shards()) != 1 {
			t.Errorf("%+v, %d shards", got, len(producer.Shards()))
		}
	})
}

// If Redis has lost its data, a producer creates the wheel again with the same layout.
func TestWheelIsMadeAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log := context.Background(), &journal{}
		w := must(Open(ctx, c, Options{Shards: 4, Log: log.logger()}))(t)
		if err := c.FlushAll(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		if found, err := w.RemoveTask(ctx, "k"); found || err != nil {
			t.Errorf("removed %v, %v", found, err)
		}
		addHandled(t, w, "k", 8)
		again := must(Open(ctx, c, Options{Existing: true}))(t)
		if st := must(again.Stats(ctx))(t); st.Waiting != 8 || len(again.Shards()) != 4 {
			t.Errorf("%d tasks, %d shards", st.Waiting, len(again.Shards()))
		}
		if w.Losses().Data != 1 || strings.Count(log.String(), "Redis has lost the wheel") != 1 || c.HGet(ctx, "wheel:wheel", fieldLost).Val() != "1" {
			t.Errorf("%+v, %s", w.Losses(), log)
		}
	})
}

// A shard that was lost alone, with its node of a cluster, is reported by its number.
func TestShardIsLost(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, log := context.Background(), &journal{}
		w := must(Open(ctx, c, Options{Shards: 4, Log: log.logger()}))(t)
		addHandled(t, w, "before", 12)
		for _, key := range must(c.Keys(ctx, w.shards[2].Prefix+":*").Result())(t) {
			must(c.Del(ctx, key).Result())(t)
		}
		addHandled(t, w, "after", 12)
		if w.Losses().Data != 1 || !strings.Contains(log.String(), `"shards lost"=[2]`) || w.latest() != w {
			t.Errorf("%+v, %s", w.Losses(), log)
		}
		if st := must(w.Stats(ctx))(t); st.Waiting < 12 {
			t.Errorf("%d tasks", st.Waiting)
		}
	})
}

// A wheel of an older program has its number of shards alone. It is read on in its layout.
func TestOlderWheel(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx := context.Background()
		must(c.HSet(ctx, "wheel:wheel", "shards", 3).Result())(t)
		for i := range 3 {
			must(Shard{Redis: c, Prefix: fmt.Sprintf("wheel{%d}", i)}.Add(ctx, []Entry{entry(fmt.Sprint("old", i), 1)}))(t)
		}
		looking := must(Open(ctx, c, Options{Existing: true}))(t)
		if n := must(c.HLen(ctx, "wheel:wheel").Result())(t); n != 1 || len(looking.Shards()) != 3 {
			t.Errorf("looking at it left %d fields; %d shards", n, len(looking.Shards()))
		}
		log := &journal{}
		w := must(Open(ctx, c, Options{Log: log.logger()}))(t)
		if st := must(w.Stats(ctx))(t); st.Waiting != 3 || w.shards[1].Prefix != "wheel{1}" || log.String() != "" {
			t.Errorf("%+v, %q, %s", st, w.shards[1].Prefix, log)
		}
		addHandled(t, w, "new", 30)
		if st := must(looking.Stats(ctx))(t); st.Waiting != 33 {
			t.Errorf("%+v", st)
		}
	})
}

// An older program does not take a wheel of layout 2: for it the number of shards is 0.
// A layout of a newer program is refused in one line.
func TestOtherLayoutIsRefused(t *testing.T) {
	ctx, c := context.Background(), embedded(t)
	open(t, c, 3)
	if n, err := c.HGet(ctx, "wheel:wheel", "shards").Int(); n != 0 || err != nil {
		t.Errorf("an older program reads %d shards, %v", n, err)
	}
	must(c.HSet(ctx, "wheel:wheel", "layout", 3).Result())(t)
	_, err := Open(ctx, c, Options{})
	expectLine(t, err, ErrShards, `the wheel has layout "3", this program knows up to 2 (Redis at `)
	must(c.HSet(ctx, "wheel:wheel", "layout", 2, "count", 65).Result())(t)
	_, err = Open(ctx, c, Options{})
	expectLine(t, err, ErrShards, `the wheel has "65", 1 to 64 were expected`)
}

// While tasks are moved to another layout nothing is added, removed or claimed.
func TestMovingWheelIsRefused(t *testing.T) {
	ctx, c := context.Background(), embedded(t)
	w := open(t, c, 3)
	must(c.HSet(ctx, "wheel:wheel", fieldMoving, "x").Result())(t)
	if err := w.unmark(ctx); err != nil {
		t.Fatal(err)
	}
	const want = "the wheel is being moved to another number of shards"
	expectLine(t, w.AddTask(ctx, "k", post, time.Now()), ErrRefused, want)
	_, err := w.RemoveTask(ctx, "k")
	expectLine(t, err, ErrRefused, want)
	_, err = Open(ctx, c, Options{})
	expectLine(t, err, ErrRefused, want)
	if _, err := w.shards[0].Claim(ctx, 1, time.Minute); !layout.Refused(err) {
		t.Errorf("claimed: %v", err)
	}
}

// A restart of Redis is an error line of the worker, and counted, though nothing was lost
// that it had saved.
func TestRestartIsReported(t *testing.T) {
	server, ctx, log := redistest.StartKept(t), context.Background(), &journal{}
	c := server.Client()
	w := open(t, c, 1)
	startWorker(t, w, WorkerOptions{Handlers: succeed, Log: log.logger()})
	addHandled(t, w, "k", 3)
	eventually(t, "they are done", func() bool { return must(w.Stats(ctx))(t).Done == 3 })
	server.Kill()
	server.Restart()
	eventually(t, "the restart is reported", func() bool { return w.Losses().Restarts == 1 })
	if !strings.Contains(log.String(), "another Redis process answers (restart or failover): what was not saved or replicated is lost") || w.Losses().Data != 0 {
		t.Errorf("%+v, %s", w.Losses(), log)
	}
}

// A wheel that is paused is not claimed from, until it is resumed.
func TestPausedWheel(t *testing.T) {
	ctx, c, log := context.Background(), embedded(t), &journal{}
	w := open(t, c, 2)
	must(c.HSet(ctx, "wheel:wheel", fieldPaused, 1).Result())(t)
	startWorker(t, w, WorkerOptions{Handlers: succeed, Log: log.logger()})
	eventually(t, "the worker has noticed", func() bool { return strings.Contains(log.String(), "is paused") })
	time.Sleep(2 * PollDefault) // a claim that was sent before is answered
	addHandled(t, w, "k", 5)
	time.Sleep(3 * PollDefault)
	if st := must(w.Stats(ctx))(t); st.Waiting != 5 {
		t.Errorf("claimed while paused: %+v", st)
	}
	must(c.HDel(ctx, "wheel:wheel", fieldPaused).Result())(t)
	eventually(t, "all are done", func() bool { return must(w.Stats(ctx))(t).Done == 5 })
}

// A caller that waits for a renewal by another goroutine returns when its ctx ends.
func TestRenewalHeedsContext(t *testing.T) {
	w := open(t, embedded(t), 1)
	w.current.turn <- struct{}{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := w.renew(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
