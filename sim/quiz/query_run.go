package quiz

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// laneFigures maps each kind of question about the whole run of one lane to the function that
// returns its answer.
var laneFigures = map[Kind]func(*engine.LaneResult) int64{
	KindTotal:    func(r *engine.LaneResult) int64 { return r.Cost },
	KindWorst:    func(r *engine.LaneResult) int64 { return r.WorstTick },
	KindWorstAt:  func(r *engine.LaneResult) int64 { return r.WorstTickAt },
	KindLate:     func(r *engine.LaneResult) int64 { return r.LateMax },
	KindEarly:    func(r *engine.LaneResult) int64 { return r.EarlyMax },
	KindRejected: func(r *engine.LaneResult) int64 { return r.Rejected },
	KindFired:    func(r *engine.LaneResult) int64 { return r.Fired },
}

// laneExtremes describes the kinds of questions that compare the results of lanes over the whole run.
// figure returns the number by which the lanes are compared, given the result of a lane. The answer is the
// lane with the smallest number if sign is 1, and the lane with the largest number if sign is −1.
var laneExtremes = map[Kind]struct {
	figure func(*engine.LaneResult) int64
	sign   int64
}{
	KindCheapest: {laneFigures[KindTotal], 1}, KindCostliest: {laneFigures[KindTotal], -1},
	KindLowestWorst: {laneFigures[KindWorst], 1}, KindHighestWorst: {laneFigures[KindWorst], -1},
}

// wholeRun reports whether questions of the given kind are about the whole run.
func (a *Quiz) wholeRun(kind Kind) bool {
	_, extreme := laneExtremes[kind]
	return extreme || laneFigures[kind] != nil
}

// results returns the results of all lanes over the whole run.
func (a *Quiz) results(ctx context.Context) ([]engine.LaneResult, error) {
	if a.Results != nil {
		return a.Results(ctx)
	}
	return compare.Lanes(ctx, a.Run.Program(), nil)
}

func (a *Quiz) ofRun(ctx context.Context, q Query) (Answer, error) {
	rows, err := a.results(ctx)
	if err != nil {
		return Answer{}, err
	}
	until := a.Run.Program().Until
	if of := laneFigures[q.Kind]; of != nil {
		lane, err := a.lane(q.Lane)
		if err != nil {
			return Answer{}, err
		}
		see := until
		if q.Kind == KindWorst || q.Kind == KindWorstAt {
			see = rows[lane].WorstTickAt
		}
		return number(of(&rows[lane]), see), nil
	}
	extreme := laneExtremes[q.Kind]
	best, tied := 0, false
	for i := 1; i < len(rows); i++ {
		switch d := extreme.sign * (extreme.figure(&rows[i]) - extreme.figure(&rows[best])); {
		case d < 0:
			best, tied = i, false
		case d == 0:
			tied = true
		}
	}
	if tied {
		return Answer{}, fmt.Errorf("lane: two lanes share the first place: %w", ErrNoAnswer)
	}
	return Answer{Value: rows[best].Lane, See: until}, nil
}
