package sim

import (
	"context"

	"github.com/wheelscope/wheelscope/wheel"
)

// LaneResult is what a lane came to over a whole run: a row of `compare`. Early
// and late are numbers of timers, their maxima and the percentile base ticks;
// costs are units of work by the algorithm's own rule.
type LaneResult struct {
	Lane          string `json:"lane"`
	Algorithm     string `json:"algorithm"`
	Fired         int64  `json:"fired"`
	Cancelled     int64  `json:"cancelled"`
	Rejected      int64  `json:"rejected"`
	Early         int64  `json:"early"`
	EarlyMax      int64  `json:"early_max"`
	Late          int64  `json:"late"`
	LateMax       int64  `json:"late_max"`
	LateP99       int64  `json:"late_p99"`
	Cost          int64  `json:"cost"`
	WorstTick     int64  `json:"worst_tick"`    // cost of the dearest tick
	WorstTickAt   int64  `json:"worst_tick_at"` // the first that had it
	BytesPerTimer int64  `json:"bytes_per_timer"`
	Findings      int64  `json:"findings"`

	Work    wheel.Cost `json:"-"` // what Cost is made of
	Pending int64      `json:"-"` // timers still armed at the end
	Repeats bool       `json:"-"` // the workload has timers that run more than once: what fired are runs
}

// Compare runs p to `until` and says what each lane came to, in file order. The
// error is ctx's, or a lane's that can't be built.
func Compare(ctx context.Context, p *Program, o TraceOptions) ([]LaneResult, error) {
	eng, err := NewEngine(p)
	if err != nil {
		return nil, err
	}
	eng.Measure()
	d := &drive{p: p, opts: o, eng: eng}
	if err := d.run(ctx, func([]Record) error { return nil }); err != nil {
		return nil, err
	}
	rows := make([]LaneResult, 0, len(p.Scenario.Lanes))
	for i := range p.Scenario.Lanes {
		rows = append(rows, laneResult(p, i, eng.Lane(i).Stats()))
	}
	return rows, nil
}

func laneResult(p *Program, i int, s LaneStats) LaneResult {
	lane := p.Scenario.Lanes[i]
	r := LaneResult{
		Lane: lane.ID, Algorithm: lane.Algorithm,
		Fired: s.Fired, Cancelled: s.Cancelled, Rejected: s.Rejected,
		Early: s.Early, EarlyMax: s.EarlyMax, Late: s.Late, LateMax: s.LateMax, LateP99: s.LateP99,
		Cost: s.Cost.Total(), WorstTick: s.Worst, WorstTickAt: s.WorstAt, Findings: s.Findings,
		Work: s.Cost, Pending: s.Pending, Repeats: p.repeats(),
	}
	if s.LivePeak > 0 {
		r.BytesPerTimer = (s.BytesPeak + s.LivePeak/2) / s.LivePeak // memory at its peak, rounded to whole bytes
	}
	return r
}
