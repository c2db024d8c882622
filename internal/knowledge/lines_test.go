package knowledge

import (
	"fmt"
	"os"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// lines returns the number of lines of a page that run at an event, which should be one, and the
// last of them.
func (p *Page) lines(e *wheel.Event) (n, last int) {
	for i := range p.Code {
		if p.Code[i].runsAt(e) {
			n, last = n+1, i
		}
	}
	return n, last
}

// shapes returns all events of a kind that conditions can distinguish.
func shapes(kind wheel.Kind, use func(*wheel.Event)) {
	levels := []int8{wheel.NoLevel, -1, 0, 3}
	for code := range wheel.NumCodes {
		for i := range 64 {
			e := wheel.Event{Kind: kind, Code: code, FromLevel: levels[i&3], ToLevel: levels[i>>2&3], Run: 1, X: wheel.NoRounds, FromSlot: 2, ToSlot: 1}
			if i&16 != 0 {
				e.Before, e.X = 4, 4
			}
			if i&32 != 0 {
				e.Run, e.ToSlot = 2, 3
			}
			use(&e)
		}
	}
}

// Exactly one line runs at every event of a kind that the code names. The code names all kinds
// that every lane can emit.
func TestLinesAreATotalFunction(t *testing.T) {
	for id, p := range pages() {
		names := map[wheel.Kind]bool{}
		for i := range p.Code {
			for _, s := range p.Code[i].selectors {
				names[s.kind] = true
			}
		}
		for kind := range names {
			shapes(kind, func(e *wheel.Event) {
				if n, last := p.lines(e); n != 1 {
					t.Errorf("%s: %d lines (the last %d) run at %s %+v", id, n, last, kind, *e)
				}
			})
		}
		for _, kind := range []wheel.Kind{wheel.KindSchedule, wheel.KindReject, wheel.KindMiss, wheel.KindPlace, wheel.KindExpire, wheel.KindFinding} {
			if !names[kind] {
				t.Errorf("%s has no line for %s", id, kind)
			}
		}
		if !names[wheel.KindCancel] && !names[wheel.KindMark] {
			t.Errorf("%s has no line for a cancel", id)
		}
	}
}

// ran records which lines of a page have run, and for which shapes of events.
type ran map[string]map[shape]int

// shape has all properties of an event that conditions depend on. Millions of events have few
// shapes, so each shape is looked up only once.
type shape struct {
	kind        wheel.Kind
	code        uint8
	from, to    int8
	before      bool
	again, down bool
}

func shapeOf(e *wheel.Event) shape {
	return shape{e.Kind, e.Code, e.FromLevel, e.ToLevel, e.Before > 0, e.Run > 1, e.ToSlot > e.FromSlot}
}

// note finds the line of an event; there must be exactly one.
func (r ran) note(algorithm string, e *wheel.Event) error {
	key := shapeOf(e)
	if _, known := r[algorithm][key]; known {
		return nil
	}
	page, ok := Of(algorithm)
	if !ok {
		return fmt.Errorf("%s has no page", algorithm)
	}
	n, line := page.lines(e)
	if n != 1 {
		return fmt.Errorf("%s: %d lines (the last %d) run at %s %+v", algorithm, n, line, e.Kind, *e)
	}
	if r[algorithm] == nil {
		r[algorithm] = map[shape]int{}
	}
	r[algorithm][key] = line
	return nil
}

// lines returns the lines that have run.
func (r ran) lines(algorithm string) map[int]bool {
	lines := map[int]bool{}
	for _, line := range r[algorithm] {
		lines[line] = true
	}
	return lines
}

// At every event of the built-in scenarios and of the trials exactly one line runs. Each line with
// selectors runs somewhere, so that no line is for an event that no lane emits.
func TestEveryEventHasItsLineAndEveryLineItsEvent(t *testing.T) {
	seen := ran{}
	for _, data := range scenarios(t) {
		p, err := program.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := eachRecord(p, seen.note); err != nil {
			t.Errorf("%s: %v", p.Scenario.Name, err)
		}
	}
	for _, a := range algorithms.Catalogue() {
		if err := refused(a.ID, seen.note); err != nil {
			t.Error(err)
		}
		page, _ := Of(a.ID)
		lines := seen.lines(a.ID)
		for i, l := range page.Code {
			if len(l.On) > 0 && !lines[i] {
				t.Errorf("%s: no event is %q, at which %q runs", a.ID, l.On, l.Text)
			}
		}
	}
}

// scenarios returns all scenarios of the program, and an additional one.
func scenarios(t *testing.T) (all [][]byte) {
	t.Helper()
	rare, err := os.ReadFile("testdata/rare.json")
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, rare)
	for _, b := range library.Builtins() {
		all = append(all, b.Data)
	}
	for _, a := range algorithms.Catalogue() {
		if b, ok := library.Trial(a.ID); ok {
			all = append(all, b.Data)
		}
	}
	return all
}

// refused schedules timers that no wheel accepts: one beyond the last tick, and a repeating one
// with too many past runs.
func refused(algorithm string, use func(string, *wheel.Event) error) error {
	w, err := algorithms.New(algorithm, nil, 0)
	if err != nil {
		return err
	}
	log := &wheel.Log{Keep: true}
	w.Observe(log)
	w.Schedule(wheel.Spec{Due: wheel.TickMax + 1, Key: 1})
	w.Schedule(wheel.Spec{Due: -wheel.RunsAtOnceMax - 1, Key: 2, Every: 1, Times: -1})
	for i := range log.Events {
		if err := use(algorithm, &log.Events[i]); err != nil {
			return err
		}
	}
	return nil
}

// eventsMax is the number of events of one scenario that are checked. It includes all events of the
// scenarios for stepping. A run of millions has no new shapes after that.
const eventsMax = 500_000

// eachRecord runs a program and passes its events to use, until that returns an error.
func eachRecord(p *program.Program, use func(algorithm string, e *wheel.Event) error) error {
	e, err := engine.NewEngine(p)
	if err != nil {
		return err
	}
	var recs []engine.Record
	events := 0
	for t, ok := e.Next(); ok && events < eventsMax; t, ok = e.Next() {
		recs, err = e.TickParts(t, recs, func(part []engine.Record) error {
			events += len(part)
			for i := range part {
				if err := use(p.Scenario.Lanes[part[i].Lane].Algorithm, &part[i].Event); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
