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
	w := redistest.Must(Open(t.Context(), c, Options{Name: "w", Shards: 1}))(t)
	w.addQueues[0].batching = true // as after a large batch
	w.addQueues[0].senders = batchesMax - 1
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
		w.addQueues[0].mu.Lock()
		defer w.addQueues[0].mu.Unlock()
		return len(w.addQueues[0].waiting)
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
	_, there, err := w.shards[0].Get(context.Background(), "gone")
	if n := tasksOf(t, w); there || err != nil || n != 2 {
		t.Errorf("the abandoned one was added (%v); %d wait", err, n)
	}
}

// Up to directMax tasks are added concurrently, each by its own script call. Further tasks wait for
// the batches in flight and are sent with the next batch. Once few tasks are added at a time, each
// is sent at once again.
func TestBatchesAboveDirectMax(t *testing.T) {
	c := redistest.Embedded(t)
	w := redistest.Must(Open(t.Context(), c, Options{Name: "w", Shards: 1}))(t)
	const callers = directMax + 20
	for range 2 { // both scripts are loaded
		if err := w.Add(context.Background(), record("k0", time.Now().UnixMilli())); err != nil {
			t.Fatal(err)
		}
	}
	var blocked, scripts atomic.Int64
	release := make(chan struct{})
	c.AddHook(redistest.Gate{Before: func(cmd goredis.Cmder) error {
		if cmd.Name() == "evalsha" { // not the commands of new connections
			scripts.Add(1)
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
	for i := directMax; i < directMax+batchesMax; i++ {
		start(i, i+1)
		redistest.Eventually(t, "one more is sent as a batch", func() bool { return blocked.Load() == int64(i)+1 })
	}
	start(directMax+batchesMax, callers)
	a := w.addQueues[0]
	redistest.Eventually(t, "the others wait for the batches", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.waiting) == callers-directMax-batchesMax
	})
	close(release)
	for range callers {
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	if n := tasksOf(t, w); n != callers || scripts.Load() > directMax+batchesMax+4 {
		t.Errorf("%d tasks by %d scripts", n, scripts.Load())
	}
	for range 2 {
		start(callers, callers+1)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	redistest.Eventually(t, "no batches any more", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.senders == 0 && !a.batching && len(a.sending) == 0
	})
}

// If two tasks with one key are added in batches, the second is sent only after the first has been
// added, even if another batch is in flight. The goroutine that sent the first then sends the
// second.
func TestBatchesOfOneKey(t *testing.T) {
	c := redistest.Embedded(t)
	w := redistest.Must(Open(t.Context(), c, Options{Name: "w", Shards: 1}))(t)
	a := w.addQueues[0]
	a.batching = true // as after a large batch
	sent, release := make(chan string, 10), make(chan struct{})
	c.AddHook(redistest.Gate{Before: func(cmd goredis.Cmder) error { sent <- cmd.String(); <-release; return nil }})
	ended := make(chan error, 2)
	now := time.Now()
	for _, due := range []time.Time{now.Add(time.Hour), now.Add(2 * time.Hour)} {
		a.mu.Lock()
		a.batching = true
		a.mu.Unlock()
		go func() { ended <- w.Add(context.Background(), record("key", due.UnixMilli())) }()
		if due.Sub(now) == time.Hour {
			<-sent
		}
	}
	redistest.Eventually(t, "the second waits, and only one batch is in flight", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.waiting) == 1 && a.senders == 1
	})
	if len(sent) > 0 {
		t.Errorf("sent while the first was in flight: %s", <-sent)
	}
	close(release)
	if err := errors.Join(<-ended, <-ended); err != nil {
		t.Fatal(err)
	}
	if f, ok, err := w.shards[0].Get(context.Background(), "key"); !ok || err != nil || f.At != now.Add(2*time.Hour).UnixMilli() {
		t.Errorf("the task is due at %d (%v, %v), expected the second one's time", f.At, ok, err)
	}
}

// exampleTask is a task that can be added.
// tasksOf returns the number of tasks of a wheel with one shard.
func tasksOf(t *testing.T, w *Wheel) int64 {
	t.Helper()
	return redistest.Must(w.client.HLen(context.Background(), w.shards[0].Prefix+":tasks").Result())(t)
}
