package tracefile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// lineProgram returns a program with two timers, "beat" (1) and a quoted one (2), and lanes
// "one" and "two", whose start is 100.
func lineProgram(t testing.TB) *program.Program {
	t.Helper()
	return plantest.Load(t, `{"wheelscope":1,"start":100,"until":20,"lanes":[{"id":"one","algorithm":"heap"},{"id":"two","algorithm":"heap"}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"beat","delay":5},{"at":0,"op":"schedule","timer":"say \"hi\"\t中","delay":5}]}}`)
}

// lineEvent returns an event without places.
func lineEvent(k wheel.Kind, e wheel.Event) wheel.Event {
	e.Kind, e.FromLevel, e.ToLevel = k, wheel.NoLevel, wheel.NoLevel
	return e
}

func from(e wheel.Event, level int8, slot uint32) wheel.Event {
	e.FromLevel, e.FromSlot = level, slot
	return e
}

func to(e wheel.Event, level int8, slot uint32) wheel.Event {
	e.ToLevel, e.ToSlot = level, slot
	return e
}

// lineCases has at least one event of each kind, and the fields after the kind in its line. Dues
// are absolute; 100 is tick 0.
var lineCases = []struct {
	event wheel.Event
	want  string
}{
	{lineEvent(wheel.KindSchedule, wheel.Event{ID: 1, Due: 105, Run: 1}), `"kind":"schedule","id":1,"timer":"beat","due":5`},
	{lineEvent(wheel.KindSchedule, wheel.Event{ID: 1, Due: 105, Run: 2}), `"kind":"schedule","id":1,"timer":"beat","due":5,"run":2`},
	{lineEvent(wheel.KindSchedule, wheel.Event{ID: 2, Due: 95}), `"kind":"schedule","id":2,"timer":"say \"hi\"\t中","due":-5`},
	{lineEvent(wheel.KindReject, wheel.Event{ID: 1, Due: 105, Code: wheel.CodeRange, Run: 3}), `"kind":"reject","id":1,"timer":"beat","due":5,"reason":"range"`},
	{lineEvent(wheel.KindMiss, wheel.Event{ID: 1, Code: wheel.CodeReset}), `"kind":"miss","op":"reset","timer":"beat"`},
	{lineEvent(wheel.KindPend, wheel.Event{ID: 1, Due: 105}), `"kind":"pend","id":1,"timer":"beat","due":5`},
	{to(lineEvent(wheel.KindPlace, wheel.Event{ID: 1, Due: 105, X: wheel.NoRounds}), 0, 2), `"kind":"place","id":1,"timer":"beat","level":0,"slot":2,"due":5`},
	{to(lineEvent(wheel.KindPlace, wheel.Event{ID: 1, Due: 105, X: 0}), 0, 2), `"kind":"place","id":1,"timer":"beat","level":0,"slot":2,"rounds":0,"due":5`},
	{to(from(lineEvent(wheel.KindPlace, wheel.Event{ID: 1, Due: 105, X: 7, Before: 2}), 3, 4), -1, 0),
		`"kind":"place","id":1,"timer":"beat","from":{"level":3,"slot":4},"level":-1,"slot":0,"before":2,"rounds":7,"due":5`},
	{to(from(lineEvent(wheel.KindCascade, wheel.Event{ID: 1, Due: 105}), 1, 4), 0, 0),
		`"kind":"cascade","id":1,"timer":"beat","from":{"level":1,"slot":4},"to":{"level":0,"slot":0},"due":5`},
	{to(from(lineEvent(wheel.KindCascade, wheel.Event{ID: 1, Due: 105, Before: 2}), 1, 4), 0, 0),
		`"kind":"cascade","id":1,"timer":"beat","from":{"level":1,"slot":4},"to":{"level":0,"slot":0},"before":2,"due":5`},
	{to(from(lineEvent(wheel.KindMove, wheel.Event{ID: 1, Due: 105}), 0, 4), 0, 1),
		`"kind":"move","id":1,"timer":"beat","from":{"level":0,"slot":4},"to":{"level":0,"slot":1}`},
	{from(lineEvent(wheel.KindHand, wheel.Event{Before: 9}), 1, 63), `"kind":"hand","level":1,"slot":63,"count":9`},
	{from(lineEvent(wheel.KindHand, wheel.Event{}), 0, 0), `"kind":"hand","level":0,"slot":0,"count":0`},
	{from(lineEvent(wheel.KindCancel, wheel.Event{ID: 1, Due: 105}), 0, 4), `"kind":"cancel","id":1,"timer":"beat","from":{"level":0,"slot":4}`},
	{lineEvent(wheel.KindMark, wheel.Event{ID: 1, Due: 105}), `"kind":"mark","id":1,"timer":"beat"`},
	{lineEvent(wheel.KindSweep, wheel.Event{ID: 1}), `"kind":"sweep","id":1,"timer":"beat"`},
	{from(lineEvent(wheel.KindSweep, wheel.Event{ID: 1}), 0, 4), `"kind":"sweep","id":1,"timer":"beat","from":{"level":0,"slot":4}`},
	{lineEvent(wheel.KindExpire, wheel.Event{ID: 1, Due: 105, Run: 1}), `"kind":"expire","id":1,"timer":"beat","due":5,"late":2`},
	{from(lineEvent(wheel.KindExpire, wheel.Event{ID: 1, Due: 109, Run: 4}), 0, 4),
		`"kind":"expire","id":1,"timer":"beat","from":{"level":0,"slot":4},"due":9,"late":-2,"run":4`},
	{from(lineEvent(wheel.KindGrow, wheel.Event{X: 4096}), 2, 0), `"kind":"grow","level":2,"width":4096`},
	{from(lineEvent(wheel.KindResize, wheel.Event{X: 30}), 0, 8), `"kind":"resize","level":0,"slots":8,"width":30`},
	{to(lineEvent(wheel.KindPlace, wheel.Event{ID: 1, Due: 105, X: 103, Code: wheel.CodeStale}), 0, 2), `"kind":"place","id":1,"timer":"beat","level":0,"slot":2,"due":5,"key":3`},
	{from(lineEvent(wheel.KindRekey, wheel.Event{ID: 1, Due: 105}), 0, 4), `"kind":"rekey","id":1,"timer":"beat","from":{"level":0,"slot":4},"due":5`},
	{from(lineEvent(wheel.KindEnqueue, wheel.Event{Due: 105}), 2, 7), `"kind":"enqueue","level":2,"slot":7,"due":5`},
	{from(lineEvent(wheel.KindDequeue, wheel.Event{Due: 105}), 2, 7), `"kind":"dequeue","level":2,"slot":7,"due":5`},
	{lineEvent(wheel.KindFinding, wheel.Event{ID: 1, Code: wheel.CodeEarly, Due: 105, X: 103}),
		`"kind":"finding","code":"early","id":1,"timer":"beat","expect":5,"got":3`},
	{lineEvent(wheel.KindFinding, wheel.Event{Code: wheel.CodeStorm, Due: 1, X: 1001}), `"kind":"finding","code":"storm","expect":1,"got":1001`},
}

func TestLineOfEachKind(t *testing.T) {
	p := lineProgram(t)
	enc := NewLineEncoder(p)
	seen := map[wheel.Kind]bool{}
	for i, c := range lineCases {
		seen[c.event.Kind] = true
		want := fmt.Sprintf(`{"seq":%d,"tick":7,"lane":"two",%s}`+"\n", i+1, c.want)
		if got := string(enc.Append(nil, &engine.Record{Event: c.event, Tick: 7, Lane: 1})); got != want {
			t.Errorf("%v:\n got %s want %s", c.event.Kind, got, want)
		}
	}
	for k := wheel.KindNone + 1; k < wheel.NumKinds; k++ {
		if !seen[k] {
			t.Errorf("no case of kind %v", k)
		}
	}
}

func TestLinesAreWellFormed(t *testing.T) {
	p := lineProgram(t)
	enc, check := NewLineEncoder(p), NewChecker(p)
	for _, c := range lineCases {
		line := enc.Append(nil, &engine.Record{Event: c.event, Tick: 7, Lane: 1})
		if err := check.Line(line[:len(line)-1]); err != nil {
			t.Errorf("%s %v", line, err)
		}
	}
}

// A line with any field omitted, doubled, renamed or out of order is refused, unless the
// format permits the field to be absent.
func TestLineRefusesOtherFields(t *testing.T) {
	p := lineProgram(t)
	for _, c := range lineCases {
		fields := splitFields(c.want)
		for i := range fields {
			name := fields[i][1:strings.Index(fields[i], `":`)]
			without := append(append([]string{}, fields[:i]...), fields[i+1:]...)
			broken := map[string][]string{
				"doubled": append(append([]string{}, fields[:i+1]...), fields[i:]...),
				"renamed": append(append(append([]string{}, fields[:i]...), `"x`+fields[i][1:]), fields[i+1:]...),
			}
			if mayMiss := strings.Contains(LineFields[c.event.Kind], "["+name+"]"); !mayMiss {
				broken["left out"] = without
			}
			if i > 0 {
				broken["moved to the front"] = append([]string{fields[i]}, without...)
			}
			for how, list := range broken {
				line := `{"seq":1,"tick":7,"lane":"two",` + strings.Join(list, ",") + `}`
				if err := NewChecker(p).Line([]byte(line)); err == nil {
					t.Errorf("%s %s: no error for %s", name, how, line)
				}
			}
		}
	}
}

// splitFields splits `"a":1,"b":{"c":2}` at the commas between fields. In the cases only
// places contain commas.
func splitFields(s string) []string {
	var fields []string
	for _, part := range strings.Split(s, ",") {
		if n := len(fields); n > 0 && strings.Count(fields[n-1], "{") > strings.Count(fields[n-1], "}") {
			fields[n-1] += "," + part
			continue
		}
		fields = append(fields, part)
	}
	return fields
}

func TestLineRefusesValues(t *testing.T) {
	p := lineProgram(t)
	good := `{"seq":1,"tick":7,"lane":"one","kind":"expire","id":1,"timer":"beat","from":{"level":0,"slot":4},"due":9,"late":-2,"run":4}`
	if err := NewChecker(p).Line([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{`"seq":1`, `"seq":2`, "seq is 2, expected 1"},
		{`"seq":1`, `"seq":01`, "a whole number"},
		{`"tick":7`, `"tick":-1`, "a whole number, 0 or more"},
		{`"tick":7`, `"tick":7.0`, `expected ,"lane":`},
		{`"tick":7`, `"tick":9223372036854775808`, "a whole number"},
		{`"one"`, `"three"`, "the id of a lane"},
		{`"expire"`, `"explode"`, "version 1 does not have"},
		{`"id":1`, `"id":0`, "a whole number, 1 or more"},
		{`"beat"`, `beat`, "a string"},
		{`"beat"`, `"\u0062eat"`, "a string"},
		{`"beat"`, "\"\xff\"", "a string"},
		{`"level":0`, `"level":-2`, "a whole number, -1 or more"},
		{`"slot":4`, `"slot":-4`, "a whole number, 0 or more"},
		{`"late":-2`, `"late":-0`, "a whole number of 64 bits"},
		{`"run":4`, `"run":1`, "a whole number, 2 or more"},
		{`"run":4}`, `"run":4`, "found the line's end, expected }"},
		{`"run":4}`, `"run":4} `, "the end of the line"},
		{`{"seq"`, ` {"seq"`, `expected {"seq":`},
	} {
		line := strings.Replace(good, c.old, c.new, 1)
		err := NewChecker(p).Line([]byte(line))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", line, err, c.says)
		}
	}
}

// Beyond the cache's limit a label is formatted again, with the same result.
func TestLabelsWithoutCache(t *testing.T) {
	p := lineProgram(t)
	cached, bare := newLabels(p), newLabels(p)
	bare.arena = make([]byte, labelBytesMax)
	for range 2 {
		for id := uint32(1); id <= 2; id++ {
			a, b := cached.append(nil, id), bare.append(nil, id)
			if string(a) != string(b) {
				t.Errorf("label of %d: %s with the cache, %s without", id, a, b)
			}
		}
	}
	if len(bare.arena) != labelBytesMax {
		t.Error("the cache grew past its bound")
	}
}

func BenchmarkLine(b *testing.B) {
	p := lineProgram(b)
	enc := NewLineEncoder(p)
	rec := engine.Record{Event: lineCases[9].event, Tick: 7}
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		buf = enc.Append(buf[:0], &rec)
	}
	b.SetBytes(int64(len(buf)))
}
