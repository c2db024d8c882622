package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
)

func compareRows(t *testing.T, p *program.Program) []engine.LaneResult {
	t.Helper()
	rows, err := Lanes(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// counted holds the figures of a lane according to the lines of a trace.
type counted struct {
	fired, cancelled, rejected, early, earlyMax, late, lateMax, findings int64
}

// countTrace computes the figures of each lane from the lines of a trace.
func countTrace(t *testing.T, trace []byte) map[string]*counted {
	t.Helper()
	lanes := map[string]*counted{}
	for line := range bytes.Lines(trace) {
		var e struct {
			Seq, Late  int64
			Lane, Kind string
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if e.Seq == 0 {
			continue
		}
		c := lanes[e.Lane]
		if c == nil {
			c = &counted{}
			lanes[e.Lane] = c
		}
		c.add(e.Kind, e.Late)
	}
	return lanes
}

func (c *counted) add(kind string, late int64) {
	switch kind {
	case "expire":
		c.fired++
		if late > 0 {
			c.late++
		}
		if late < 0 {
			c.early++
		}
		c.lateMax, c.earlyMax = max(c.lateMax, late), max(c.earlyMax, -late)
	case "cancel", "mark":
		c.cancelled++
	case "reject":
		c.rejected++
	case "finding":
		c.findings++
	}
}

// TestCompareAgreesWithTrace checks that each row has the figures counted in the trace.
func TestCompareAgreesWithTrace(t *testing.T) {
	programs := plantest.Golden(t)
	programs["many"] = plantest.Load(t, plantest.ManyTimers)
	for name, p := range programs {
		lanes := countTrace(t, writtenTrace(t, p, tracefile.Options{}))
		for i, r := range compareRows(t, p) {
			if r.Lane != p.Scenario.Lanes[i].ID || r.Algorithm != p.Scenario.Lanes[i].Algorithm {
				t.Errorf("%s: row %d is of lane %s, %s", name, i, r.Lane, r.Algorithm)
			}
			got := counted{r.Fired, r.Cancelled, r.Rejected, r.Early, r.EarlyMax, r.Late, r.LateMax, r.Findings}
			if want := lanes[r.Lane]; want == nil || got != *want {
				t.Errorf("%s, lane %s: %+v, the trace has %+v", name, r.Lane, got, want)
			}
		}
	}
}

// TestCompareLateness has 100 timers on a wheel of width 100: the one due at tick k fires at 100,
// 100−k late. 99 of 100 are at most 98 late, the maximum is 99.
func TestCompareLateness(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":200,"lanes":[{"algorithm":"simple","slots":4,"width":100}],
		"workload":{"generate":[{"prefix":"t","seed":1,"count":100,"arrivals":{"dist":"constant","every":1},"delay":{"dist":"constant","value":1}}]}}`)
	r := compareRows(t, p)[0]
	if r.Fired != 100 || r.LateMax != 99 || r.LateP99 != 98 || r.EarlyMax != 0 {
		t.Errorf("%+v, want 100 fired, 99 late at most and 98 for 99 in 100", r)
	}
	if r.BytesPerTimer <= 0 {
		t.Errorf("%d bytes a timer", r.BytesPerTimer)
	}
}

// TestCompareWorstTick schedules five timers, one per tick, that all wait in the slot of tick 6.
// The slot is examined, and each timer touched, in that tick.
func TestCompareWorstTick(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":20,"lanes":[{"algorithm":"simple","slots":16}],"workload":{"ops":[
		{"at":0,"op":"schedule","timer":"a","delay":6},{"at":1,"op":"schedule","timer":"b","delay":5},{"at":2,"op":"schedule","timer":"c","delay":4},
		{"at":3,"op":"schedule","timer":"d","delay":3},{"at":4,"op":"schedule","timer":"e","delay":2}]}}`)
	if r := compareRows(t, p)[0]; r.WorstTickAt != 6 || r.WorstTick < 6 || r.WorstTick >= r.Cost {
		t.Errorf("%+v, want the costliest tick at 6", r)
	}
}

func TestCompareOfNoTimers(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":7,"lanes":[{"algorithm":"simple","slots":4},{"algorithm":"heap"}],"workload":{}}`)
	for _, r := range compareRows(t, p) {
		if r.Fired != 0 || r.BytesPerTimer != 0 || r.LateP99 != 0 {
			t.Errorf("%+v", r)
		}
	}
	if r := compareRows(t, p)[0]; r.Cost != 7 || r.WorstTick != 1 || r.WorstTickAt != 1 {
		t.Errorf("%+v: an empty wheel examines one slot in each of 7 ticks", r)
	}
}

// TestCompareCountsFindings checks that a comparison counts the findings that lanes emit.
func TestCompareCountsFindings(t *testing.T) {
	p := plantest.Load(t, plantest.Driven)
	want := make([]int64, len(p.Scenario.Lanes))
	e := plantest.Engine(t, p)
	for tick, ok := e.Next(); ok; tick, ok = e.Next() {
		for _, r := range e.Tick(tick, nil) {
			if r.Kind == wheel.KindFinding {
				want[r.Lane]++
			}
		}
	}
	for i, row := range compareRows(t, p) {
		if row.Findings != want[i] {
			t.Errorf("lane %d: %d findings in the comparison, %d emitted", i, row.Findings, want[i])
		}
	}
	if want[0] == 0 {
		t.Error("no findings")
	}
}

func TestCompareIsCancelled(t *testing.T) {
	p := plantest.Load(t, plantest.ManyTimers)
	ctx, cancel := context.WithCancel(t.Context())
	ticks := 0
	progress := func(int64) { ticks++; cancel() }
	if _, err := Lanes(ctx, p, progress); !errors.Is(err, context.Canceled) || ticks < 1 || ticks > len(p.Scenario.Lanes) {
		t.Errorf("error %v after progress was reported %d times, want %v before each lane has run", err, ticks, context.Canceled)
	}
}

// looksContext is a context that is cancelled after a given number of calls of Err.
type looksContext struct {
	context.Context
	left int
}

func (c *looksContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A tick of 100,000 operations is abandoned when the context is done.
func TestDriveIsCancelledWithinTick(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":1,"lanes":[{"algorithm":"rounds","slots":8}],"workload":{"generate":[
		{"prefix":"t","seed":1,"count":100000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":9}}]}}`)
	for what, run := range map[string]func(context.Context) error{
		"Write": func(ctx context.Context) error {
			_, err := tracefile.Write(ctx, io.Discard, p, tracefile.Options{})
			return err
		},
		"Lanes": func(ctx context.Context) error { _, err := Lanes(ctx, p, nil); return err },
	} {
		c := &looksContext{context.Background(), 3}
		if err := run(c); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled after 3 parts of a tick: %v", what, err)
		}
	}
}
