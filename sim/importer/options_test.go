package importer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

// readWith reads a workload with options.
func readWith(t *testing.T, text string, w WorkloadOptions) *Result {
	t.Helper()
	res, err := Read(t.Context(), strings.NewReader(text), Options{Name: "x", Workload: w})
	if err != nil {
		t.Fatalf("%.80q: %v", text, err)
	}
	return res
}

// Dates in the column at are converted to ticks, counted from the first date.
func TestDates(t *testing.T) {
	const head = "at,op,id,delay\n"
	for name, c := range map[string]struct {
		text, note string
		w          WorkloadOptions
	}{
		"RFC 3339":    {"2026-01-02T15:04:05.250Z,set,b,5\n2026-01-02T15:04:05Z,set,a,5\n", "times are dates; tick 0 is 2026-01-02T15:04:05Z", WorkloadOptions{}},
		"time zone":   {"2026-01-02T15:04:05.250Z,set,b,5\n2026-01-02T16:04:05+01:00,set,a,5\n", "tick 0 is 2026-01-02T15:04:05Z", WorkloadOptions{}},
		"seconds":     {"1767366245.2509,set,b,5\n1767366245,set,a,5\n", "times are Unix time in s; tick 0 is 2026-01-02T15:04:05Z", WorkloadOptions{}},
		"ms":          {"1767366245250,set,b,5\n1767366245000,set,a,5\n", "times are Unix time in ms; tick 0 is 2026-01-02T15:04:05Z", WorkloadOptions{}},
		"ns":          {"1767366245250000000,set,b,5\n1767366245000000000,set,a,5\n", "times are Unix time in ns; tick 0 is 2026-01-02T15:04:05Z", WorkloadOptions{}},
		"by the flag": {"0.25,set,b,5\n0,set,a,5\n", "times are Unix time in s; tick 0 is 1970-01-01T00:00:00Z", WorkloadOptions{At: "s"}},
		"rebased":     {"1250,set,b,5\n1000,set,a,5\n", "tick 0 is tick 1000 of the file", WorkloadOptions{Rebase: true}},
	} {
		res := readWith(t, head+c.text, c.w)
		if ops := res.Program.Scenario.Ops; ops[0].At != 250 || ops[1].At != 0 || ops[0].Delay != 5 || !strings.Contains(notesOf(res), c.note) {
			t.Errorf("%s: %+v\n%s", name, ops, notesOf(res))
		}
	}
	if ops := readWith(t, head+"1767366245,set,a,5", WorkloadOptions{At: "ticks"}).Program.Scenario.Ops; ops[0].At != 1767366245 {
		t.Errorf("ticks by the flag: %+v", ops)
	}
	res := readWith(t, head+"25ms,set,a,95ms", WorkloadOptions{Tick: 10 * time.Millisecond})
	if op := res.Program.Scenario.Ops[0]; op.At != 3 || op.Delay != 10 || res.Program.Scenario.Tick != "10ms" {
		t.Errorf("ticks of 10 ms: %+v, %s", op, res.Program.Scenario.Tick)
	}
}

// Columns may have other names. Other columns are then ignored.
func TestMappedColumns(t *testing.T) {
	names := map[string]string{"at": "process_at", "id": "timer"}
	for _, text := range []string{"queue,Process_At,timer,delay\nq,7,a,5\n", `{"queue":{"x":[1]},"process_at":7,"timer":"a","delay":5}`} {
		res := readWith(t, text, WorkloadOptions{Map: names})
		if ops := res.Program.Scenario.Ops; len(ops) != 1 || ops[0].At != 7 || ops[0].Timer != "a" || ops[0].Delay != 5 {
			t.Errorf("%q: %+v", text, ops)
		}
	}
	if res := readWith(t, "queue,process_at,timer,delay\nq,7,a,5\n", WorkloadOptions{Map: names}); !strings.Contains(notesOf(res), `columns left out: "queue"`) {
		t.Error(notesOf(res))
	}
}

// Every operation and field of a scenario can be given.
func TestCreatedStallAndClock(t *testing.T) {
	res := readWith(t, "at,op,id,delay,created,for,by\n0,set,a,9,-4\n1,stall,,,,3\n2,clock,,,,,-5ms\n", WorkloadOptions{})
	const want = `"ops":[{"at":0,"op":"set","timer":"a","delay":9,"created":-4},{"at":1,"op":"stall","for":3},{"at":2,"op":"clock","by":-5}]`
	if got := string(res.Program.Scenario.AppendJSON(nil)); !strings.Contains(got, want) {
		t.Error(got)
	}
	if _, err := read(t, "at,op,id,delay\n0,set,a,9\n1,stall,,\n", "x"); err == nil || !strings.Contains(err.Error(), "line 3: for: missing") {
		t.Error(err)
	}
}

// As many bad lines as the user allows are ignored and reported.
func TestSkipBad(t *testing.T) {
	const text = "at,op,id,delay\n0,set,a,9\nx,set,b,y\n1,cancel,c,\n2,set,d,9\n"
	res := readWith(t, text, WorkloadOptions{SkipBad: 2})
	if got := opsOf(res.Program); !slices.Equal(got, []string{"set a", "set d"}) || !strings.Contains(notesOf(res), `lines left out, since they are invalid: 2; the first: line 3: at: "x" is not`) {
		t.Errorf("%q\n%s", got, notesOf(res))
	}
	if _, err := Read(t.Context(), strings.NewReader(text), Options{Workload: WorkloadOptions{SkipBad: 1}}); err == nil || !strings.Contains(err.Error(), `line 4: id: "c" is never scheduled`) {
		t.Error(err)
	}
	kernel := "timer_start: timer=1 function=f expires=12 [timeout=2]\ntimer_start: timer=2 function=f expires=x\n"
	if got := opsOf(readWith(t, kernel, WorkloadOptions{SkipBad: 1}).Program); !slices.Equal(got, []string{"set f@1"}) {
		t.Errorf("%q", got)
	}
}

// A table of more than 300,000 rows, in the long form, is within the limits of operations and bytes.
func TestManyRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("at,op,id,delay\n")
	rows := testkit.Pick(60_001, 300_001)
	for i := range rows {
		fmt.Fprintf(&b, "%d,schedule,timer%d,1000\n", i, i)
	}
	if res := readWith(t, b.String(), WorkloadOptions{}); res.Program.Timers() != rows {
		t.Errorf("%d timers", res.Program.Timers())
	}
}

// For files of other tools the error says how to convert them, or that they cannot be.
func TestForeignFiles(t *testing.T) {
	for head, want := range map[string]string{
		"PERFILE2\x68\x00":                  "perf script writes it as text",
		"go 1.22 trace\x00\x00\x00":         "a Go execution trace, which has no events of timers, so it cannot be converted",
		"SQLite format 3\x00":               "sqlite3 -csv -header",
		"PK\x03\x04\x14\x00":                "a spreadsheet saved as CSV",
		"\xc1\x1f\xfc\xc1\x00":              "the Common Trace Format, which cannot be converted",
		"\x28\xb5\x2f\xfd\x00":              "zstd -d unpacks it",
		"\xff\xfea\x00t\x00":                "UTF-16",
		packed("PERFILE2\x68\x00"):          "perf script writes it as text",
		packed("go 1.25 trace\x00\x00\x00"): "cannot be converted",
	} {
		if _, err := read(t, head, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", head, err, want)
		}
	}
}

// In a trace without timer_expire_entry, a cancel at the time when the timer is collected is
// its expiry.
func TestKernelTraceWithoutExpiries(t *testing.T) {
	whole := modern(t)
	var kept []string
	for line := range strings.Lines(whole) {
		if !strings.Contains(line, "timer_expire_") {
			kept = append(kept, line)
		}
	}
	res, err := read(t, strings.Join(kept, ""), "x")
	if err != nil {
		t.Fatal(err)
	}
	full, _ := read(t, whole, "x")
	if got, want := opsOf(res.Program), opsOf(full.Program); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if !strings.Contains(notesOf(res), "no timer_expire_entry, which distinguishes expiries from cancels: 1 timer_cancel at the jiffy of the expiry or later are taken as expiries, 2 as cancels") {
		t.Error(notesOf(res))
	}
	if strings.Contains(notesOf(full), "no timer_expire_entry") {
		t.Error(notesOf(full))
	}
}

// A timer of 63 jiffies is placed in the current slot and collected a revolution later.
func TestPredictsTheSlotOfNow(t *testing.T) {
	res, err := read(t, "timer_start: timer=1 function=f expires=1063 [timeout=63] bucket_expiry=1064\ntimer_start: timer=2 function=f expires=1010 [timeout=10] bucket_expiry=1011\n", "x")
	if err != nil || !strings.Contains(notesOf(res), "of 2 of 2 starts") {
		t.Errorf("%v\n%s", err, notesOf(res))
	}
}

// A frequency that the trace does not show is reported as a guess; lost events are reported.
func TestKernelGuessAndLostEvents(t *testing.T) {
	const start = "timer_start: timer=1 function=f expires=12 [timeout=2]\n"
	res, err := read(t, start, "x")
	if err != nil || !strings.Contains(notesOf(res), "250 jiffies a second is a guess") {
		t.Errorf("%v\n%s", err, notesOf(res))
	}
	res = readWith(t, start, WorkloadOptions{HZ: 1000})
	if notes := notesOf(res); strings.Contains(notes, "guess") || res.Program.Scenario.Tick != "1ms" {
		t.Errorf("%s %s", notes, res.Program.Scenario.Tick)
	}
	if notes := notesOf(readWith(t, modern(t), WorkloadOptions{})); strings.Contains(notes, "guess") || strings.Contains(notes, "lost") {
		t.Error(notes)
	}
	lost := "# entries-in-buffer/entries-written: 2/5   #P:2\nCPU:0 [LOST 100 EVENTS]\n" + start + "CPU:1 [20 EVENTS DROPPED]\n"
	if notes := notesOf(readWith(t, "# tracer: nop\n"+lost, WorkloadOptions{})); !strings.Contains(notes, "reports as lost: 123") {
		t.Error(notes)
	}
}
