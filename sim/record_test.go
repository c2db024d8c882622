package sim_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own/script"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// An own wheel that runs for longer than a request goes on: a later request waits for the same run of its source.
func TestOwnWheelOutlastsARequest(t *testing.T) {
	goOn := make(chan struct{})
	var times atomic.Int32
	t.Cleanup(engine.RecordOwnWith(func(ctx context.Context, p *program.Program, i int) (*recorded.Log, error) {
		times.Add(1)
		select {
		case <-goOn:
			return script.Record(ctx, p, i)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}))
	load := func() *program.Program {
		p, err := program.Load([]byte(`{"wheelscope":1,"until":9,"lanes":[{"algorithm":"own","source":"function create() { return {schedule() { return false }, cancel() { return false }, advance() { return [] }} }"}],
			"workload":{"ops":[{"at":1,"op":"schedule","timer":"a","delay":2}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := store.Open(short, load()); !errors.Is(err, sim.ErrRecording) {
		t.Fatalf("the first request: %v", err)
	}
	if _, err := store.Open(engine.AskOwn(t.Context()), load()); !errors.Is(err, engine.ErrOwnAsk) {
		t.Errorf("a request that does not agree: %v", err)
	}
	close(goOn)
	run, err := store.Open(t.Context(), load())
	if err != nil {
		t.Fatal(err)
	}
	if last, err := run.EndSeq(t.Context()); err != nil || last == 0 || times.Load() != 1 {
		t.Errorf("%d events, %v; the source ran %d times", last, err, times.Load())
	}
}

// Closing the store ends a wheel that runs.
func TestStoreEndsOwnWheels(t *testing.T) {
	began := make(chan struct{})
	t.Cleanup(engine.RecordOwnWith(func(ctx context.Context, _ *program.Program, _ int) (*recorded.Log, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	p, err := program.Load([]byte(`{"wheelscope":1,"until":9,"lanes":[{"algorithm":"own","source":"x"}],"workload":{"ops":[]}}`))
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	ended := make(chan error, 1)
	go func() {
		_, err := store.Open(t.Context(), p)
		ended <- err
	}()
	<-began
	store.Close()
	if err := <-ended; !errors.Is(err, sim.ErrClosed) {
		t.Errorf("the request: %v", err)
	}
}
