package player

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// runOf computes a scenario.
func runOf(t *testing.T, scenario string) *sim.Run {
	t.Helper()
	data, ok := library.Builtin(scenario)
	if !ok {
		data = []byte(scenario)
	}
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// fileOf returns a run's file.
func fileOf(t *testing.T, run *sim.Run, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Write(t.Context(), &b, run, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// unpack returns the content of a block of a file.
func unpack(t *testing.T, file, id string) []byte {
	t.Helper()
	m := regexp.MustCompile(`<script id="` + id + `" type="[^"]+">([^<]*)</script>`).FindStringSubmatch(file)
	if m == nil {
		t.Fatalf("the file has no block %q", id)
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The trace in a file equals the run's byte for byte, and has the documented type.
func TestFileHoldsTheTrace(t *testing.T) {
	run := runOf(t, "three-slots")
	file := fileOf(t, run, Options{Open: 7})
	var want bytes.Buffer
	if _, err := tracefile.Write(t.Context(), &want, run.Program(), tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := unpack(t, file, "trace"); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("the trace is another than the run's: %.200s", got)
	}
	if n := strings.Count(file, `<script id="trace" type="`+TraceType+`">`); n != 1 {
		t.Errorf("%d scripts are of the trace's type", n)
	}
	var s struct{ Open int64 }
	if err := json.Unmarshal(unpack(t, file, "run"), &s); err != nil || s.Open != 7 {
		t.Errorf("opens at %d, %v", s.Open, err)
	}
}

// The same run results in the same file: it does not depend on the machine or the time.
func TestFileIsTheSameAgain(t *testing.T) {
	first, again := fileOf(t, runOf(t, "clock-12"), Options{}), fileOf(t, runOf(t, "clock-12"), Options{})
	if first != again {
		t.Error("two files of one run differ")
	}
}

// A file makes no requests: it has no URL except the reserved one, and its policy allows none.
func TestFileNamesNoAddress(t *testing.T) {
	file := fileOf(t, runOf(t, "ten-slots"), Options{})
	if !strings.Contains(file, `content="default-src 'none';`) {
		t.Error("the file has no policy")
	}
	blocks := regexp.MustCompile(`(?s)<script id=.*?</script>`)
	for _, part := range []string{`src=`, `href="http`, `url(`, `import("http`, `https://`} {
		if strings.Contains(blocks.ReplaceAllString(file, ""), part) {
			t.Errorf("outside its blocks the file has %q", part)
		}
	}
	var k struct{ Views map[string]kitView }
	if err := json.Unmarshal(unpack(t, file, "kit"), &k); err != nil || len(k.Views) != 2 {
		t.Fatalf("%d views, %v", len(k.Views), err)
	}
	for name, view := range k.Views {
		if strings.Contains(view.Sheet, "url(") || strings.Contains(view.Sheet, "@import") {
			t.Errorf("%s: the style sheet asks for more", name)
		}
		if view.Script == "" || strings.Contains(view.Script, "import(") || strings.Contains(view.Script, "import.meta") {
			t.Errorf("%s: the script of %d bytes asks for more", name, len(view.Script))
		}
	}
}

// Names of users are in the file as text only.
func TestFileIsNoPlaceForMarkup(t *testing.T) {
	nasty := `{"wheelscope":1,"name":"</title><script>alert(1)</script>","lanes":[{"id":"</script>","algorithm":"heap"}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"<img src=x>","delay":1}]}}`
	file := fileOf(t, runOf(t, nasty), Options{Note: &Note{What: map[string]string{"en": "</script>"}}})
	for _, part := range []string{"<script>alert", "<img", "</title><"} {
		if strings.Contains(file, part) {
			t.Errorf("the file has %q", part)
		}
	}
	if open, shut := strings.Count(file, "<script"), strings.Count(file, "</script>"); open != shut || open != 4 {
		t.Errorf("%d scripts begin and %d end, want 4", open, shut)
	}
}

// Errors of Write are returned, including the writer's.
func TestWriteFails(t *testing.T) {
	run := runOf(t, "clock-12")
	if err := Write(t.Context(), full{}, run, Options{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, io.Discard, runOf(t, "hundred-thousand"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

var errFull = errors.New("full")

// full accepts no bytes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// recordingOf returns a run's recording.
func recordingOf(t *testing.T, run *sim.Run) *recording {
	t.Helper()
	if _, err := run.EndSeq(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := newRecording(t.Context(), run, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A recording has the rows, names, and costs of the session's "events" message about the run.
func TestRecordingHasTheEventsOfASession(t *testing.T) {
	for _, name := range []string{"three-slots", "stalled-driver", "kafka-stale-clock"} {
		run := runOf(t, name)
		r := recordingOf(t, run)
		part, err := protocol.ReadEvents(t.Context(), run, 0, 0, protocol.EventsMax)
		if err != nil || !part.End {
			t.Fatalf("%s: end %v, %v", name, part.End, err)
		}
		var want struct {
			Rows  json.RawMessage
			Costs json.RawMessage
			Names []any
		}
		if err := json.Unmarshal(part.Data, &want); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(r.Rows, want.Rows) {
			t.Errorf("%s: the rows are %.300s\nwant %.300s", name, r.Rows, want.Rows)
		}
		if !bytes.Equal(r.Costs, want.Costs) || !r.Costed {
			t.Errorf("%s: the costs are %.300s\nwant %.300s", name, r.Costs, want.Costs)
		}
		for i := 0; i < len(want.Names); i += 3 {
			if id := int(want.Names[i].(float64)); r.Names[id-1] != want.Names[i+1] {
				t.Errorf("%s: timer %d is called %q, want %q", name, id, r.Names[id-1], want.Names[i+1])
			}
		}
	}
}

// sparse is a run with so many ticks that its costs are not recorded.
const sparse = `{"wheelscope":1,"start":5,"until":6000000,"lanes":[{"algorithm":"hierarchical","slots":64,"levels":4},{"algorithm":"list"},{"algorithm":"kafka","slots":20}],
	"workload":{"ops":[{"at":3,"op":"schedule","timer":"a","delay":70000},{"at":3,"op":"schedule","timer":"b","delay":9},{"at":900000,"op":"schedule","timer":"c","delay":4000000},
		{"at":2000000,"op":"stall","for":5000},{"at":2001000,"op":"cancel","timer":"c"}]}}`

// The clocks of the lanes are those of the run at every tick, also where they rest.
func TestClocks(t *testing.T) {
	for name, scenario := range map[string]string{"every tick": "three-slots", "stalls": "stalled-driver", "kafka": "kafka-stale-clock", "few": sparse} {
		run := runOf(t, scenario)
		r := recordingOf(t, run)
		if r.Costed == (name == "few") {
			t.Errorf("%s: the costs are recorded: %v", name, r.Costed)
		}
		ticks := []int64{-1, 0, 1, 2, 3, 4, 11, 12, 13, 14, 70002, 70003, 70004, 500_000, 1_999_999, 2_000_000, 2_000_001, 2_003_000, 2_004_999, 2_005_000, 2_005_001, 4_900_000, 5_999_999}
		if name != "few" {
			ticks = ticks[:0]
			for tick := int64(-1); tick <= run.Program().Until; tick++ {
				ticks = append(ticks, tick)
			}
		}
		for _, tick := range ticks {
			at := sim.EndOf(tick)
			if tick < 0 {
				at = sim.After(0)
			}
			snap, err := run.Seek(t.Context(), at, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Lanes {
				c := lastOf(r.Clocks[i], 3, tick)
				if got, want := c[1]+c[2]*(tick-c[0]), snap.Lanes[i].Cost.Clock; got != want {
					t.Errorf("%s, tick %d, lane %d: the clock is %d, want %d", name, tick, i, got, want)
				}
			}
		}
		if n := len(r.Clocks[0]); name == "few" && n > 30 {
			t.Errorf("%s: %d numbers about one clock", name, n)
		}
	}
}

// lastOf returns the last group of a flat list whose first number is at most k.
func lastOf(list []int64, width int, k int64) []int64 {
	at := 0
	for at+width < len(list) && list[at+width] <= k {
		at += width
	}
	return list[at : at+width]
}

// The steps are those of the run, and cover all events.
func TestSteps(t *testing.T) {
	run := runOf(t, "heartbeats")
	r := recordingOf(t, run)
	last, err := run.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seq := int64(0)
	for _, n := range r.Steps {
		seq += n
		if seq > 300 {
			continue
		}
		c, err := run.ChunkWith(t.Context(), nil, seq)
		if err != nil {
			t.Fatal(err)
		}
		if _, end := c.Step(seq); end != seq {
			t.Errorf("a step ends after event %d, want %d", seq, end)
		}
	}
	if seq != last {
		t.Errorf("the steps have %d events, want %d", seq, last)
	}
}

// TestFileOfANamelessScenario checks that the file has a title.
func TestFileOfANamelessScenario(t *testing.T) {
	file := fileOf(t, runOf(t, `{"wheelscope":1,"until":3,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`), Options{})
	if want := "<title>Scenario without a name · Wheelscope</title>"; !strings.Contains(file, want) {
		t.Errorf("the file has no %s", want)
	}
	if kit := string(unpack(t, file, "kit")); !strings.Contains(kit, "未命名的场景") {
		t.Error("the page in the file has no Chinese heading")
	}
}
