package web

import (
	"context"
	"strings"
	"sync"

	"github.com/wheelscope/wheelscope/sim"
)

// library finds the scenarios that an address can name: the built-in ones, and
// the file that was given on the command line.
type library struct {
	store *sim.Store
	given *sim.Program // nil: none

	mu    sync.Mutex
	plans map[string]func() (*sim.Program, error) // of built-in scenarios that have been asked for; each plans once
}

func newLibrary(store *sim.Store, given *sim.Program) *library {
	return &library{store: store, given: given, plans: map[string]func() (*sim.Program, error){}}
}

// notFoundError says that no scenario has a name.
type notFoundError string

func (e notFoundError) Error() string { return e.Unwrap().Error() }

// Unwrap is what its user is told.
func (e notFoundError) Unwrap() error {
	return refuse("scenario", "%q is not the name of a scenario here", clip(string(e)))
}

// program gives the scenario called name, and the one to begin with for "".
func (b *library) program(name string) (*sim.Program, error) {
	if b.given != nil && (name == "" || inPage(name) == inPage(b.given.Scenario.Name)) {
		return b.given, nil
	}
	if name == "" {
		name = sim.Builtins()[0].Name
	}
	return b.builtin(name)
}

// A file may have any name, but not every one comes back from a page as it was
// written there.
var pageText = strings.NewReplacer("\x00", "\ufffd", "\r\n", "\n", "\r", "\n")

// inPage is text as a browser reads it (HTML 13.2.3.5 and 13.2.5).
func inPage(text string) string { return pageText.Replace(text) }

// builtin gives the built-in scenario called name.
func (b *library) builtin(name string) (*sim.Program, error) {
	b.mu.Lock()
	plan, ok := b.plans[name]
	if data, found := sim.Builtin(name); !ok && found {
		plan, ok = sync.OnceValues(func() (*sim.Program, error) { return sim.Load(data) }), true
		b.plans[name] = plan
	}
	b.mu.Unlock() // planning takes a while, and others ask for other scenarios
	if !ok {
		return nil, notFoundError(name)
	}
	return plan()
}

// isBuiltin says whether a program is the built-in scenario of its name, with no
// edit.
func (b *library) isBuiltin(p *sim.Program) bool {
	name := p.Scenario.Name
	if _, ok := sim.Builtin(name); !ok || p == b.given {
		return false
	}
	original, err := b.program(name)
	return err == nil && original.Digest() == p.Digest()
}

// position is a place in a run as an address gives it.
type position struct {
	tick, seq int64 // negative: not given
}

// beforeAnything is where a page opens that asks for no place.
var beforeAnything = position{-1, -1}

// locate turns a position into what a runner can be sent to. An event given
// together with a tick of the pause that follows it stands for everything at that
// tick, and so does event 0 with one of the pause before the first.
func (p position) locate(ctx context.Context, run *sim.Run) (position, error) {
	if until := run.Program().Until; p.tick > until {
		return p, refuse("t", "%d is past the end of the scenario at tick %d", p.tick, until)
	}
	if p.seq < 0 {
		return p, run.Wait(ctx, p.tick)
	}
	if _, err := run.TickOf(ctx, p.seq); err != nil {
		return p, err
	}
	if p.tick >= 0 {
		last, err := run.SeqAt(ctx, p.tick)
		if err != nil {
			return p, err
		}
		if last == p.seq && p.tick+p.seq > 0 {
			return position{p.tick, -1}, nil
		}
	}
	return position{-1, p.seq}, nil
}

// snapshot gives the state at a position that locate gave.
func (p position) snapshot(ctx context.Context, run *sim.Run, most int) (*sim.Snapshot, error) {
	if p.tick >= 0 {
		return run.Seek(ctx, p.tick, most)
	}
	return run.SeekSeq(ctx, max(p.seq, 0), most)
}
