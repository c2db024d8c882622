package locate

import (
	"strings"
	"sync"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// Library holds the scenarios that a URL can refer to: the built-in ones and the file given on the command
// line.
type Library struct {
	Store *sim.Store       // store of the scenarios' runs
	Given *program.Program // scenario of the command line; nil means none

	mu    sync.Mutex
	plans map[string]func() (*program.Program, error) // functions by the name of a built-in scenario; each plans its scenario when first called
}

// New returns a library of the built-in scenarios, whose runs are in store, and of given, which may be
// nil.
func New(store *sim.Store, given *program.Program) *Library {
	return &Library{Store: store, Given: given, plans: map[string]func() (*program.Program, error){}}
}

// NotFoundError is the name of a scenario that does not exist.
type NotFoundError string

func (e NotFoundError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error to send to the client.
func (e NotFoundError) Unwrap() error {
	return usererr.New("scenario", "%q is not the name of a scenario here", usererr.Clip(string(e)))
}

// Program returns the named scenario. If name is "", it returns the scenario given on the command line or
// else the first built-in one.
func (b *Library) Program(name string) (*program.Program, error) {
	if b.Given != nil && (name == "" || inPage(name) == inPage(b.Given.Scenario.Name)) {
		return b.Given, nil
	}
	if name == "" {
		name = library.Builtins()[0].Name
	}
	return b.Builtin(name)
}

// pageText replaces the characters that a browser replaces when it parses a page. A name with such characters
// is therefore changed when the page sends it back.
var pageText = strings.NewReplacer("\x00", "\ufffd", "\r\n", "\n", "\r", "\n")

// inPage returns text as a page sends it back after a browser has parsed it as HTML (HTML 13.2.3.5 and 13.2.5).
func inPage(text string) string { return pageText.Replace(text) }

// Builtin returns the named built-in scenario, or a NotFoundError.
func (b *Library) Builtin(name string) (*program.Program, error) {
	b.mu.Lock()
	plan, ok := b.plans[name]
	if data, found := library.Builtin(name); !ok && found {
		plan, ok = sync.OnceValues(func() (*program.Program, error) { return program.Load(data) }), true
		b.plans[name] = plan
	}
	b.mu.Unlock() // planning takes a while and must not delay requests for other scenarios
	if !ok {
		return nil, NotFoundError(name)
	}
	return plan()
}

// IsBuiltin reports whether p is a built-in scenario without changes.
func (b *Library) IsBuiltin(p *program.Program) bool {
	name := p.Scenario.Name
	if _, ok := library.Builtin(name); !ok || p == b.Given {
		return false
	}
	original, err := b.Program(name)
	return err == nil && original.Digest() == p.Digest()
}
