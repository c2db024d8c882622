//go:build js

package main

import (
	"context"
	"sync"
	"syscall/js"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// runningTime is how long the first pass of a run must take before the page shows that it is in progress, so
// that the user can cancel it. A pass that the user has started is shown at once.
const runningTime = 3 * time.Second

// pass is the first pass of a run, in which all events of the run are computed. A pass is either in progress,
// or waits until the user starts it.
type pass struct {
	number  int
	program *program.Program
	once    sync.Once     // ensures that start is closed only once
	start   chan struct{} // closed when the user starts the pass
	cancel  context.CancelCauseFunc
}

// Sizes of a run that is computed without asking the user. A browser computes about two million events per second, and a
// timer causes about six in each lane.
const (
	timersMax = 2_000_000     // maximum number of timers in all lanes together
	bytesMax  = 1_000_000_000 // maximum memory of the run in bytes
)

// large reports whether the user must be asked before the run of p is computed.
func large(p *program.Program) bool {
	return p.Timers()*len(p.Scenario.Lanes) > timersMax || p.Estimate().Bytes > bytesMax
}

// admit registers the first pass of the run of p, and is called before that pass begins; see
// sim.StoreOptions.Admit. If the pass may take long or much memory, admit waits until the user starts it or
// ctx is done. It returns a context that is cancelled when the user cancels the pass, and a function that the
// caller must call at the end of the pass.
func (l *lab) admit(ctx context.Context, p *program.Program) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	l.lastPass++
	k := &pass{number: l.lastPass, program: p, start: make(chan struct{}), cancel: cancel}
	l.passes[k.number] = k
	if large(p) {
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

// show reports a state of the pass to the page: "announced" if it waits for the user, "running" or "ended".
func (k *pass) show(state string) {
	p := k.program
	js.Global().Call("wheelscopePass", map[string]any{"number": k.number, "run": p.Digest(), "state": state, "name": p.Scenario.Name,
		"lanes": len(p.Scenario.Lanes), "timers": p.Timers(), "memory": program.FormatBytes(p.Estimate().Bytes)})
}

// decide starts or cancels the first pass of a run. The page calls it with the decision of the user. args
// contains the number of the pass and whether to start it.
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
