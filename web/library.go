package web

import (
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

// pageText makes the changes that a browser makes to text: a file may have any name, but not every
// one comes back from a page as it was sent.
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
