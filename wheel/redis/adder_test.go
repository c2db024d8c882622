package redis

import (
	"context"
	"errors"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// gate is a network that holds commands back, or loses them, as a test says.
type gate struct {
	before func(cmd goredis.Cmder) error
}

func (g gate) DialHook(next goredis.DialHook) goredis.DialHook { return next }

func (g gate) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return next
}

func (g gate) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		if err := g.before(cmd); err != nil {
			return err
		}
		return next(ctx, cmd)
	}
}

// A task whose caller gave up while it waited for its turn is not added later, and
// nothing of it is kept.
func TestAbandonedAdd(t *testing.T) {
	c := embedded(t)
	w := open(t, c, 1)
	sent, release := make(chan struct{}, 10), make(chan struct{})
	c.AddHook(gate{func(goredis.Cmder) error { sent <- struct{}{}; <-release; return nil }})
	first := make(chan error, 1)
	go func() { first <- w.AddTask(context.Background(), "first", post, time.Now()) }()
	<-sent
	last, gone := make(chan error, 1), make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { gone <- w.AddTask(ctx, "gone", post, time.Now()) }()
	go func() { last <- w.AddTask(context.Background(), "last", post, time.Now()) }()
	waiting := func() int {
		w.adders[0].mu.Lock()
		defer w.adders[0].mu.Unlock()
		return len(w.adders[0].waiting)
	}
	eventually(t, "two wait", func() bool { return waiting() == 2 })
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the one that gave up: %v", err)
	}
	if n := waiting(); n != 1 {
		t.Errorf("%d wait, want the one whose caller does", n)
	}
	close(release)
	if err := errors.Join(<-first, <-last); err != nil {
		t.Fatal(err)
	}
	_, there, err := w.Get(context.Background(), "gone")
	st := must(w.Stats(context.Background()))(t)
	if there || err != nil || st.Waiting != 2 {
		t.Errorf("the abandoned one was added (%v); %d wait", err, st.Waiting)
	}
}
