package compare

import (
	"context"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
)

// stalledLanes is a scenario whose lanes are idle during stalls and have no event when a stall
// ends.
const stalledLanes = `{"wheelscope":1,"start":3,"until":60,"lanes":[
	{"algorithm":"list"},{"algorithm":"heap"},{"algorithm":"linux-classic"},{"algorithm":"rounds","slots":8},{"algorithm":"hierarchical","slots":[4,4,4]},
	{"algorithm":"netty","slots":4,"width":2},{"algorithm":"lk668","width":2},{"algorithm":"kafka"}],
	"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":55},{"at":2,"op":"stall","for":9},{"at":20,"op":"stall","for":17},
		{"at":57,"op":"stall","for":30}]}}`

// lateLanes is a scenario whose lanes do nothing at tick 0, except for Redis workers, which poll.
const lateLanes = `{"wheelscope":1,"until":40,"lanes":[{"algorithm":"redis","as":"corrected"},{"id":"published","algorithm":"redis"},{"algorithm":"list"}],
	"workload":{"ops":[{"at":1,"op":"schedule","timer":"a","delay":30},{"at":2,"op":"stall","for":12}]}}`

// unevenLanes is a scenario whose lane polls two and a half times per tick.
const unevenLanes = `{"wheelscope":1,"tick":"250ms","until":40,"lanes":[{"algorithm":"redis","as":"corrected"}],
	"workload":{"ops":[{"at":7,"op":"schedule","timer":"a","delay":40}]}}`

// TestCostliestTick checks that the costliest tick is the same tick by tick, in a jump, in a chart
// and at a cursor. The tick after a stall has the cost of all stalled ticks, and the work of tick
// 0 belongs to tick 0.
func TestCostliestTick(t *testing.T) {
	for name, text := range map[string]string{"stalled": stalledLanes, "late": lateLanes, "uneven": unevenLanes} {
		t.Run(name, func(t *testing.T) { costliestTick(t, plantest.Load(t, text)) })
	}
}

func costliestTick(t *testing.T, p *program.Program) {
	t.Helper()
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := run.Wait(ctx, p.Until); err != nil {
		t.Fatal(err)
	}
	costs, err := TickCosts(ctx, run, 0, p.Until)
	if err != nil {
		t.Fatal(err)
	}
	end, err := run.Seek(ctx, sim.EndOf(p.Until), 0)
	if err != nil {
		t.Fatal(err)
	}
	chart := chartOf(t, p)
	for i, row := range compareRows(t, p) {
		worst := slices.Max(costs[i])
		at := int64(slices.Index(costs[i], worst))
		if row.WorstTick != worst || row.WorstTickAt != at {
			t.Errorf("%s: compare says %d at %d, tick by tick it is %d at %d", row.Lane, row.WorstTick, row.WorstTickAt, worst, at)
		}
		if got := chart.Lanes[i].Worst; !slices.Equal(got, costs[i]) { // each bucket is one tick
			t.Errorf("%s: the chart says\n%d, tick by tick it is\n%d", row.Lane, got, costs[i])
		}
		if got := end.Lanes[i].Cost; got.Worst != worst || got.WorstAt != at {
			t.Errorf("%s: the result is %d at %d, tick by tick it is %d at %d", row.Lane, got.Worst, got.WorstAt, worst, at)
		}
	}
}
