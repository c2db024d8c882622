package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestHandles checks the roles, names and attributes that other programs rely on.
func TestHandles(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	for _, name := range []string{"Play", "Step forward", "Step back", "Next event", "Previous event", "Restart", "Fast-forward"} {
		p.find("button", name)
	}
	p.find("slider", "Time")
	if n := eval[int](p, `document.querySelectorAll("[role=status]").length`); n != 1 {
		t.Errorf("%d things have role=status, want 1", n)
	}
	if n := eval[int](p, `document.querySelectorAll("section section").length`); n != 0 {
		t.Errorf("%d sections are inside a section", n)
	}
	for _, lane := range p.shown().Lanes {
		if got := keys(lane.Totals); !slices.Equal(got, []string{"cancelled", "early", "fired", "late", "live", "rejected"}) {
			t.Errorf("lane %s has the totals %v", lane.ID, got)
		}
		if got := keys(lane.Costs); !slices.Equal(got, []string{"tick", "total", "worst"}) {
			t.Errorf("lane %s has the costs %v", lane.ID, got)
		}
	}
	p.button("Play")
	p.wait(`document.getElementById("play").matches("[data-playing]")`)
	p.find("button", "Pause")
}

func keys(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestButtons clicks every button of the player with the mouse.
func TestButtons(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=4")
	_, seq := p.cursor()
	for _, c := range []struct {
		name string
		seq  int64
	}{
		{"Step forward", in.stepAfter(t, seq)}, {"Step back", seq}, {"Next event", seq + 1}, {"Previous event", seq},
		{"Previous event", seq - 1}, {"Restart", 0}, {"Step forward", in.stepAfter(t, 0)}, {"Step back", 0}, {"Step back", 0},
		{"Fast-forward", in.last(t)}, {"Next event", in.last(t)}, {"Previous event", in.last(t) - 1},
	} {
		p.button(c.name)
		p.atSeq(c.seq)
		p.settle()
		want := in.atSeq(t, c.seq)
		if c.seq == in.last(t) {
			want = in.atTick(t, in.until())
		}
		compareShown(t, c.name, p.shown(), want)
	}
}

// stepAfter returns the event that ends the step after an event.
func (s *instants) stepAfter(t testing.TB, seq int64) int64 {
	t.Helper()
	end, err := s.run.Steps(t.Context(), seq, 1)
	if err != nil || end == seq {
		t.Fatalf("no step after event %d: %v", seq, err)
	}
	return end
}

// TestNarration checks the text of each step, in both languages.
func TestNarration(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for lang, want := range map[string]string{"en": "task1", "zh": "启动 task1"} {
		p.open(s.url + "/?view=lab&scenario=three-slots&lang=" + lang)
		before := p.status()
		p.press(kb.ArrowRight, shift)
		p.wait(`document.querySelector("[role=status]").textContent.includes(` + quote(want) + `)`)
		if after := p.status(); before == after {
			t.Errorf("%s: the text is the same after a step: %q", lang, after)
		}
	}
}

// status returns the narration.
func (p *tab) status() string {
	p.Helper()
	return eval[string](p, `document.querySelector("[role=status]").textContent.trim()`)
}
