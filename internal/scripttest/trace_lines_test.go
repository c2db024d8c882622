package scripttest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// traceEvent is one event line of a trace.
type traceEvent struct {
	Seq, Tick, Due, Width, Count int64
	Lane, Kind, Timer            string
	ID, Before, Run              uint32
	Level                        int8
	Slot                         uint32
	Rounds                       *int64
	From, To                     *tracePlace
}

type tracePlace struct {
	Level int8
	Slot  uint32
}

// eventLines returns the events of a trace: all lines except the header and the end.
func eventLines(t *testing.T, trace string) (events []traceEvent) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(trace), "\n")[1:] {
		var e traceEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Kind != "end" {
			events = append(events, e)
		}
	}
	return events
}

// event returns the line as a wheel's event, for a scenario that starts at 0.
func (e *traceEvent) event() wheel.Event {
	w := wheel.Event{Due: e.Due, ID: e.ID, Before: e.Before, Run: max(e.Run, 1), X: wheel.NoRounds,
		FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel}
	for k := wheel.KindNone + 1; k < wheel.NumKinds; k++ {
		if k.String() == e.Kind {
			w.Kind = k
		}
	}
	if e.From != nil {
		w.FromLevel, w.FromSlot = e.From.Level, e.From.Slot
	}
	if e.To != nil {
		w.ToLevel, w.ToSlot = e.To.Level, e.To.Slot
	}
	here := []wheel.Kind{wheel.KindHand, wheel.KindGrow, wheel.KindEnqueue, wheel.KindDequeue}
	switch {
	case w.Kind == wheel.KindPlace:
		w.ToLevel, w.ToSlot = e.Level, e.Slot
	case slices.Contains(here, w.Kind):
		w.FromLevel, w.FromSlot = e.Level, e.Slot
	}
	if e.Rounds != nil {
		w.X = *e.Rounds
	}
	switch w.Kind {
	case wheel.KindGrow:
		w.X = e.Width
	case wheel.KindHand:
		w.Before = uint32(e.Count)
	}
	return w
}
