package engine

import (
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// LaneResult is the result of a lane over a complete run. The command "wheelscope compare" prints a row for each
// LaneResult. Early and Late count timer runs. EarlyMax, LateMax and LateP99, the 99th percentile of the
// lateness, are in base ticks. Costs are in units of work, counted by the algorithm's own counting rule.
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
	WorstTick     int64  `json:"worst_tick"`    // cost of the costliest tick
	WorstTickAt   int64  `json:"worst_tick_at"` // first tick whose cost was WorstTick
	BytesPerTimer int64  `json:"bytes_per_timer"`
	Findings      int64  `json:"findings"`
	Operations    int64  `json:"operations"`  // operations of the workload, and runs that fired
	PassedOver    int64  `json:"passed_over"` // timers read or compared besides those scheduled, cancelled, fired or moved
	Ticks         int64  `json:"ticks"`       // ticks in which the lane had events
	Bytes         int64  `json:"bytes"`       // memory of the wheel when the most timers were pending

	Work    wheel.Cost `json:"-"` // cost by kind of work; the total is Cost
	Pending int64      `json:"-"` // number of timers pending at the end of the run
	Repeats bool       `json:"-"` // whether the workload has a repeating timer; Fired is then a number of runs, not of timers
}

// ResultOf returns the result of lane i of program p. s is the summary of the lane at the end of the run.
func ResultOf(p *program.Program, i int, s LaneStats) LaneResult {
	lane := p.Scenario.Lanes[i]
	r := LaneResult{
		Lane: lane.ID, Algorithm: lane.Algorithm,
		Fired: s.Fired, Cancelled: s.Cancelled, Rejected: s.Rejected,
		Early: s.Early, EarlyMax: s.EarlyMax, Late: s.Late, LateMax: s.LateMax, LateP99: s.LateP99,
		Cost: s.Cost.Total(), WorstTick: s.Worst, WorstTickAt: s.WorstAt, Findings: s.Findings,
		Operations: s.Operations, PassedOver: s.PassedOver, Ticks: s.Ticks, Bytes: s.BytesPeak,
		Work: s.Cost, Pending: s.Pending, Repeats: p.Repeats(),
	}
	if s.LivePeak > 0 {
		r.BytesPerTimer = (s.BytesPeak + s.LivePeak/2) / s.LivePeak // memory at its peak, rounded to whole bytes
	}
	return r
}
