package compare

import (
	"context"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Lanes runs p up to p.Until and returns the result of each lane, in the order of the scenario file. The
// options o are those of engine.Engine.Drive, which runs p. Lanes returns an error if a lane cannot be built
// or run, or if ctx is done.
func Lanes(ctx context.Context, p *program.Program, o engine.DriveOptions) ([]engine.LaneResult, error) {
	eng, err := engine.NewEngine(p)
	if err != nil {
		return nil, err
	}
	eng.Measure()
	if err := eng.Drive(ctx, o, func([]engine.Record) error { return nil }); err != nil {
		return nil, err
	}
	rows := make([]engine.LaneResult, 0, len(p.Scenario.Lanes))
	for i := range p.Scenario.Lanes {
		rows = append(rows, engine.ResultOf(p, i, eng.Lane(i).Stats()))
	}
	return rows, nil
}
