package compare

import (
	"context"
	"strings"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
)

// recordSource is a source of the records of one side of a comparison. It returns them tick by
// tick.
type recordSource interface {
	// next returns the next tick to pass to recordsAt, and true. The tick may have no records. If
	// there are no more ticks, next returns false.
	next() (int64, bool)
	// recordsAt returns the records of tick t. They are valid until the next call to recordsAt.
	recordsAt(t int64) ([]engine.Record, error)
	// line returns element i of the slice last returned by recordsAt, as a trace line.
	line(i int) string
	// results returns the result of every lane. It must not be called before next has returned false.
	results() []engine.LaneResult
}

// runSource provides the records of one side of a comparison by running its program.
type runSource struct {
	eng  *engine.Engine
	recs []engine.Record
	seq  int64 // number of events in the run before those in recs
}

func newRunSource(ctx context.Context, s *Side) (*runSource, error) {
	eng, err := engine.NewEngine(s.Program)
	if err != nil {
		return nil, err
	}
	eng.Measure()
	eng.Bind(ctx)
	return &runSource{eng: eng}, nil
}

func (r *runSource) next() (int64, bool) { return r.eng.Next() }

func (r *runSource) recordsAt(t int64) ([]engine.Record, error) {
	r.seq += int64(len(r.recs))
	r.recs = r.eng.Tick(t, r.recs[:0])
	return r.recs, r.eng.Err()
}

func (r *runSource) line(i int) string {
	e := tracefile.NewLineEncoder(r.eng.Program)
	e.Seq = r.seq + int64(i)
	return strings.TrimSuffix(string(e.Append(nil, &r.recs[i])), "\n")
}

func (r *runSource) results() []engine.LaneResult {
	r.eng.Finish()
	rows := make([]engine.LaneResult, 0, len(r.eng.Lanes))
	for i := range r.eng.Lanes {
		rows = append(rows, engine.ResultOf(r.eng.Program, i, r.eng.Lane(i).Stats()))
	}
	return rows
}

// runsOf holds the number of the current run of each repeating timer of a lane, keyed by timer ID. It is
// needed because cancel events do not contain run numbers.
type runsOf map[uint32]uint32

// outcome returns the outcome that event r reports for a run of a timer: the timer fires, is rejected or is cancelled.
// A mark event counts as a cancel, because the timer will not fire. For any other event, outcome returns false.
// outcome takes the numbers of runs from schedule events, so it must be called for all events of the lane, in order.
func (runs runsOf) outcome(r *engine.Record) (engine.Outcome, bool) {
	switch r.Kind {
	case wheel.KindSchedule:
		if r.Run > 1 {
			runs[r.ID] = r.Run
		}
	case wheel.KindExpire, wheel.KindReject:
		run := max(r.Run, runs[r.ID], 1)
		if r.Kind == wheel.KindExpire {
			run = max(r.Run, 1)
		}
		return engine.Outcome{Kind: r.Kind, ID: r.ID, Run: run}, true
	case wheel.KindCancel, wheel.KindMark:
		return engine.Outcome{Kind: wheel.KindCancel, ID: r.ID, Run: max(runs[r.ID], 1)}, true
	}
	return engine.Outcome{}, false
}
