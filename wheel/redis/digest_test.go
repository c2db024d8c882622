package redis

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// One line for each cause and interval, with the number of incidents; causes are bounded.
func TestDigest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &journal{}
		d := newDigest(log.logger(), logEvery)
		lines := func(what string, want int, has string) {
			t.Helper()
			synctest.Wait()
			text := log.String()
			if n := strings.Count(text, "\n"); n != want || !strings.Contains(text, has) {
				t.Errorf("%s: %d lines, want %d with %q: %s", what, n, want, has, text)
			}
			log.mu.Lock()
			log.text.Reset()
			log.mu.Unlock()
		}
		for i := range 500 {
			d.note(incident{"failed", "a:1", fmt.Sprint("k", i), 1, fmt.Sprintf("read 127.0.0.1:%d: reset", 30000+i)})
			d.note(incident{"failed", "b:1", fmt.Sprint("k", i), 1, "refused"})
		}
		lines("at once", 2, "key=k0 where=a:1 attempt=1 reason=\"read 127.0.0.1:30000: reset\"\n")
		time.Sleep(logEvery)
		lines("after the interval", 2, "key=k499 where=b:1 attempt=1 reason=refused times=499 within=10s\n")
		time.Sleep(logEvery)
		lines("when it is over", 0, "")
		d.note(incident{"failed", "b:1", "k", 2, "refused"})
		lines("again", 1, "attempt=2")
		for i := range 1000 {
			d.note(incident{"failed", fmt.Sprint("h:", i), "k", 1, "refused"})
		}
		lines("many causes", causesMax, "where=h:1 ")
		d.close()
		lines("the end", 1, "times=")
		if len(d.causes) > causesMax+1 {
			t.Errorf("%d causes are kept", len(d.causes))
		}
		quiet := newDigest(slog.New(slog.DiscardHandler), logEvery)
		if quiet.note(incident{message: "x"}); quiet.timer != nil {
			t.Error("without a log it counts")
		}
	})
}

// A worker whose receiver is down writes a line, not one for each task; and none for a result that Redis
// does not take, since another worker has the task.
func TestFailuresAreLoggedOnce(t *testing.T) {
	ctx, w, log := context.Background(), open(t, embedded(t), 1), &journal{}
	const tasks = 50
	addSome(t, w, tasks)
	_, stop := startWorker(t, w, WorkerOptions{Log: log.logger(), Attempts: 3, Handlers: map[string]Handler{
		"h": func(context.Context, Call) error { return errors.New("receiver is down") }}})
	eventually(t, "all are given up", func() bool { return must(w.Stats(ctx))(t).Dead == tasks })
	stop()
	if n := strings.Count(log.String(), "\n"); n != 4 || !strings.Contains(log.String(), "times=49") || !strings.Contains(log.String(), "times=99") {
		t.Errorf("%d lines: %s", n, log)
	}
}

// A failure is logged as counted only once Redis has said so: of a claim that lapsed and is another
// worker's by now it is not one.
func TestFailureOfALapsedClaim(t *testing.T) {
	ctx, w, log := context.Background(), open(t, embedded(t), 1), &journal{}
	addSome(t, w, 1)
	began, finish := make(chan struct{}), make(chan struct{})
	worker, stop := startWorker(t, w, WorkerOptions{Log: log.logger(), Lease: time.Minute, Poll: time.Hour, Handlers: map[string]Handler{
		"h": func(context.Context, Call) error { close(began); <-finish; return errors.New("too late") }}})
	<-began
	l := worker.holders[0].list(func(*lease) bool { return true })[0]
	must(w.shards[0].Extend(ctx, []Hold{l.hold()}, -time.Second))(t)
	expectKeys(t, must(w.shards[0].Claim(ctx, 1, time.Minute))(t), "k0")
	close(finish)
	eventually(t, "it is logged", func() bool { return log.String() != "" })
	stop()
	if text := log.String(); strings.Contains(text, "to be tried again") || !strings.Contains(text, "failed after its lease had lapsed; not counted") {
		t.Errorf("logged: %s", text)
	}
}
