package quiz

import (
	"context"
	"fmt"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// laneFigures maps the kinds of questions about the whole run of one lane to the figure that they ask for.
var laneFigures = map[AskKind]func(*engine.LaneResult) int64{
	AskTotal:    func(r *engine.LaneResult) int64 { return r.Cost },
	AskWorst:    func(r *engine.LaneResult) int64 { return r.WorstTick },
	AskWorstAt:  func(r *engine.LaneResult) int64 { return r.WorstTickAt },
	AskLate:     func(r *engine.LaneResult) int64 { return r.LateMax },
	AskEarly:    func(r *engine.LaneResult) int64 { return r.EarlyMax },
	AskRejected: func(r *engine.LaneResult) int64 { return r.Rejected },
	AskFired:    func(r *engine.LaneResult) int64 { return r.Fired },
}

// laneContests maps the kinds of questions that ask for a lane to the figure by which it is chosen.
// The lane has the least of that figure if sign is 1, and the greatest if it is −1.
var laneContests = map[AskKind]struct {
	of   func(*engine.LaneResult) int64
	sign int64
}{
	AskCheapest: {laneFigures[AskTotal], 1}, AskCostliest: {laneFigures[AskTotal], -1},
	AskLowestWorst: {laneFigures[AskWorst], 1}, AskHighestWorst: {laneFigures[AskWorst], -1},
}

// wholeRun reports whether a kind of question is about the whole run.
func (a *Asker) wholeRun(kind AskKind) bool {
	_, contest := laneContests[kind]
	return contest || laneFigures[kind] != nil
}

// results returns the results of all lanes over the whole run.
func (a *Asker) results(ctx context.Context) ([]engine.LaneResult, error) {
	if a.Results != nil {
		return a.Results(ctx)
	}
	return compare.Lanes(ctx, a.Run.Program(), engine.DriveOptions{})
}

func (a *Asker) ofRun(ctx context.Context, q Ask) (Answer, error) {
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
		if q.Kind == AskWorst || q.Kind == AskWorstAt {
			see = rows[lane].WorstTickAt
		}
		return number(of(&rows[lane]), see), nil
	}
	contest := laneContests[q.Kind]
	best, tied := 0, false
	for i := 1; i < len(rows); i++ {
		switch d := contest.sign * (contest.of(&rows[i]) - contest.of(&rows[best])); {
		case d < 0:
			best, tied = i, false
		case d == 0:
			tied = true
		}
	}
	if tied {
		return Answer{}, fmt.Errorf("lane: two lanes share the first place: %w", ErrNoAnswer)
	}
	return Answer{Values: []string{rows[best].Lane}, See: until}, nil
}
