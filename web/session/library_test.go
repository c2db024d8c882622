package session

import (
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/internal/webtest"

	"strings"
	"sync"
	"testing"
)

func TestLibraryFindsByName(t *testing.T) {
	given := webtest.LoadSmall(t)
	for _, c := range []struct {
		books      *Library
		name, want string
	}{
		{NewLibrary(nil, nil), "", library.Builtins()[0].Name},
		{NewLibrary(nil, nil), "heartbeats", "heartbeats"},
		{NewLibrary(nil, given), "", "small"},
		{NewLibrary(nil, given), "small", "small"},
		{NewLibrary(nil, given), "reach", "reach"},
	} {
		p, err := c.books.Program(c.name)
		if err != nil || p.Scenario.Name != c.want {
			t.Errorf("%q: %v, want %s", c.name, err, c.want)
		}
	}
	for _, name := range []string{"nope", "Reach", "reach ", "../reach", "small", strings.Repeat("x", 1000)} {
		_, err := NewLibrary(nil, nil).Program(name)
		if !texts.Is(err, texts.NotFound) || !strings.HasPrefix(err.Error(), "scenario: ") || len(err.Error()) > 150 {
			t.Errorf("%.20q: %v", name, err)
		}
	}
}

// A page returns a file's name as its browser read it, and a form with other line ends.
func TestLibraryFindsWhatAPageNames(t *testing.T) {
	given, err := program.Load([]byte(`{"wheelscope":1,"name":"a\u0000b\rc\r\nd\ne","lanes":[{"algorithm":"heap"}],"workload":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	books := NewLibrary(nil, given)
	for _, name := range []string{given.Scenario.Name, "a\ufffdb\nc\nd\ne", "a\ufffdb\r\nc\r\nd\r\ne"} {
		if p, err := books.Program(name); p != given || err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := books.Program("ab\nc\nd\ne"); err == nil {
		t.Error("another name is taken for it")
	}
}

// Every built-in scenario can be opened, and is planned once for all clients.
func TestLibraryPlansOnce(t *testing.T) {
	books := NewLibrary(nil, nil)
	for _, b := range library.Builtins() {
		var all sync.WaitGroup
		found := make([]*program.Program, 8)
		for i := range found {
			all.Go(func() {
				var err error
				if found[i], err = books.Program(b.Name); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, p := range found {
			if p != found[0] {
				t.Errorf("%s is planned twice", b.Name)
			}
		}
	}
}

// Only an unedited scenario counts as built-in: an edited one, or a file of the same name, is the
// user's.
func TestLibraryDistinguishesBuiltinFromCustom(t *testing.T) {
	books := NewLibrary(nil, nil)
	p, err := books.Program("three-slots")
	if err != nil || !books.IsBuiltin(p) {
		t.Fatalf("three-slots is not built in: %v", err)
	}
	again, err := program.Load(p.Scenario.AppendJSON(nil))
	if err != nil || !books.IsBuiltin(again) {
		t.Errorf("exported and read again it is another: %v", err)
	}
	edited, err := program.Plan(p.Scenario.WithLanes(p.Scenario.Lanes[:1]))
	if err != nil || books.IsBuiltin(edited) {
		t.Errorf("with a lane less it is still built in: %v", err)
	}
	if books.IsBuiltin(webtest.LoadSmall(t)) {
		t.Error("a scenario of another name is built in")
	}
	if given := NewLibrary(nil, p); given.IsBuiltin(p) {
		t.Error("the file of the command line is built in")
	}
}
