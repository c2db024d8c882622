//go:build js

package main

import (
	"context"
	"math"
	"sync"
	"syscall/js"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// A first pass that may take more than announcedSeconds or announcedBytes waits until the user starts or
// cancels it. After runningTime, each pass is shown and can be cancelled.
const (
	announcedSeconds = 10
	announcedBytes   = 1_000_000_000
	runningTime      = 3 * time.Second
)

// Rates at which a browser is expected to compute a first pass. They are estimates: 3.4 million events took 2.2
// to 2.7 s under node, and both are rates of upper bounds, of which a run has about half.
const (
	eventsPerSecond = 2_000_000
	passedPerSecond = 50_000_000
)

// pass is a first pass in progress, or one that waits for the user.
type pass struct {
	number  int
	program *program.Program
	once    sync.Once
	start   chan struct{} // closed when the user starts it
	cancel  context.CancelCauseFunc
}

// admit registers a first pass and waits for the user if it may take long. It implements
// sim.StoreOptions.Admit.
func (l *lab) admit(ctx context.Context, p *program.Program) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	l.lastPass++
	k := &pass{number: l.lastPass, program: p, start: make(chan struct{}), cancel: cancel}
	l.passes[k.number] = k
	if e := p.Estimate(); seconds(e) > announcedSeconds || e.Bytes > announcedBytes {
		k.show("announced")
		select {
		case <-k.start:
			k.show("running")
		case <-ctx.Done():
		}
	}
	late := time.AfterFunc(runningTime, func() { k.show("running") })
	return ctx, func() {
		late.Stop()
		cancel(nil)
		delete(l.passes, k.number)
		k.show("ended")
	}
}

// seconds returns the time that a browser takes at most for a run with estimate e.
func seconds(e program.Estimate) int64 {
	return int64(math.Ceil(float64(e.Events)/eventsPerSecond + float64(e.Passed)/passedPerSecond))
}

// show passes the state of the pass to the page.
func (k *pass) show(state string) {
	e := k.program.Estimate()
	js.Global().Call("wheelscopePass", map[string]any{"number": k.number, "state": state, "name": k.program.Scenario.Name,
		"seconds": seconds(e), "memory": program.FormatBytes(e.Bytes)})
}

// decide starts or cancels a first pass: number, whether to start it.
func (l *lab) decide(args []js.Value) {
	k := l.passes[args[0].Int()]
	switch {
	case k == nil:
	case args[1].Bool():
		k.once.Do(func() { close(k.start) })
	default:
		k.cancel(sim.ErrCancelled)
	}
}
