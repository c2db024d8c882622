package importer

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// caseOf reads a file of testdata/cases.
func caseOf(t *testing.T, name string) *Result {
	t.Helper()
	data, err := os.ReadFile("testdata/cases/" + name)
	if err != nil {
		t.Fatal(err)
	}
	res, err := read(t, string(data), name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res
}

// timesOf returns the ticks of the operations of a kind.
func timesOf(res *Result, kind scenario.OpKind) (ticks []int64) {
	for _, op := range res.Program.Scenario.Ops {
		if op.Kind == kind {
			ticks = append(ticks, op.At)
		}
	}
	return ticks
}

// The jiffies of a 32-bit kernel wrap, which also happens between the call and the due jiffy of a timer.
func TestJiffiesWrap(t *testing.T) {
	res := caseOf(t, "01a-jiffies-wrap-silent.txt")
	at := timesOf(res, scenario.OpSet)
	if len(at) != 3 || res.Program.Start != 4294967286 || res.Program.Scenario.Tick != "10ms" {
		t.Fatalf("starts at %v from %d on, ticks of %s", at, res.Program.Start, res.Program.Scenario.Tick)
	}
	for i := 1; i < len(at); i++ {
		if between := at[i] - at[i-1]; between < 20 || between > 22 {
			t.Errorf("%d jiffies between the starts %d and %d", between, i-1, i)
		}
	}
	if !strings.Contains(notesOf(res), "from line 4 on the jiffies have wrapped at 32 bits") {
		t.Error(notesOf(res))
	}
	res = caseOf(t, "01b-jiffies-wrap-refused.txt")
	at = timesOf(res, scenario.OpSet)
	if len(at) < 8 || res.Program.Scenario.Tick != "10ms" || !slices.IsSorted(at) || at[len(at)-1] > 1000 {
		t.Errorf("starts at %v, ticks of %s", at, res.Program.Scenario.Tick)
	}
	for i := range res.Program.Scenario.Ops {
		if op := &res.Program.Scenario.Ops[i]; op.Kind == scenario.OpSet && op.Delay != 50 {
			t.Errorf("operation %d: a delay of %d", i, op.Delay)
		}
	}
}

// Jiffies of 64 bits do not wrap: a timer may be due long after its call.
func TestLongJiffiesDoNotWrap(t *testing.T) {
	res, err := read(t, "timer_start: timer=1 function=f expires=4294967000 [timeout=10]\ntimer_start: timer=2 function=f expires=8589934000 [timeout=4294966000]\n"+
		"timer_start: timer=3 function=f expires=4294968100 [timeout=100]\n", "x")
	if err != nil || !slices.Equal(timesOf(res, scenario.OpSet), []int64{0, 1010, 1010}) || strings.Contains(notesOf(res), "wrapped") {
		t.Errorf("%v, %+v", err, res)
	}
}

// A dump of ftrace has times in microseconds after the times of the kernel's log.
func TestFtraceDump(t *testing.T) {
	for _, name := range []string{"02a-ftrace-dump-us-stamps.txt", "02b-same-in-seconds.txt"} {
		res := caseOf(t, name)
		if at := timesOf(res, scenario.OpCancel); !slices.Equal(at, []int64{3000}) || res.Program.Scenario.Tick != "1ms" {
			t.Errorf("%s: cancels at %v, ticks of %s", name, at, res.Program.Scenario.Tick)
		}
	}
}

// The text of babeltrace has spaces around its equals signs, and the jiffy of the call.
func TestBabeltrace(t *testing.T) {
	res := caseOf(t, "05-lttng-babeltrace.txt")
	op := res.Program.Scenario.Ops[0]
	if len(res.Program.Scenario.Ops) != 1 || op.Timer != "FFFF1000@0010" && op.Timer != "0xFFFF1000@0010" || op.Delay != 20 || res.Program.Start != 4294700200 || res.Program.Scenario.Tick != "1ms" {
		t.Errorf("%+v from %d on, ticks of %s", res.Program.Scenario.Ops, res.Program.Start, res.Program.Scenario.Tick)
	}
}

// The HTML of systrace contains the text of the kernel's events.
func TestSystrace(t *testing.T) {
	res := caseOf(t, "06-systrace.html")
	if ops := res.Program.Scenario.Ops; res.Kind != KindLinux || len(ops) != 1 || ops[0].Timer != "demo_fn@0010" || ops[0].Delay != 20 {
		t.Errorf("%s, %+v", res.Kind, ops)
	}
}

// Dates need no T and no zone.
func TestDatesAsPrograms(t *testing.T) {
	res := caseOf(t, "07a-dates-with-a-space.csv")
	if ops := res.Program.Scenario.Ops; ops[0].At != 0 || ops[1].At != 877 || ops[0].Delay != 30000 || !strings.Contains(notesOf(res), "tick 0 is 2024-05-01T10:00:00.123Z") {
		t.Errorf("%+v\n%s", ops, notesOf(res))
	}
	if res := caseOf(t, "07b-dates-without-zone.csv"); !strings.Contains(notesOf(res), "tick 0 is 2024-05-01T10:00:00.123Z") {
		t.Error(notesOf(res))
	}
	for text, want := range map[string]string{
		"2024-05-01 10:00:00.123+02:00":     "2024-05-01T08:00:00.123Z", // pandas
		"2024-05-01 10:00:00.123456+00":     "2024-05-01T10:00:00.123456Z",
		"2024-05-01 10:00:00 +0000 UTC":     "2024-05-01T10:00:00Z",
		"2024-05-01T10:00:00+0200":          "2024-05-01T08:00:00Z",
		"2024-05-01 10:00:00 UTC":           "2024-05-01T10:00:00Z",
		`"2024-05-01 10:00:00,250"`:         "2024-05-01T10:00:00.25Z", // logging of Python
		"2024/05/01 10:00:00":               "2024-05-01T10:00:00Z",
		"2024-05-01 10:00":                  "2024-05-01T10:00:00Z",
		"2024-05-01":                        "2024-05-01T00:00:00Z",
		"2024-05-01 10:00:00.123456789 UTC": "2024-05-01T10:00:00.123456789Z",
	} {
		res, err := read(t, "at,id,delay\n"+text+",a,5\n", "x")
		if err != nil || !strings.Contains(notesOf(res), "tick 0 is "+want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A spreadsheet names its separator in the first line, and pandas writes an index in the first column.
func TestTablesOfPrograms(t *testing.T) {
	for _, text := range []string{"sep=;\nat;id;delay\n0;a;5\n", "\ufeffsep=;\r\nat;id;delay\r\n0;a;5\r\n", ",at,id,delay\n0,0,a,5\n", "Unnamed: 0,at,id,delay\n0,0,a,5\n"} {
		res, err := read(t, text, "x")
		if err != nil || len(res.Program.Scenario.Ops) != 1 || res.Program.Scenario.Ops[0].Delay != 5 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Operations may have other names, and a fault that many lines have is reported once.
func TestOperationsOfPrograms(t *testing.T) {
	text := "at,op,id,delay\n" + strings.Repeat("0,start,a,5\n", 20) + "1,stop,a,\n"
	_, err := read(t, text, "x")
	want := `21 faults: line 2: op: "start" is not one of schedule, set, cancel, reset, stall, clock (20 lines); line 22: op: "stop" is not one of schedule, set, cancel, reset, stall, clock`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	res := readWith(t, text, WorkloadOptions{MapOp: map[string]string{"start": "set", "stop": "cancel"}})
	if len(timesOf(res, scenario.OpSet)) != 20 || len(timesOf(res, scenario.OpCancel)) != 1 {
		t.Errorf("%+v", res.Program.Scenario.Ops)
	}
}

// A list of pending timers is not a trace, and is refused by its name.
func TestTimerListIsRefused(t *testing.T) {
	data, err := os.ReadFile("testdata/cases/08-timer-list-snapshot.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, string(data), "x"); err == nil || !strings.HasPrefix(err.Error(), "this is a list of pending timers") {
		t.Error(err)
	}
}
