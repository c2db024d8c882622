package compare

import (
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// PackageTimeLane is the Lane field of the result that [PackageTime] returns.
const PackageTimeLane = "package time"

// PackageTime runs the workload of p on the timers of the Go runtime, the algorithm "go", and returns the result for
// comparison with the lanes of p. It returns nil if p has a lane of that algorithm.
func PackageTime(ctx context.Context, p *program.Program) (*engine.LaneResult, error) {
	const id = "go"
	if slices.ContainsFunc(p.Scenario.Lanes, func(l scenario.LaneSpec) bool { return l.Algorithm == id }) {
		return nil, nil
	}
	q, err := p.WithLanes(scenario.LaneSpec{ID: id, Algorithm: id})
	if err != nil {
		return nil, err
	}
	rows, err := Lanes(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	rows[0].Lane = PackageTimeLane
	return &rows[0], nil
}
