//go:build js

package main

import (
	"context"
	"runtime"
	"sync"
	"syscall/js"
	"time"

	"github.com/wheelscope/wheelscope/internal/site/passlimit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// runningTime is the time after which a first pass is shown and can be cancelled.
const runningTime = 3 * time.Second

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
	if passlimit.Large(p.Estimate()) {
		k.show("announced")
		select {
		case <-k.start:
			k.show("running")
		case <-ctx.Done():
		}
	}
	l.grow(p.Estimate())
	late := time.AfterFunc(runningTime, func() { k.show("running") })
	return ctx, func() {
		late.Stop()
		cancel(nil)
		delete(l.passes, k.number)
		k.show("ended")
	}
}

// Limits of grow.
const (
	growthFactor = 4         // memory of a run with its checkpoints and with garbage, relative to the estimate without them
	growthMin    = 32 << 20  // bytes
	growthMax    = 192 << 20 // bytes
)

// grow makes the heap grow at once to what a run with estimate e may take. Otherwise it grows by 512 kB at a time, each of
// which takes the browser 2 ms. Memory that the run does not use is never touched, so that it is not taken from the system.
func (l *lab) grow(e program.Estimate) {
	more := min(growthFactor*e.Bytes, growthMax) - l.grown
	if more < growthMin {
		return
	}
	l.grown += more
	runtime.KeepAlive(make([]byte, more))
	runtime.GC()
}

// show passes the state of the pass to the page.
func (k *pass) show(state string) {
	e := k.program.Estimate()
	js.Global().Call("wheelscopePass", map[string]any{"number": k.number, "run": k.program.Digest(), "state": state, "name": k.program.Scenario.Name,
		"seconds": passlimit.Seconds(e), "memory": program.FormatBytes(e.Bytes)})
}

// decide starts or cancels a first pass. Its arguments are the number of the pass, and whether to
// start it.
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
