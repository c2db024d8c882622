package importer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
)

func read(t *testing.T, text, name string) (*Result, error) {
	t.Helper()
	return Read(t.Context(), strings.NewReader(text), Options{Name: name})
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

const header = `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2}]}}`

// Every kind of workload gives the same operations.
func TestWorkloadsOfEveryKind(t *testing.T) {
	const want = `"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":5},{"at":1,"op":"set","timer":"b","delay":10},` +
		`{"at":3,"op":"cancel","timer":"a"},{"at":4,"op":"schedule","timer":"beat","delay":2,"every":2,"times":3},{"at":5,"op":"reset","timer":"b","delay":7}]}}`
	for name, text := range map[string]string{
		"comma.csv":     "at,op,id,delay,every,times\n0,schedule,a,5\n1,set,b,10ms,,\n\n# a remark\n3,cancel,a\n4,schedule,beat,2,2,3\n5,reset,b,7\n",
		"semicolon.csv": "\ufeffid;at;delay;op;times;every\r\na;0;5;;;\r\nb;1;9500us;SET;;\r\na;3;;cancel\r\nbeat;4;2;schedule;3;2\r\nb;5;7;reset;;",
		"tab.csv":       "timer\tat\tdelay\top\tevery\ttimes\n\"a\"\t0\t5\t\nb\t1\t10\tset\na\t3ms\t\tcancel\nbeat\t4\t2\tschedule\t2ms\t3\nb\t5\t7\treset\n",
		"lines.jsonl": `{"at":0,"id":"a","delay":5}` + "\n" + `{"at":1,"op":"set","timer":"b","delay":"10ms"}` + "\n\n" + `{"at":3,"op":"cancel","id":"a"}` + "\n" +
			`{"at":4,"op":"schedule","id":"beat","delay":2,"every":2,"times":3}` + "\n" + `{"delay":7,"id":"b","op":"reset","at":5}`,
	} {
		for _, text := range []string{text, packed(text)} {
			res, err := read(t, text, "/tmp/"+name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := string(res.Program.Scenario.AppendJSON(nil)); !strings.HasSuffix(got, want) || !strings.Contains(got, `"name":"`+strings.TrimSuffix(strings.TrimSuffix(name, ".csv"), ".jsonl")+`"`) {
				t.Errorf("%s: %s", name, got)
			}
			if n := static.Messages("en").Say(res.Notes[len(res.Notes)-1]); n != "5 operations on 4 timers, up to tick 14" {
				t.Errorf("%s: %s", name, n)
			}
		}
	}
}

// An error is reported in one line: where, what was wrong, and what was expected.
func TestFaults(t *testing.T) {
	const csv = "at,op,id,delay\n"
	for text, want := range map[string]string{
		"":                            "the file is empty",
		" \n\n":                       "the file is empty",
		strings.Repeat(" ", 9999):     `the file begins with "    `,
		"hello":                       `the file begins with "hello"; expected one of: a scenario (JSON)`,
		"a,b,c\n1,2,3":                `the file begins with "a,b,c"; expected one of: `,
		"\x89PNG\r\n\x00\x00":         "the file is not text",
		"\x17\x08\x44tracing6":        "trace-cmd report writes it as text",
		"tick,lane,algorithm,cost\n":  "this is a table of costs",
		"<html><body>hello":           "this HTML contains no trace",
		packed(packed(csv)):           "the file is packed twice",
		packed(header)[:30]:           "the packed file is cut short",
		"\x1f\x8b\x07hello there you": "the packed file is damaged",
		`{"wheelscope":2,"kind":"trace","scenario":{}}` + "\n": "line 1: the trace is of version 2, expected 1",
		`{"wheelscope":7}`:                              "wheelscope: 7 is not 1",
		`{"traceEvents":[{"name":"x"}]}`:                "this Chrome trace has no scenario",
		`[{"name":"x","ph":"X"}]`:                       "this Chrome trace has no scenario",
		csv:                                             "the file has no operation",
		"at,op,id,wait\n":                               `line 1: "wait" is not one of the columns at, op, id, delay, every, times, created, for, by`,
		"at,id,at\n":                                    `line 1: the column "at" is given twice`,
		"at,op,id\n":                                    `line 1: the column "delay" is missing`,
		csv + "x,schedule,a,5":                          `line 2: at: "x" is not ticks, or a duration such as 5ms`,
		csv + "-1,schedule,a,5":                         `line 2: at: "-1" is not a number of ticks, 0 or more`,
		csv + "1,start,a,5":                             `line 2: op: "start" is not one of schedule, set, cancel, reset, stall, clock`,
		csv + "1,schedule,,5":                           "line 2: id: missing; expected the name of a timer",
		csv + "1,schedule,a":                            "line 2: delay: missing; expected ticks",
		csv + "1,schedule,a,5,6":                        "line 2: 5 cells; expected at most 4",
		csv + `1,schedule,"a,5`:                         "line 2: a quote is not closed",
		csv + "\n# x\n1,cancel,a":                       `line 4: id: "a" is never scheduled before this cancel at tick 1`,
		csv + "0,schedule,a,5\n2,schedule,a,5":          `line 3: id: "a" is scheduled at tick 2 but live until tick 5 by line 2; expected a free name`,
		csv + "9223372036854775807,schedule,a,5":        "line 2: at: ",
		csv + "99999999999999999999,schedule,a,5":       `line 2: at: "99999999999999999999" is not ticks`,
		csv + strings.Repeat("x", LineMax+9) + "\n":     "line 2: longer than 65536 bytes",
		"at,id,delay,times\n0,a,1,3":                    `line 2: times: "3" without every`,
		"at,id,delay,every,times\n0,a,1,2,0":            `line 2: times: "0" is not a whole number`,
		"at,id,delay,every\n0,a,1,0":                    `line 2: every: "0" is not a number of ticks, 1 or more`,
		`{"at":0,"id":"a","delay":1}` + "\n[]":          `line 2: "[]" is not an object`,
		`{"at":0,"id":"a","delay":1} {}`:                "line 1: the JSON object is followed by more text",
		`{"at":0,"id":"a","delay":{}}`:                  "line 1: delay: { is not a number or a string",
		`{"at":0,"id":"a","wait":1}`:                    `line 1: "wait": unknown field; a workload has at, op`,
		`{"at":0,"id":"a","delay":1`:                    "line 1: not JSON",
		`{"at":0,"id":"a","id":"b","delay":1}`:          `line 1: the field "id" is given twice in one object`,
		`{"at":0,"id":"a","timer":"b","delay":1}`:       `line 1: id: the field "id" is given twice in one object`,
		`{"at":0,"id":"a","delay":1,"op":"` + "\xff\"}": "line 1: not JSON at column 34: invalid UTF-8",
		"\n# of mine\n\nat,id,delay\n0,a,x":             `line 5: delay: "x" is not ticks`,
	} {
		res, err := read(t, text, "x")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || res != nil && res.Program != nil {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

// A workload is recognised as one whatever its first line lacks, even after comments, so that
// errors are reported with their own line.
func TestFirstLines(t *testing.T) {
	for text, want := range map[string]string{
		"# mine\n\n" + `{"at":0,"id":"a","delay":true}`:                      "line 3: delay: true is not a number or a string",
		`{"id":"a","delay":1}` + "\n" + `{"at":0,"id":"b","delay":1}` + "\n": "line 1: at: missing; expected ticks",
		`{"op":"set","timer":"a"}` + "\n":                                    "2 faults: line 1: at: missing",
		"# timer_start: mine\nat,id,delay\n0,a,x":                            `line 3: delay: "x" is not ticks`,
		strings.Repeat("# remark\n", 999):                                    `the file begins with "# remark`,
	} {
		if _, err := read(t, text, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
	res, err := read(t, "# mine\n"+`{"at":0,"id":"a","delay":1}`+"\n", "x")
	if err != nil || res.Kind != KindLines || !slices.Equal(opsOf(res.Program), []string{"schedule a"}) {
		t.Errorf("remarks before JSON Lines: %v", err)
	}
}

// Bad lines are counted, and the first twenty are listed. One bad line among very many is found.
func TestBadLinesAreCounted(t *testing.T) {
	var b strings.Builder
	b.WriteString("at,op,id,delay\n")
	for range testkit.Pick(200_000, 1_000_000) {
		b.WriteString("0,schedule,a,5\n")
	}
	_, err := read(t, strings.Replace(b.String(), "5\n0,s", "5\n0x,s", 1), "x")
	faults, ok := errors.AsType[*Faults](err)
	if !ok || faults.Count != 1 || faults.List[0].Line != 3 {
		t.Fatalf("%v", err)
	}
	b.Reset()
	b.WriteString("at,op,id,delay\n")
	for i := range 33 {
		fmt.Fprintf(&b, "?%d,schedule,a,5\n", i)
	}
	_, err = read(t, b.String(), "x")
	faults, ok = errors.AsType[*Faults](err)
	if !ok || faults.Count != 33 || len(faults.List) != FaultsMax || faults.List[19].Line != 21 {
		t.Fatalf("%v", err)
	}
	if text := err.Error(); !strings.HasPrefix(text, "33 faults: line 2: at: ") || !strings.HasSuffix(text, "; and 13 more") {
		t.Error(text)
	}
	_, err = read(t, "at,op,id,delay\nx,schedule,a,5\nx,schedule,,y\n", "x")
	if err == nil || !strings.HasPrefix(err.Error(), "4 faults: line 2: at: ") { // on two lines
		t.Error(err)
	}
	if zh := faults.List[0].In(static.Messages("zh")); !strings.HasPrefix(zh, "第 2 行") || strings.Contains(zh, "duration") {
		t.Error(zh)
	}
}

// zeros is a packed file that never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Packed files without end are refused before they fill the memory: in the header, and in
// later lines.
func TestBombs(t *testing.T) {
	bomb := func(begin string) io.Reader {
		r, w := io.Pipe()
		go func() {
			z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
			io.Copy(z, io.MultiReader(strings.NewReader(begin), io.LimitReader(zeros{}, 128<<20)))
			w.CloseWithError(z.Close())
		}()
		t.Cleanup(func() { r.Close() })
		return r
	}
	pad := strings.Repeat(" ", lookBytes)
	for begin, want := range map[string]string{
		`{"wheelscope":1,"kind":"trace","scenario":` + pad: "line 1: longer than",
		`{"wheelscope":1,"lanes":` + pad:                   "more than 16777216 bytes; expected a shorter scenario", // reading stops at the limit, so the length is not known
		`{"displayTimeUnit":"ms",` + pad:                   "has no scenario",
		"<html>" + pad:                                     "this HTML contains no trace",
		"<script " + PlayerMark + ">" + pad:                "the player's trace is cut short",
	} {
		if _, err := Read(t.Context(), bomb(begin), Options{Plan: program.Options{BytesMax: sim.ServerScenarioMax}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", begin, err, want)
		}
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read := int64(0)
	text := "at,op,id,delay\n" + strings.Repeat("0,schedule,a,5\n", 500_000)
	_, err := Read(ctx, strings.NewReader(text), Options{Progress: func(n int64) { read = n; cancel() }})
	if !errors.Is(err, context.Canceled) || read == 0 || read >= int64(len(text)) {
		t.Errorf("%v after %d bytes", err, read)
	}
}

// The lanes of another scenario can be used. Some runs of a timer that repeats without end are
// shown.
func TestLanesOfOthersAndEndlessTimers(t *testing.T) {
	p, err := program.Load([]byte(header))
	if err != nil {
		t.Fatal(err)
	}
	res, err := Read(t.Context(), strings.NewReader("at,id,delay,every\n0,a,3,5\n"), Options{Lanes: p.Scenario.Lanes})
	if err != nil || len(res.Program.Scenario.Lanes) != 1 || res.Program.Until != 53 || res.Program.Scenario.Name != "imported" {
		t.Errorf("%v, %+v", err, res.Program)
	}
}

// Lines that begin with # are ignored. A note reports this, since a name may also begin with #.
func TestCommentsAreReported(t *testing.T) {
	res, err := read(t, "# of mine\nid,at,delay\n#42,0,5\nx,0,5\n", "x")
	if err != nil {
		t.Fatal(err)
	}
	if n := static.Messages("en").Say(res.Notes[0]); n != "lines left out, since they begin with #: 2" || len(opsOf(res.Program)) != 1 {
		t.Errorf("%q", n)
	}
}

// The first run of a timer that repeats without end is shown, however long its interval.
func TestEndlessIsShown(t *testing.T) {
	for every, until := range map[string]int64{"10": 105, "2305843009213693953": 5, "4611686018427387000": 5, "1152921504606846976": 5 + 2<<60} {
		res, err := read(t, "at,id,delay,every\n0,a,5,"+every+"\n", "x")
		if err != nil || res.Program.Until != until {
			t.Errorf("every %s: %v, %v", every, res, err)
		}
	}
}

// Any file that can be read can be compared with another.
func TestOpenSide(t *testing.T) {
	scenario, ok := library.Builtin("three-slots")
	if !ok {
		t.Fatal("no such scenario")
	}
	want, err := program.Load(scenario)
	if err != nil {
		t.Fatal(err)
	}
	table := "at,id,delay\n0,a,5\n"
	for name, data := range map[string]string{"scenario": string(scenario), "packed": packed(string(scenario))} {
		if side, err := OpenSide(t.Context(), "x", []byte(data), tracefile.Options{}); err != nil || side.Program.Digest() != want.Digest() || side.Name != "x" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if side, err := OpenSide(t.Context(), "x", []byte(table), tracefile.Options{}); err != nil || len(side.Program.Ops) != 1 {
		t.Errorf("table: %v", err)
	}
	if _, err := OpenSide(t.Context(), "x", []byte("{}"), tracefile.Options{}); err == nil || !strings.Contains(err.Error(), "wheelscope: missing") {
		t.Error(err)
	}
}

// A duration that is not a multiple of the tick is rounded up, as in a scenario.
func TestDurationsRoundUp(t *testing.T) {
	for text, want := range map[string]int64{"5": 5, "5ms": 5, "1us": 1, "1.0000001ms": 2, "-1.5ms": -1} {
		res, err := read(t, "at,op,id,delay\n0,schedule,a,"+text+"\n", "x")
		if err != nil || res.Program.Scenario.Ops[0].Delay != want {
			t.Errorf("%s: %v, want %d ticks", text, err, want)
		}
	}
}
