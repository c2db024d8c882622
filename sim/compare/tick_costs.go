package compare

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// CostTicksMax is the maximum number of ticks for which one call to TickCosts returns costs.
const CostTicksMax = 128

// TickCosts returns the cost of each tick in [from, to], for each lane of run r. The result is indexed by lane,
// then by tick minus from. TickCosts waits until these ticks have been computed. It returns a
// *scenario.InputError if the range is invalid or has more than CostTicksMax ticks.
func TickCosts(ctx context.Context, r *sim.Run, from, to int64) ([][]int64, error) {
	p := r.Program()
	if from < 0 || to < from || to-from >= CostTicksMax || to > p.Until {
		return nil, scenario.Fault("from, to", "%d to %d; expected a range of 1 to %d ticks in a run that ends at %d", from, to, CostTicksMax, p.Until)
	}
	lanes := make([][]int64, len(p.Scenario.Lanes))
	for tick := from; tick <= to; tick++ {
		costs, err := r.Costs(ctx, sim.EndOf(tick))
		if err != nil {
			return nil, err
		}
		for i := range costs {
			lanes[i] = append(lanes[i], costs[i].Tick)
		}
	}
	return lanes, nil
}
