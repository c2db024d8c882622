package e2e

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/tracefile"
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

// traceOf returns a run's trace.
func traceOf(t *testing.T, in *instants) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := tracefile.Write(t.Context(), &b, in.run.Program(), tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
