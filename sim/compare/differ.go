package compare

import (
	"cmp"
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// MostDifferent runs p and returns the tick in which the costs of its lanes differ most, the first of them if there are
// several.
func MostDifferent(ctx context.Context, p *program.Program) (int64, error) {
	eng, err := engine.NewEngine(p)
	if err != nil {
		return 0, err
	}
	costs := map[int64][]int64{} // by tick and lane
	for i, l := range eng.Lanes {
		l.Bind(ctx)
		for n := 0; l.Err == nil; n++ {
			at, ok := l.NextTick()
			if !ok || n%engine.PauseTicks == 0 && ctx.Err() != nil {
				break
			}
			l.FinishTick(at)
			if costs[at] == nil {
				costs[at] = make([]int64, len(eng.Lanes))
			}
			costs[at][i] = l.TickCost()
		}
		if err := cmp.Or(l.Err, ctx.Err()); err != nil {
			return 0, err
		}
	}
	tick, most := int64(0), int64(0)
	for at, each := range costs {
		if by := slices.Max(each) - slices.Min(each); by > most || by == most && at < tick {
			tick, most = at, by
		}
	}
	return tick, nil
}
