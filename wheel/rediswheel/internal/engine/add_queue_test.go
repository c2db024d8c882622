package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// A task whose caller returned while the task was waiting is not added later, and no state of it is
// kept.
func TestAbandonedAdd(t *testing.T) {
	c := redistest.Embedded(t)
	w := redistest.Must(Open(t.Context(), c, Options{Name: "w", Shards: 4}))(t)
	a := w.adds[0]
	a.pipelined = true // as after a pipeline of several tasks
	sent, release := make(chan struct{}, 10), make(chan struct{})
	c.AddHook(redistest.Gate{Before: func(goredis.Cmder) error { sent <- struct{}{}; <-release; return nil }})
	first := make(chan error, 1)
	go func() { first <- w.Add(context.Background(), record("first", time.Now().UnixMilli())) }()
	<-sent
	last, cancelledErr := make(chan error, 1), make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { cancelledErr <- w.Add(ctx, record("gone", time.Now().UnixMilli())) }()
	go func() { last <- w.Add(context.Background(), record("last", time.Now().UnixMilli())) }()
	waiting := func() int {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.waiting)
	}
	redistest.Eventually(t, "two wait", func() bool { return waiting() == 2 })
	cancel()
	if err := <-cancelledErr; !errors.Is(err, context.Canceled) {
		t.Errorf("the one that gave up: %v", err)
	}
	if n := waiting(); n != 1 {
		t.Errorf("%d wait, want the one whose caller does", n)
	}
	close(release)
	if err := errors.Join(<-first, <-last); err != nil {
		t.Fatal(err)
	}
	_, there, err := w.Shard("gone").Get(context.Background(), "gone")
	if n := tasksOf(t, w); there || err != nil || n != 2 {
		t.Errorf("the abandoned one was added (%v); %d wait", err, n)
	}
}

// Up to directMax tasks are added concurrently, each by its own script call. Further tasks wait for
// the pipeline in flight and are sent with the next one, those of all shards together. Once few tasks are added at a
// time, each is sent at once again.
func TestPipelinesAboveDirectMax(t *testing.T) {
	c := redistest.Embedded(t)
	w := redistest.Must(Open(t.Context(), c, Options{Name: "w", Shards: 4}))(t)
	const callers = directMax + 20
	for range 2 { // both scripts are loaded
		if err := w.Add(context.Background(), record("k0", time.Now().UnixMilli())); err != nil {
			t.Fatal(err)
		}
	}
	var blocked, sent atomic.Int64
	release := make(chan struct{})
	c.AddHook(redistest.Gate{Before: func(cmd goredis.Cmder) error {
		if cmd.Name() == "evalsha" { // not the commands of new connections
			sent.Add(1)
			blocked.Add(1)
			<-release
			blocked.Add(-1)
		}
		return nil
	}})
	ended := make(chan error, callers)
	start := func(from, to int) {
		for i := from; i < to; i++ {
			go func() { ended <- w.Add(context.Background(), record(fmt.Sprint("k", i), time.Now().UnixMilli())) }()
		}
	}
	start(0, directMax)
	redistest.Eventually(t, "the first are sent side by side", func() bool { return blocked.Load() == directMax })
	start(directMax, directMax+1)
	redistest.Eventually(t, "one more is sent in a pipeline", func() bool { return blocked.Load() == directMax+1 })
	start(directMax+1, callers)
	a := w.adds[0]
	redistest.Eventually(t, "the others wait for the pipeline", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.waiting) == callers-directMax-1
	})
	close(release)
	for range callers {
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	if n := tasksOf(t, w); n != callers || sent.Load() > directMax+4 {
		t.Errorf("%d tasks by %d scripts and pipelines", n, sent.Load())
	}
	for range 2 {
		start(callers, callers+1)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	redistest.Eventually(t, "no pipelines any more", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return !a.sending && !a.pipelined && a.direct == 0
	})
}

// Tasks of one pipeline replace those that exist, also if two of them have one key, and also after the server has lost
// its scripts.
func TestPipelineReplaces(t *testing.T) {
	c := redistest.Embedded(t)
	w := redistest.Must(Open(t.Context(), c, Options{Name: "w", Shards: 4}))(t)
	now := time.Now().UnixMilli()
	var batch []*queuedTask
	for i := range 20 {
		key := fmt.Sprint("k", i)
		if i%2 == 0 {
			if err := w.Add(t.Context(), record(key, now)); err != nil {
				t.Fatal(err)
			}
		}
		batch = append(batch, &queuedTask{entry: record(key, now+1000)})
	}
	if err := c.ScriptFlush(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	w.adds[0].send(t.Context(), batch)
	for _, p := range batch {
		f, ok, err := w.Shard(p.entry.Key).Get(t.Context(), p.entry.Key)
		if err := errors.Join(p.err, err); err != nil || !ok || f.At != now+1000 {
			t.Errorf("%s is due at %d (%v, %v), expected %d", p.entry.Key, f.At, ok, err, now+1000)
		}
	}
}

// If two tasks with one key wait, the second is sent only after the first has been added.
func TestPipelinesOfOneKey(t *testing.T) {
	c := redistest.Embedded(t)
	w := redistest.Must(Open(t.Context(), c, Options{Name: "w", Shards: 4}))(t)
	a := w.adds[0]
	a.pipelined = true // as after a pipeline of several tasks
	sent, release := make(chan string, 10), make(chan struct{})
	c.AddHook(redistest.Gate{Before: func(cmd goredis.Cmder) error { sent <- cmd.String(); <-release; return nil }})
	ended := make(chan error, 3)
	now := time.Now()
	for i, key := range []string{"other", "key", "key"} {
		due := now.Add(time.Duration(i) * time.Hour)
		go func() { ended <- w.Add(context.Background(), record(key, due.UnixMilli())) }()
		if i == 0 {
			<-sent
		}
		redistest.Eventually(t, "it waits", func() bool {
			a.mu.Lock()
			defer a.mu.Unlock()
			return len(a.waiting) == i
		})
	}
	if len(sent) > 0 {
		t.Errorf("sent while the first was in flight: %s", <-sent)
	}
	close(release)
	if err := errors.Join(<-ended, <-ended, <-ended); err != nil {
		t.Fatal(err)
	}
	if f, ok, err := w.Shard("key").Get(context.Background(), "key"); !ok || err != nil || f.At != now.Add(2*time.Hour).UnixMilli() {
		t.Errorf("the task is due at %d (%v, %v), expected the second one's time", f.At, ok, err)
	}
}

// tasksOf returns the number of tasks of a wheel.
func tasksOf(t *testing.T, w *Wheel) (n int64) {
	t.Helper()
	for _, s := range w.shards {
		n += redistest.Must(w.client.HLen(context.Background(), s.Prefix+":tasks").Result())(t)
	}
	return n
}
