package importer

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// written returns a recording with two sources.
func written() string {
	var out bytes.Buffer
	w := recording.NewWriter(&out)
	w.Block(0, []recording.Event{{Delay: 90 * time.Millisecond, Timer: 7, Kind: recording.Pending}}, 0)
	w.Block(1, []recording.Event{
		{At: 1500 * time.Microsecond, Delay: 4200 * time.Microsecond, Timer: 7, Kind: recording.Schedule},
		{At: 5 * time.Millisecond, Timer: 9, Kind: recording.Stop},
		{At: 5 * time.Millisecond, Delay: -time.Hour, Timer: 8, Kind: recording.Reset},
		{At: 5 * time.Millisecond, Delay: 2500 * time.Microsecond, Timer: 6, Kind: recording.Repeat},
		{At: 6 * time.Millisecond, Timer: 7, Kind: recording.Fire},
		{At: 6 * time.Millisecond, Delay: time.Second, Timer: 7, Kind: recording.Schedule},
		{At: 40 * time.Millisecond, Timer: 7, Kind: recording.Stop},
	}, 3)
	w.Block(0, []recording.Event{{At: 20 * time.Millisecond, Delay: 100 * time.Millisecond, Timer: 7, Kind: recording.Reset}}, 0)
	w.End(50 * time.Millisecond)
	w.Flush()
	return out.String()
}

func TestRecording(t *testing.T) {
	res, err := read(t, written(), "timers.rec")
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Workload struct{ Ops json.RawMessage } }
	if err := json.Unmarshal(res.Program.Scenario.AppendJSON(nil), &s); err != nil {
		t.Fatal(err)
	}
	const want = `[{"at":0,"op":"schedule","timer":"t0","delay":90},{"at":1,"op":"schedule","timer":"t1","delay":5},` +
		`{"at":5,"op":"schedule","timer":"t2","delay":0},{"at":5,"op":"schedule","timer":"t3","delay":3,"every":3,"times":-1},` +
		`{"at":6,"op":"schedule","timer":"t4","delay":1000},{"at":20,"op":"reset","timer":"t0","delay":100},{"at":40,"op":"cancel","timer":"t4"}]`
	if got := string(s.Workload.Ops); got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
	if res.Program.Until != 50 || res.Kind != KindRecorded {
		t.Error(res.Program.Until, res.Kind)
	}
	var notes []string
	for _, n := range res.Notes {
		notes = append(notes, static.Messages("en").Say(n))
	}
	if got := strings.Join(notes, "\n"); !strings.Contains(got, "9 events in 50ms") || !strings.Contains(got, "not recorded, because the program was faster than the writer: 3") || !strings.Contains(got, "not in the recording: 1") {
		t.Error(got)
	}
}

func TestRecordingDamaged(t *testing.T) {
	whole := written()
	for n := len(recording.Magic); n < len(whole); n++ {
		if _, err := read(t, whole[:n], "x"); err == nil || !strings.Contains(err.Error(), "cut off after") {
			t.Fatalf("%d bytes of %d: %v", n, len(whole), err)
		}
	}
	if _, err := read(t, recording.Magic+"x", "x"); err == nil || !strings.Contains(err.Error(), "damaged after event 0") {
		t.Error(err)
	}
}
