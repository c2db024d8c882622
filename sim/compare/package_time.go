package compare

import (
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// PackageTimeLane is the Lane field of the result that [PackageTime] returns.
const PackageTimeLane = "package time"

// PackageTime runs the workload of p on the timers of the Go runtime, the algorithm "go", and returns the result for
// comparison with the lanes of p. It returns false if p has a lane of that algorithm.
func PackageTime(ctx context.Context, p *program.Program) (engine.LaneResult, bool, error) {
	const id = "go"
	a, ok := algorithms.Lookup(id)
	if !ok || slices.ContainsFunc(p.Scenario.Lanes, func(l scenario.LaneSpec) bool { return l.Algorithm == id }) {
		return engine.LaneResult{}, false, nil
	}
	params, err := a.Fill(nil)
	if err != nil {
		return engine.LaneResult{}, false, err
	}
	s := *p.Scenario
	s.Lanes = []scenario.LaneSpec{{ID: id, Algorithm: id, Params: params}}
	q, err := program.Plan(&s)
	if err != nil {
		return engine.LaneResult{}, false, err
	}
	rows, err := Lanes(ctx, q, nil)
	if err != nil {
		return engine.LaneResult{}, false, err
	}
	rows[0].Lane = PackageTimeLane
	return rows[0], true, nil
}
