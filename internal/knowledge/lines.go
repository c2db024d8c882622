package knowledge

import (
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/wheel"
)

// Line is one line of pseudo-code. On lists selectors of events: the line is executed at each event that
// matches one of them. An event whose kind occurs in any selector of a page matches exactly one line of the
// page. static/js/story/code-lines.js evaluates the same selectors.
//
// A selector consists of the name of an event kind, followed by conditions that must all hold for the
// event. "!" negates a condition, as in "expire !once from-coarse". The conditions are:
//
//	again         this is not the timer's first run
//	once          the timer was at no place before the event
//	from-side     the timer leaves a side list or pending queue (level −1)
//	from-coarse   the timer leaves a level above 0, or the hand of such a level moves
//	to-side       the timer enters a side list
//	to-fine       the timer enters level 0
//	before        the timer is inserted before another timer
//	count         the hand visits a slot whose timers lose a round
//	down          the timer moves to a higher index, away from a heap's root
//	CODE          the event has this code: range, capacity, …, early, late, …
type Line struct {
	Proc string   `json:"proc"` // procedure: "place", "cancel", "advance", or another, such as "sift" or "faults"
	Text string   `json:"text"` // text of the line, indented by two spaces per level
	ZH   string   `json:"zh,omitempty"`
	On   []string `json:"on"`

	selectors []selector
}

// selector is a compiled element of Line.On, which selects events by kind and conditions.
type selector struct {
	kind  wheel.Kind
	terms []term
}

// term is one condition of a selector.
type term struct {
	holds func(*wheel.Event) bool
	want  bool // required result of holds; false if the condition is negated
}

// conditions maps the names of the conditions in a selector to functions that report whether an event meets
// them. The names of event codes are also conditions.
var conditions = map[string]func(*wheel.Event) bool{
	"again":       func(e *wheel.Event) bool { return e.Run > 1 },
	"once":        func(e *wheel.Event) bool { return e.FromLevel == wheel.NoLevel },
	"from-side":   func(e *wheel.Event) bool { return e.FromLevel == -1 },
	"from-coarse": func(e *wheel.Event) bool { return e.FromLevel > 0 },
	"to-side":     func(e *wheel.Event) bool { return e.ToLevel == -1 },
	"to-fine":     func(e *wheel.Event) bool { return e.ToLevel == 0 },
	"before":      func(e *wheel.Event) bool { return e.Before > 0 },
	"count":       func(e *wheel.Event) bool { return e.Before > 0 },
	"down":        func(e *wheel.Event) bool { return e.ToSlot > e.FromSlot },
}

// In returns the text of the line in the language lang.
func (l *Line) In(lang string) string {
	if lang == "zh" && l.ZH != "" {
		return l.ZH
	}
	return l.Text
}

// compile compiles the selectors of a line. The error names the invalid selector.
func (l *Line) compile() error {
	for _, on := range l.On {
		s, err := parse(on)
		if err != nil {
			return fmt.Errorf("on: %q: %w", on, err)
		}
		l.selectors = append(l.selectors, s)
	}
	return nil
}

func parse(text string) (selector, error) {
	words := strings.Split(text, " ")
	s := selector{kind: kindOf(words[0])}
	if s.kind == wheel.KindNone {
		return s, fmt.Errorf("%q is not a kind of event", words[0])
	}
	for _, word := range words[1:] {
		name, not := strings.CutPrefix(word, "!")
		holds := condition(name)
		if holds == nil {
			return s, fmt.Errorf("%q is not a condition", name)
		}
		s.terms = append(s.terms, term{holds, !not})
	}
	return s, nil
}

// kindOf returns the event kind with the given name, or KindNone if there is none.
func kindOf(name string) wheel.Kind {
	for k := wheel.KindNone + 1; k < wheel.NumKinds; k++ {
		if k.String() == name {
			return k
		}
	}
	return wheel.KindNone
}

// condition returns a function that reports whether an event meets the named condition, or nil if there is no
// such condition.
func condition(name string) func(*wheel.Event) bool {
	if c, ok := conditions[name]; ok {
		return c
	}
	for code := wheel.CodeNone + 1; code < wheel.NumCodes; code++ {
		if wheel.CodeName(code) == name {
			return func(e *wheel.Event) bool { return e.Code == code }
		}
	}
	return nil
}

// LineOf returns the index in p.Code of the line that is executed at event e. It returns false if no selector
// matches e, which means that the algorithm does not emit such events.
func (p *Page) LineOf(e *wheel.Event) (int, bool) {
	for i := range p.Code {
		if p.Code[i].runsAt(e) {
			return i, true
		}
	}
	return 0, false
}

func (l *Line) runsAt(e *wheel.Event) bool {
	for i := range l.selectors {
		if l.selectors[i].matches(e) {
			return true
		}
	}
	return false
}

func (s *selector) matches(e *wheel.Event) bool {
	if e.Kind != s.kind {
		return false
	}
	for _, t := range s.terms {
		if t.holds(e) != t.want {
			return false
		}
	}
	return true
}
