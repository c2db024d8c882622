package compare

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel"
)

func comparisonOf(t *testing.T, sides ...Side) *Comparison {
	t.Helper()
	c, err := NewComparison(context.Background(), sides, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func openSide(t *testing.T, data []byte) Side {
	t.Helper()
	s, err := OpenSide(context.Background(), "side", data, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func words(c *Comparison, lang string) string {
	return strings.Join(static.Messages(lang).Lines(c.Words()), " ")
}

// ops returns a scenario with the given lanes and operations.
func ops(lanes, list string) string {
	return fmt.Sprintf(`{"wheelscope":1,"until":40,"lanes":[%s],"workload":{"ops":[%s]}}`, lanes, list)
}

const (
	exactLane  = `{"id":"w","algorithm":"simple","slots":32}`
	coarseLane = `{"id":"w","algorithm":"simple","slots":8,"width":4}`
	twoTimers  = `{"at":0,"op":"schedule","timer":"a","delay":5},{"at":2,"op":"schedule","timer":"b","delay":6},{"at":3,"op":"schedule","timer":"c","delay":20},{"at":9,"op":"cancel","timer":"c"}`
)

// TestOracleAgreesWithAWalk compares the oracle with an evaluation timer by timer.
func TestOracleAgreesWithAWalk(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	for range 300 {
		var list []string
		for k := range 12 {
			at, name := random.IntN(30), fmt.Sprint("t", k)
			repeat := []string{"", `,"every":3,"times":4`, `,"every":2`}[random.IntN(3)]
			list = append(list, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":%q,"delay":%d%s}`, at, name, random.IntN(20)-4, repeat))
			if random.IntN(2) == 0 {
				list = append(list, fmt.Sprintf(`{"at":%d,"op":%q,"timer":%q%s}`, at+random.IntN(40-at), []string{"cancel", "reset"}[random.IntN(2)], name, ""))
			}
		}
		text := strings.ReplaceAll(ops(exactLane, strings.Join(list, ",")), `"op":"reset",`, `"op":"reset","delay":3,`)
		p, err := program.Load([]byte(text))
		if err != nil {
			continue // an operation precedes its timer
		}
		var got []string
		o := engine.NewOracle(p)
		for tick, ok := o.NextTick(); ok; tick, ok = o.NextTick() {
			for _, x := range o.Tick(tick, nil) {
				got = append(got, fmt.Sprintf("%2d %v %d/%d", tick, x.Kind, x.ID, x.Run))
			}
		}
		want := walked(p)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\noracle %v\nwalk   %v", text, got, want)
		}
	}
}

// walked evaluates each timer on its own. The first later operation that has it as its target
// cancels it.
func walked(p *program.Program) (list []string) {
	for i := range p.Ops {
		op := &p.Ops[i]
		if !op.Kind.Arms() {
			continue
		}
		end := p.Until + 1 // tick of the operation that cancels the timer
		for j := i + 1; j < len(p.Ops); j++ {
			if p.Ops[j].Target == op.ID {
				end = p.Ops[j].At
				break
			}
		}
		due, run, more := op.At+op.Delay, 1, true
		for more && max(due, op.At) <= min(p.Until, end) { // runs due at the tick of a cancel fire before it
			list = append(list, fmt.Sprintf("%2d expire %d/%d", max(due, op.At), op.ID, run))
			more = op.Every > 0 && (op.Times < 0 || run < int(op.Times))
			due, run = due+op.Every, run+1
		}
		if more && end <= p.Until {
			list = append(list, fmt.Sprintf("%2d cancel %d/%d", end, op.ID, run))
		}
	}
	return list
}

// TestComparisonAgainstTheOracle checks that a lane differs from the oracle exactly if it fires early
// or late or rejects timers. Lanes with findings, scenarios with stalls and operations that miss
// their timer are excluded.
func TestComparisonAgainstTheOracle(t *testing.T) {
	for name, p := range plantest.Golden(t) {
		c := comparisonOf(t, Side{Name: name, Program: p})
		for lane, row := range c.Rows[0] {
			off := row.Early + row.Late + row.Rejected
			if score := c.Against[0][lane]; (score.First != nil) != (off > 0) && row.Findings == 0 && len(p.Stalls) == 0 && score.Differing != missed(p, lane) {
				t.Errorf("%s, lane %s: %d not on time, the oracle counts %d, first %+v", name, row.Lane, off, score.Differing, score.First)
			}
		}
		if got := compareRows(t, p); !slices.Equal(got, c.Rows[0]) {
			t.Errorf("%s: %+v\ncompare says %+v", name, c.Rows[0], got)
		}
	}
}

// missed returns the number of operations of a lane that missed their timer: a timer that fired
// early can't be cancelled any more.
func missed(p *program.Program, lane int) int64 {
	e, err := engine.NewEngine(p)
	if err != nil {
		return -1
	}
	_ = e.RunTo(p.Until)
	return e.Lane(lane).Log.Count[wheel.KindMiss]
}

// TestComparisonFindsTheFirstDifference compares the first difference of a run's lanes with that of a
// plain run, tick by tick.
func TestComparisonFindsTheFirstDifference(t *testing.T) {
	for name, p := range plantest.Golden(t) {
		if len(p.Scenario.Lanes) < 2 || p.Until > 5000 {
			continue
		}
		tick, found := firstDifferingTick(t, p)
		c := comparisonOf(t, Side{Name: name, Program: p})
		if found != (c.First != nil) || found && c.First.Tick != tick {
			t.Errorf("%s: the lanes differ first at tick %d (%v), the comparison %+v", name, tick, found, c.First)
		}
	}
}

// firstDifferingTick returns the first tick in which the lanes have different outcomes.
func firstDifferingTick(t *testing.T, p *program.Program) (int64, bool) {
	t.Helper()
	e := plantest.Engine(t, p)
	for tick, ok := e.Next(); ok; tick, ok = e.Next() {
		outcomes := make([][]engine.Outcome, len(p.Scenario.Lanes))
		recs := e.Tick(tick, nil)
		for i := range recs {
			if o, ok := engine.OutcomeOf(&recs[i]); ok {
				outcomes[recs[i].Lane] = append(outcomes[recs[i].Lane], o)
			}
		}
		if !engine.AllAlike(outcomes) {
			return tick, true
		}
	}
	return 0, false
}

func TestComparisonOfTwoRuns(t *testing.T) {
	a := Side{Name: "a", Program: plantest.Load(t, ops(exactLane, twoTimers))}
	b := Side{Name: "b", Program: plantest.Load(t, ops(coarseLane, twoTimers))}
	c := comparisonOf(t, a, b)
	if n, more := c.Differing(); n != 1 || more || c.Apart != -1 || c.Events != nil {
		t.Errorf("%d differ, %v; apart %d; events %+v", n, more, c.Apart, c.Events)
	}
	want := Difference{Timer: "a", ID: 1, Run: 1, Due: 5, Tick: 5, Ends: []End{{Kind: wheel.KindExpire, Tick: 5, Due: 5}, {Kind: wheel.KindExpire, Tick: 8, Due: 5}}}
	if c.First == nil || c.First.Timer != want.Timer || c.First.Due != want.Due || c.First.Tick != want.Tick || !slices.Equal(c.First.Ends, want.Ends) {
		t.Fatalf("%+v, want %+v", c.First, want)
	}
	for lang, part := range map[string]string{
		"en": "A and B do the same work. They first differ at tick 5, over a, due at 5: w A fired it on time; w B fired it at 8, 3 ticks late. In all 1 timer came out differently.",
		"zh": "A 与 B 的工作负载相同。 首次不同在刻度 5，定时器 a（到期 5）：w A 准时触发；w B 在 8 触发，晚了 3 个刻度。总共有 1 个定时器结果不同。",
	} {
		if got := words(c, lang); !strings.HasPrefix(got, part) {
			t.Errorf("%s", got)
		}
	}
	again := `{"at":0,"op":"schedule","timer":"a","delay":5,"every":5,"times":3}`
	c = comparisonOf(t, Side{Name: "a", Program: plantest.Load(t, ops(exactLane, again))}, Side{Name: "b", Program: plantest.Load(t, ops(coarseLane, again))})
	for lang, part := range map[string]string{"en": "In all 3 runs came out differently.", "zh": "总共有 3 次运行结果不同。"} {
		if got := words(c, lang); !strings.Contains(got, part) {
			t.Errorf("%s", got)
		}
	}
	if same := comparisonOf(t, a, a); same.First != nil || same.Events != nil || !strings.Contains(words(same, "en"), "They never differ") {
		t.Errorf("a run differs from itself: %s", words(same, "en"))
	}
}

// TestComparisonOfBranches adds an operation before others, which shifts the ids of those after it.
// Timers are compared by name, and the first event that differs is the new one.
func TestComparisonOfBranches(t *testing.T) {
	a := Side{Name: "a", Program: plantest.Load(t, ops(exactLane, twoTimers))}
	b := Side{Name: "b", Program: plantest.Load(t, ops(exactLane, `{"at":1,"op":"schedule","timer":"new","delay":3},`+twoTimers))}
	c := comparisonOf(t, a, b)
	if n, _ := c.Differing(); n != 1 || c.Apart != 1 || c.First.Timer != "new" || c.First.Due != 4 || c.First.Tick != 4 {
		t.Errorf("%d differ from tick %d on, first %+v", n, c.Apart, c.First)
	}
	if e := c.Events; e == nil || e.Tick != 1 || e.Lines[0] != "" || !strings.Contains(e.Lines[1], `"kind":"schedule","id":2,"timer":"new"`) {
		t.Errorf("%+v", e)
	}
	if got := words(c, "en"); !strings.HasPrefix(got, "The workloads differ from tick 1 on; timers are compared by name.") || !strings.Contains(got, "w A has no such timer; w B fired it on time") {
		t.Error(got)
	}
}

// TestComparisonWithATrace checks that a trace equal to its run is replaced by its scenario, and that
// an altered trace is compared by its lines.
func TestComparisonWithATrace(t *testing.T) {
	p := plantest.Load(t, ops(exactLane, twoTimers))
	trace := writtenTrace(t, p, tracefile.Options{})
	run := Side{Name: "run", Program: p}
	if s := openSide(t, trace); s.Trace != nil || comparisonOf(t, run, s).First != nil {
		t.Errorf("%+v differs from its run", s)
	}
	fired := []byte(`"kind":"expire","id":2,"timer":"b","from":{"level":0,"slot":8},"due":8,"late":0}`)
	other := bytes.Replace(trace, append([]byte(`"tick":8,"lane":"w",`), fired...), append([]byte(`"tick":8,"lane":"w",`), bytes.Replace(fired, []byte(`"slot":8`), []byte(`"slot":9`), 1)...), 1)
	s := openSide(t, other)
	if bytes.Equal(other, trace) || s.Trace == nil || s.Trace.Diff == nil {
		t.Fatalf("the altered trace is taken for the run's: %+v", s.Trace)
	}
	c := comparisonOf(t, run, s)
	if c.First != nil || c.Events == nil || c.Events.Tick != 8 || !strings.Contains(c.Events.Lines[1], `"slot":9`) {
		t.Errorf("first %+v, events %+v", c.First, c.Events)
	}
	if got, want := c.Rows[1][0], c.Rows[0][0]; got.Fired != want.Fired || got.Cancelled != want.Cancelled || got.Pending != want.Pending || got.Cost != -1 {
		t.Errorf("%+v, the run %+v", got, want)
	}
}

// TestComparisonReadsEveryKindOfLine checks for the golden scenarios that the events read from the
// lines of a trace are those of the run.
func TestComparisonReadsEveryKindOfLine(t *testing.T) {
	for name, p := range plantest.Golden(t) {
		trace := writtenTrace(t, p, tracefile.Options{})
		if len(trace) > 1<<20 {
			continue
		}
		s := Side{Name: name, Program: p, Trace: &TraceSide{data: trace}} // as if it differed
		c := comparisonOf(t, Side{Name: "run", Program: p}, s)
		if c.First != nil || c.Events != nil {
			t.Errorf("%s: read differently: %+v %+v", name, c.First, c.Events)
		}
		for i, got := range c.Rows[1] {
			want := c.Rows[0][i]
			if got.Fired != want.Fired || got.Late != want.Late || got.LateMax != want.LateMax || got.LateP99 != want.LateP99 || got.EarlyMax != want.EarlyMax || got.Rejected != want.Rejected || got.Pending != want.Pending || got.Findings != want.Findings {
				t.Errorf("%s, lane %s: the lines say %+v, the run %+v", name, got.Lane, got, want)
			}
		}
	}
}

// TestComparisonOfOtherDues compares timers of the same name with different due ticks. The lateness
// of each refers to its own due tick.
func TestComparisonOfOtherDues(t *testing.T) {
	b := strings.Replace(twoTimers, `"delay":5`, `"delay":7`, 1)
	c := comparisonOf(t, Side{Name: "a", Program: plantest.Load(t, ops(exactLane, twoTimers))}, Side{Name: "b", Program: plantest.Load(t, ops(exactLane, b))})
	if r := c.Report(static.Messages("en")); len(r.Timers) != 1 || r.Timers[0].Due != 5 || r.Timers[0].Ends[0].Late != 0 || r.Timers[0].Ends[1].Tick != 7 || r.Timers[0].Ends[1].Late != 0 || r.SameWork || r.WorkApart != 0 {
		t.Errorf("%+v", r)
	}
}

func TestOpenSideRefuses(t *testing.T) {
	trace := writtenTrace(t, plantest.Load(t, ops(exactLane, twoTimers)), tracefile.Options{})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(trace)
	z.Close()
	if s := openSide(t, packed.Bytes()); s.Trace != nil || s.Program.Until != 40 {
		t.Errorf("a packed trace is read as %+v", s)
	}
	for what, bad := range map[string]struct {
		data []byte
		want string
	}{
		"version": {bytes.Replace(trace, []byte(`{"wheelscope":1,"kind"`), []byte(`{"wheelscope":2,"kind"`), 1), "line 1: the trace is of version 2, expected 1"},
		"cut":     {trace[:len(trace)-40], "cut short"},
		"line":    {bytes.Replace(trace, []byte(`"kind":"expire"`), []byte(`"kind":"explode"`), 1), `kind is "explode"`},
		"nothing": {nil, "JSON"},
		"image":   {[]byte("\x89PNG\r\n"), "JSON"},
		"gzip":    {[]byte("\x1f\x8b\x08nothing"), "line 1"},
	} {
		_, err := OpenSide(context.Background(), "x", bad.data, tracefile.Options{})
		if err == nil || !strings.Contains(err.Error(), bad.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", what, err, bad.want)
		}
	}
}

// writtenTrace returns the trace of a program.
func writtenTrace(t testing.TB, p *program.Program, o tracefile.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := tracefile.Write(t.Context(), &b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
