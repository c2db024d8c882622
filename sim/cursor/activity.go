package cursor

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// FlowsMax is the maximum number of flows that Activity counts for a lane. A flow is a pair of slots between which
// timers have cascaded. If there are more pairs, adjacent slots are grouped and counted together.
const FlowsMax = 512

// RowsMax is the maximum number of events, of all lanes together, that Activity lists one by one.
const RowsMax = 1000

// LaneActivity counts what one lane did up to a position in a tick. If the position is the end of the tick
// and the last step is not an operation, the counts cover the whole tick. Otherwise they cover only the last
// step.
type LaneActivity struct {
	Cost   int64                 // cost in units of work; includes Moves and Timers
	Moves  int64                 // number of timers moved between places
	Timers int64                 // number of timers touched
	Kinds  [wheel.NumKinds]int64 // number of events of each kind, indexed by wheel.Kind
	First  []engine.Record       // first counted event of each kind, in the order of the run
	Seqs   []int64               // Seqs[i] is the number of First[i] among the events of the run
	// Rows holds the lane's events in the last step or, at the end of the tick, in the whole tick. It is nil if
	// all lanes together have more than RowsMax such events.
	Rows []engine.Record
	At   []int64 // At[i] is the number of Rows[i] among the events of the run
	// Flows counts the lane's cascades in the last step or, at the end of the tick, in the whole tick. Each Flow
	// counts the cascades between two slots or, if there are too many pairs of slots, between two groups of
	// adjacent slots. Flows is set even if Rows is nil.
	Flows  []Flow
	flowAt map[Flow]int // index of each flow in Flows, keyed by the flow with Count set to 0
	group  uint         // 1<<group adjacent slots of a level are counted together in Flows
}

// Flow counts the timers that cascaded from one slot to another. If adjacent slots are counted together,
// FromSlot and ToSlot are the first slots of their groups.
type Flow struct {
	FromLevel, ToLevel int8
	FromSlot, ToSlot   uint32
	Count              int64
}

// Activity returns the activity of each lane of r in the tick of at, up to at. c is the chunk that contains event at.Seq;
// it may be nil if at.Seq is 0. costs holds the costs of the lanes at that position. If more than max events would have
// to be counted, Activity returns nil and no error. If Rows and Flows would have to cover more than max events, they
// cover only the events that are counted.
func Activity(ctx context.Context, r *sim.Run, c *sim.Chunk, at sim.Position, costs []engine.LaneCost, max int64) ([]LaneActivity, error) {
	lanes := make([]LaneActivity, len(costs))
	for i := range lanes {
		lanes[i].Cost = costs[i].Tick
	}
	if at.Seq == 0 || c.At(at.Seq).Tick < at.Tick { // nothing happened at tick
		return lanes, nil
	}
	from, shown, err := activityFrom(ctx, r, c, at, lanes, costs)
	if err != nil {
		return nil, err
	}
	if at.Seq-from > max {
		return nil, nil
	}
	if at.Seq-shown > max {
		shown = from
	}
	listed := at.Seq-shown <= RowsMax
	for seq := shown + 1; seq <= at.Seq; seq++ {
		rec := &c.Records[seq-c.First]
		l := &lanes[rec.Lane]
		if seq > from {
			l.count(rec, seq)
		}
		l.show(rec, seq, listed)
	}
	for i := range lanes {
		l := &lanes[i]
		l.Moves = min(l.Moves, l.Cost)
		l.Timers = min(l.Timers, l.Cost-l.Moves)
	}
	return lanes, nil
}

// activityFrom determines where the counts of Activity begin if they end at the position at. It returns
// the numbers of two events: the counts cover the events after from, and LaneActivity.Rows and Flows those after
// shown. Usually, from and shown are the last event before the step that contains event at.Seq. At the end of the
// tick, shown is the last event before the tick, and so is from unless the step is an operation. If the
// counts cover only one step, activityFrom also sets the Cost of each lane to the cost of that step.
func activityFrom(ctx context.Context, r *sim.Run, c *sim.Chunk, at sim.Position, lanes []LaneActivity, costs []engine.LaneCost) (from, shown int64, err error) {
	before, _ := c.Step(at.Seq)
	shown = before
	if at.Whole {
		first, _ := c.Tick(at.Tick)
		shown = c.First - 1 + first
		if !c.Records[before+1-c.First].BeginsOperation() {
			return shown, shown, nil
		}
	}
	var began []engine.LaneCost
	if c.Has(before) {
		began = c.CostsAt(before)
	} else if began, err = r.Costs(ctx, sim.After(before)); err != nil {
		return 0, 0, err
	}
	for i := range lanes { // the cost since the end of the previous step may include that of empty ticks before this one
		lanes[i].Cost = min(costs[i].Total-began[i].Total, costs[i].Tick)
	}
	return before, shown, nil
}

// count adds event r, whose number in the run is seq, to l.Kinds, l.Moves and l.Timers. If r is the first event of its
// kind, count also appends it to l.First.
func (l *LaneActivity) count(r *engine.Record, seq int64) {
	if l.Kinds[r.Kind]++; l.Kinds[r.Kind] == 1 {
		l.First = append(l.First, *r)
		l.Seqs = append(l.Seqs, seq)
	}
	left := r.FromLevel != wheel.NoLevel
	switch r.Kind {
	case wheel.KindSchedule, wheel.KindCancel, wheel.KindMark:
		l.Timers++
	case wheel.KindCascade:
		l.Timers++
		l.Moves++
	case wheel.KindMove:
		l.Moves++
	case wheel.KindPlace:
		if left {
			l.Timers++
			l.Moves++
		}
	case wheel.KindExpire, wheel.KindSweep: // what expires at once was touched when it was scheduled
		if left {
			l.Timers++
		}
	case wheel.KindHand:
		l.Timers += int64(r.Before)
	}
}

// show adds event r to l.Flows if r is a cascade, and to l.Rows if listed is true. seq is the number of r in the run.
func (l *LaneActivity) show(r *engine.Record, seq int64, listed bool) {
	if r.Kind == wheel.KindCascade {
		l.flow(r)
	}
	if listed {
		l.Rows, l.At = append(l.Rows, *r), append(l.At, seq)
	}
}

// flow adds cascade r to the flow between its two slots. As long as there are more than FlowsMax flows, it
// doubles the number of adjacent slots that are counted together.
func (l *LaneActivity) flow(r *engine.Record) {
	l.addFlow(Flow{FromLevel: r.FromLevel, FromSlot: r.FromSlot, ToLevel: r.ToLevel, ToSlot: r.ToSlot, Count: 1})
	for len(l.Flows) > FlowsMax {
		all := l.Flows
		l.Flows, l.flowAt = nil, nil
		l.group++
		for _, f := range all {
			l.addFlow(f)
		}
	}
}

// addFlow adds f.Count to the flow between the groups of adjacent slots that contain f.FromSlot and f.ToSlot.
func (l *LaneActivity) addFlow(f Flow) {
	n := f.Count
	f.FromSlot, f.ToSlot, f.Count = f.FromSlot>>l.group<<l.group, f.ToSlot>>l.group<<l.group, 0
	at, ok := l.flowAt[f]
	if !ok {
		if l.flowAt == nil {
			l.flowAt = map[Flow]int{}
		}
		at = len(l.Flows)
		l.flowAt[f] = at
		l.Flows = append(l.Flows, f)
	}
	l.Flows[at].Count += n
}
