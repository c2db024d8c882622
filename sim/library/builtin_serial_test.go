//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package library

import (
	"regexp"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

func TestBuiltins(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, b := range Builtins() {
		p, err := program.Load(b.Data)
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		if p.Scenario.Name != b.Name || !kebab.MatchString(b.Name) {
			t.Errorf("%s calls itself %q", b.Name, p.Scenario.Name)
		}
		if len(b.Lanes) != len(p.Scenario.Lanes) || p.Timers() == 0 {
			t.Errorf("%s: lanes %q, %d timers", b.Name, b.Lanes, p.Timers())
		}
		if got, ok := Builtin(b.Name); !ok || string(got) != string(b.Data) {
			t.Errorf("%s is not found by its name", b.Name)
		}
		for what, text := range map[string]scenario.Text{"title": b.Title, "summary": b.Summary, "question": b.Question} {
			checkBothLanguages(t, b.Name+"."+what, text)
		}
	}
	if _, ok := Builtin("no-such-scenario"); ok {
		t.Error("a scenario that does not exist is found")
	}
}

// TestBuiltinsDoWhatTheirTextsSay checks that the lanes of the larger scenarios do what the texts
// say.
func TestBuiltinsDoWhatTheirTextsSay(t *testing.T) {
	p, recs := runBuiltin(t, "cascade-storm")
	moved := 0
	for _, r := range recs {
		if r.Lane == 0 && r.Tick == 512 && (r.Kind == wheel.KindCascade || r.Kind == wheel.KindExpire) {
			moved++
		}
	}
	if moved != p.Timers() || p.Timers() != 500 {
		t.Errorf("cascade-storm: %d of %d timers leave the coarse slot at 512", moved, p.Timers())
	}
	p, recs = runBuiltin(t, "crowded-slot")
	for _, r := range recs {
		if r.Lane == 0 && r.Kind == wheel.KindPlace && r.ToSlot != 3 {
			t.Errorf("crowded-slot: %s is in slot %d", p.Name(r.ID), r.ToSlot)
		}
	}
	p, _ = runBuiltin(t, "heartbeats")
	cancelled := len(p.Ops) - p.Timers()
	if p.Timers() != 10000 || cancelled < 9400 || cancelled > 9600 {
		t.Errorf("heartbeats: %d of %d connections are cancelled", cancelled, p.Timers())
	}
}
