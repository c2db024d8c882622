package algorithms

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port/xiaoxu"
)

// A list of names may have each of its options once, and no other name.
func TestNamesParameter(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{[]string{}, ""}, {[]string{"ticks", "negative"}, ""},
		{[]string{"ticks", "storm"}, `faults[1]: "storm" is not one of negative, ticks, outside`},
		{[]string{"ticks", "ticks"}, `faults[1]: "ticks", a second time, is not a name of its own`},
		{"ticks", "faults: ticks is not a list of names out of negative, ticks, outside"},
		{int64(1), "faults: 1 is not a list of names out of negative, ticks, outside"},
		{[]int64{1}, "faults: [1] is not a list of names out of negative, ticks, outside"},
	} {
		_, err := New("xiaoxu", catalog.Params{"faults": c.value}, 0)
		if pe := (*wheel.ParamError)(nil); c.want == "" && err != nil || c.want != "" && (!errors.As(err, &pe) || err.Error() != c.want) {
			t.Errorf("%v: %v, want %q", c.value, err, c.want)
		}
	}
	if _, err := New("simple", catalog.Params{"slots": []string{"a"}}, 0); err == nil || !strings.HasPrefix(err.Error(), "slots: [a] is not a number") {
		t.Errorf("a list of names for a number: %v", err)
	}
}

// A wheel that has halted stays halted: it rejects new timers, its timers can be cancelled, and
// its clock does not move.
func TestDeadWheelDoesNotMove(t *testing.T) {
	w, err := xiaoxu.New(xiaoxu.Config{Slots: 10, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	waits, _, _ := w.Schedule(wheel.Spec{Due: 5, Key: 1})
	if _, runs, err := w.Schedule(wheel.Spec{Due: -3, Key: 2}); !errors.Is(err, wheel.ErrFault) || runs != 0 {
		t.Fatalf("the panic returns %d runs and %v", runs, err)
	}
	if got, want := findings(&log), []wheel.Event{{Code: wheel.CodePanic, ID: 2, Due: 0, X: -3}}; !slices.Equal(got, want) {
		t.Fatalf("findings %+v, want %+v", got, want)
	}
	fired, status := w.Advance(100, nil, 0)
	if len(fired) != 0 || status != wheel.Stuck || w.Now() != 0 {
		t.Fatalf("fires %v, status %d at %d", fired, status, w.Now())
	}
	if at, ok := w.Next(); ok {
		t.Errorf("there is work at %d", at)
	}
	if peak, _ := w.IdlePeak(100); peak != 0 {
		t.Errorf("it costs %d without a tick", peak)
	}
	if _, _, err := w.Schedule(wheel.Spec{Due: 200, Key: 3}); !errors.Is(err, wheel.ErrFault) {
		t.Errorf("schedule after the end: %v", err)
	}
	if _, status := w.Clone().Advance(100, nil, 0); status != wheel.Stuck {
		t.Error("a copy goes on")
	}
	if !w.Cancel(waits) || w.Len() != 0 || w.Check() != nil {
		t.Errorf("%d live after the cancel, %v", w.Len(), w.Check())
	}
	if c := findings(&log); len(c) != 1 {
		t.Errorf("a second finding: %+v", c)
	}
}

// Findings are counted with and without a log.
func TestFindingsCountUnobserved(t *testing.T) {
	w := build(t, "godis", catalog.Params{"slots": int64(4)}, 10)
	w.Schedule(wheel.Spec{Due: 7, Key: 1})
	w.Schedule(wheel.Spec{Due: 9, Key: 2})
	var s wheel.State
	w.AppendState(&s, 0)
	if s.Counts.Findings != 2 || s.Counts.Rejected != 2 {
		t.Errorf("counts %+v", s.Counts)
	}
}
