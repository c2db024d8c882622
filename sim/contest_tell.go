package sim

import (
	"context"
	"strings"

	"github.com/wheelscope/wheelscope/wheel"
)

// teller gives the records of a side of a contest, tick by tick.
type teller interface {
	// next is the next tick at which there are records or work; false at the end.
	next() (int64, bool)
	// tell gives the records of that tick; they are valid until the next call.
	tell(t int64) ([]Record, error)
	// line is record i of those told last, as its trace has it.
	line(i int) string
	// results is what every lane came to, once next has said false.
	results() []LaneResult
}

// runTeller tells what a program gives.
type runTeller struct {
	eng  *Engine
	recs []Record
	seq  int64 // of the event before recs
}

func newRunTeller(ctx context.Context, p *Program) (*runTeller, error) {
	eng, err := NewEngine(p)
	if err != nil {
		return nil, err
	}
	eng.Measure()
	eng.Bind(ctx)
	return &runTeller{eng: eng}, nil
}

func (r *runTeller) next() (int64, bool) { return r.eng.Next() }

func (r *runTeller) tell(t int64) ([]Record, error) {
	r.seq += int64(len(r.recs))
	r.recs = r.eng.Tick(t, r.recs[:0])
	return r.recs, r.eng.Err()
}

func (r *runTeller) line(i int) string {
	e := newLineEncoder(r.eng.prog)
	e.seq = r.seq + int64(i)
	return strings.TrimSuffix(string(e.append(nil, &r.recs[i])), "\n")
}

func (r *runTeller) results() []LaneResult {
	r.eng.Finish()
	rows := make([]LaneResult, 0, len(r.eng.lanes))
	for i := range r.eng.lanes {
		rows = append(rows, laneResult(r.eng.prog, i, r.eng.Lane(i).Stats()))
	}
	return rows
}

// runsOf follows which run of each repeating timer a lane waits for: a cancel does
// not tell it.
type runsOf map[uint32]uint32

// outcome is what a record means for its timer; false where it decides nothing. A
// mark is a cancel: the timer is as good as gone.
func (runs runsOf) outcome(r *Record) (outcome, bool) {
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
		return outcome{r.Kind, r.ID, run}, true
	case wheel.KindCancel, wheel.KindMark:
		return outcome{wheel.KindCancel, r.ID, max(runs[r.ID], 1)}, true
	}
	return outcome{}, false
}
