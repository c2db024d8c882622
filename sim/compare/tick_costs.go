package compare

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// CostTicksMax bounds the number of ticks of one call of TickCosts.
const CostTicksMax = 128

// TickCosts returns, for each lane of run r in file order, the costs of the ticks from `from` to `to` inclusive,
// at most CostTicksMax of them. It waits until they are computed. An invalid range is a *scenario.InputError.
func TickCosts(ctx context.Context, r *sim.Run, from, to int64) ([][]int64, error) {
	p := r.Program()
	if from < 0 || to < from || to-from >= CostTicksMax || to > p.Until {
		return nil, scenario.Fault("from, to", "%d to %d; expected a range of 1 to %d ticks in a run that ends at %d", from, to, CostTicksMax, p.Until)
	}
	lanes := make([][]int64, len(p.Scenario.Lanes))
	for tick := from; tick <= to; tick++ {
		costs, err := r.CostsAfter(ctx, tick)
		if err != nil {
			return nil, err
		}
		for i := range costs {
			lanes[i] = append(lanes[i], costs[i].Tick)
		}
	}
	return lanes, nil
}
