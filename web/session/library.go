package session

import (
	"strings"
	"sync"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Library contains the scenarios that a URL can select: the built-in ones, and the one given on the command
// line. Its methods may be called concurrently.
type Library struct {
	Store *sim.Store       // store of the scenarios' runs
	Given *program.Program // scenario that was given on the command line; nil if there is none

	mu    sync.Mutex
	plans map[string]func() (*program.Program, error) // functions that return the program of a built-in scenario, by name; the first call plans the scenario
}

// NewLibrary returns a library of the built-in scenarios and of given, the scenario given on the command line, which
// may be nil. Their runs are in store.
func NewLibrary(store *sim.Store, given *program.Program) *Library {
	return &Library{Store: store, Given: given, plans: map[string]func() (*program.Program, error){}}
}

// Program returns the program of the named scenario, or an error of kind texts.NotFound. If name is "", it returns the program of the scenario given on the
// command line or, if there is none, of the first built-in scenario.
func (b *Library) Program(name string) (*program.Program, error) {
	if b.Given != nil && (name == "" || inPage(name) == inPage(b.Given.Scenario.Name)) {
		return b.Given, nil
	}
	if name == "" {
		name = library.Builtins()[0].Name
	}
	return b.Builtin(name)
}

// pageText replaces the characters that a browser replaces when it parses HTML. If a page contains a scenario
// name with such characters, the browser sends the name with the replacements.
var pageText = strings.NewReplacer("\x00", "\ufffd", "\r\n", "\n", "\r", "\n")

// inPage returns text with the changes that a browser makes when it parses text as part of a page (HTML
// 13.2.3.5 and 13.2.5).
func inPage(text string) string { return pageText.Replace(text) }

// Builtin returns the program of the named built-in scenario, or an error of kind texts.NotFound.
func (b *Library) Builtin(name string) (*program.Program, error) {
	b.mu.Lock()
	plan, ok := b.plans[name]
	if data, found := library.Builtin(name); !ok && found {
		plan, ok = sync.OnceValues(func() (*program.Program, error) { return program.Load(data) }), true
		b.plans[name] = plan
	}
	b.mu.Unlock() // planning takes a while and must not delay requests for other scenarios
	if !ok {
		return nil, texts.Errorf(texts.NotFound, "scenario", "%q is not the name of a scenario here", texts.Clip(name))
	}
	return plan()
}

// IsBuiltin reports whether p is the program of an unchanged built-in scenario.
func (b *Library) IsBuiltin(p *program.Program) bool {
	name := p.Scenario.Name
	if _, ok := library.Builtin(name); !ok || p == b.Given {
		return false
	}
	original, err := b.Program(name)
	return err == nil && original.Digest() == p.Digest()
}
