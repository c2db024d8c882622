package web

import (
	"context"
	"strings"
	"sync"

	"github.com/wheelscope/wheelscope/sim"
)

// library finds the scenarios that a URL can name: the built-in ones, and the file given on the
// command line.
type library struct {
	store *sim.Store
	given *sim.Program // nil: none

	mu    sync.Mutex
	plans map[string]func() (*sim.Program, error) // built-in scenarios asked for so far; each plans once
}

func newLibrary(store *sim.Store, given *sim.Program) *library {
	return &library{store: store, given: given, plans: map[string]func() (*sim.Program, error){}}
}

// notFoundError is the error for a name that no scenario has.
type notFoundError string

func (e notFoundError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the refusal to send to the client.
func (e notFoundError) Unwrap() error {
	return refuse("scenario", "%q is not the name of a scenario here", clip(string(e)))
}

// program returns the scenario called name, or the default scenario if name is "".
func (b *library) program(name string) (*sim.Program, error) {
	if b.given != nil && (name == "" || inPage(name) == inPage(b.given.Scenario.Name)) {
		return b.given, nil
	}
	if name == "" {
		name = sim.Builtins()[0].Name
	}
	return b.builtin(name)
}

// pageText replaces the characters that a browser replaces when it parses a page. A name with such
// characters that was sent to a page comes back changed.
var pageText = strings.NewReplacer("\x00", "\ufffd", "\r\n", "\n", "\r", "\n")

// inPage returns text as a browser parses it (HTML 13.2.3.5 and 13.2.5).
func inPage(text string) string { return pageText.Replace(text) }

// builtin returns the built-in scenario called name.
func (b *library) builtin(name string) (*sim.Program, error) {
	b.mu.Lock()
	plan, ok := b.plans[name]
	if data, found := sim.Builtin(name); !ok && found {
		plan, ok = sync.OnceValues(func() (*sim.Program, error) { return sim.Load(data) }), true
		b.plans[name] = plan
	}
	b.mu.Unlock() // planning takes a while and must not delay requests for other scenarios
	if !ok {
		return nil, notFoundError(name)
	}
	return plan()
}

// isBuiltin reports whether a program is the unedited built-in scenario of its name.
func (b *library) isBuiltin(p *sim.Program) bool {
	name := p.Scenario.Name
	if _, ok := sim.Builtin(name); !ok || p == b.given {
		return false
	}
	original, err := b.program(name)
	return err == nil && original.Digest() == p.Digest()
}

// position is a position in a run as given in a URL.
type position struct {
	tick, seq int64 // negative: not given
}

// beforeAnything is the position of a page whose URL gives none.
var beforeAnything = position{-1, -1}

// locate returns the position to which a runner can seek, after waiting until the run is computed
// that far. If both tick and seq are given, and seq is the last event at that tick (or 0 at a tick
// before the first event), the result is the end of the tick; otherwise seq has precedence.
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

// snapshot returns the state at a position returned by locate.
func (p position) snapshot(ctx context.Context, run *sim.Run, most int) (*sim.Snapshot, error) {
	if p.tick >= 0 {
		return run.Seek(ctx, p.tick, most)
	}
	return run.SeekSeq(ctx, max(p.seq, 0), most)
}
