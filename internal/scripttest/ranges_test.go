package scripttest

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel"
)

// slotAsked is a slot of a lane as an input of the page's function.
type slotAsked struct {
	Info   map[string]any `json:"info"`
	Levels [][]int64      `json:"levels"`
	Level  int8           `json:"level"`
	Slot   uint32         `json:"slot"`
	Now    int64          `json:"now"`
	Start  int64          `json:"start"`
	Dues   []int64        `json:"dues"`

	lane string
	tick int64
	ids  []uint32
}

// slotRange is the result of the page's function.
type slotRange struct {
	From, To, Every int64
	At              *int64 // nil: it is not visited at a single tick
}

// TestRangesHoldTheirTimers calls the page's function for every slot with timers, after every third
// tick of a run of every kind of wheel. The due tick of each timer in the slot is within the
// returned range, and in the finest level one of them fires when the slot is to be visited.
func TestRangesHoldTheirTimers(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	for _, name := range []string{"../e2e/testdata/catalogue.json", "testdata/started-late.json"} {
		run := runOf(t, read(t, name))
		fires := map[string]int64{}
		if name != "testdata/started-late.json" { // the other scenario has a stall, during which no slot is visited
			fires = firesOf(t, run)
		}
		asked := slotsOf(t, run)
		ranges := eval[[]*slotRange](n, fmt.Sprintf(`load("inspect/ranges.js").then(({rangeOf}) => %s.map(
			(a) => { const r = rangeOf(a.info, a.levels, a.level, a.slot, a.now, a.start, a.dues); return r && {From: r.from, To: r.to, Every: r.every, At: r.at}; }))`, quote(asked)))
		rules := map[string]int{}
		for k, a := range asked {
			if ranges[k] == nil {
				continue
			}
			rules[a.Info["algorithm"].(string)]++
			a.check(t, ranges[k], fires)
		}
		if name != "testdata/started-late.json" && len(rules) < 8 {
			t.Errorf("ranges are given for %v only", rules)
		}
	}
}

// check compares the result for a slot with its timers.
func (a *slotAsked) check(t *testing.T, r *slotRange, fires map[string]int64) {
	t.Helper()
	for i, due := range a.Dues {
		from := due
		if r.Every > 0 && due > r.To {
			from = r.From + (due-r.From)%r.Every
		}
		if from < r.From || from > r.To {
			t.Errorf("%s at tick %d: level %d slot %d is said to take %d … %d (every %d), it holds timer %d due %d", a.lane, a.tick, a.Level, a.Slot, r.From, r.To, r.Every, a.ids[i], due)
		}
		fired, ok := fires[fmt.Sprint(a.lane, " ", a.ids[i], " ", due)]
		if ok && r.At != nil && a.Level == 0 && due >= r.From && due <= r.To && fired != *r.At {
			t.Errorf("%s at tick %d: slot %d is said to be worked at %d, timer %d due %d fires at %d", a.lane, a.tick, a.Slot, *r.At, a.ids[i], due, fired)
		}
	}
}

// firesOf returns the tick at which each timer fires, by lane, id and due tick.
func firesOf(t *testing.T, run *sim.Run) map[string]int64 {
	t.Helper()
	fires := map[string]int64{}
	for _, e := range eventLines(t, traceOf(t, run)) {
		if e.Kind == "expire" {
			fires[fmt.Sprint(e.Lane, " ", e.ID, " ", e.Due)] = e.Tick
		}
	}
	return fires
}

// slotsStep is the number of ticks between two checks of the slots.
const slotsStep = 3

// slotsOf returns every slot of a ring that holds timers, after every third tick.
func slotsOf(t *testing.T, run *sim.Run) []slotAsked {
	t.Helper()
	var all []slotAsked
	program := run.Program()
	for tick := int64(0); tick <= program.Until; tick += slotsStep {
		snap, err := run.Seek(t.Context(), sim.EndOf(tick), wheel.AllEntries)
		if err != nil {
			t.Fatal(err)
		}
		for i := range snap.Lanes {
			spec, lane := &program.Scenario.Lanes[i], &snap.Lanes[i]
			var levels [][]int64
			for _, l := range lane.Levels {
				levels = append(levels, []int64{int64(l.Level), int64(l.Slots), l.Width})
			}
			for _, place := range lane.Places {
				if place.Level < 0 {
					continue
				}
				a := slotAsked{Info: map[string]any{"algorithm": spec.Algorithm, "params": spec.Params}, Levels: levels, Level: place.Level, Slot: place.Slot,
					Now: lane.Cost.Clock, Start: program.Start, lane: spec.ID, tick: tick}
				for _, e := range place.Entries {
					if !e.Marked {
						a.Dues, a.ids = append(a.Dues, e.Due-program.Start), append(a.ids, e.ID)
					}
				}
				if len(a.Dues) > 0 {
					all = append(all, a)
				}
			}
		}
	}
	return all
}
