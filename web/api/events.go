package api

import (
	"context"
	"math"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// EventRows is the part that all answers about events have in common. Events is a list of rows, one per event, and
// Names lists the timers in them. Both have the form that docs/MESSAGES.md defines for the "delta" message.
type EventRows struct {
	Events jsontext.Value `json:"events"`
	Names  jsontext.Value `json:"names"`
}

// TimerEvents is the answer to a request for /api/life: the events of one timer in all lanes.
type TimerEvents struct {
	ID uint32 `json:"id"`
	EventRows
	Until int64 `json:"until"` // last tick whose events were searched
	Whole bool  `json:"whole"` // whether the history of the timer is complete; if false, more events may follow
}

// NextStep returns the events of the step of run that follows event seq, but no more than the first NextEventsMax
// events.
func NextStep(ctx context.Context, run *sim.Run, seq int64) (*EventRows, error) {
	next, err := run.StepFrom(ctx, seq, NextEventsMax)
	if err != nil {
		return nil, err
	}
	return rowsOf(run.Program(), next), nil
}

// LastEvents returns the last n events of run up to event seq. It returns an error if n exceeds RecentEventsMax.
func LastEvents(ctx context.Context, run *sim.Run, seq, n int64) (*EventRows, error) {
	if n > RecentEventsMax {
		return nil, texts.Errorf(texts.Invalid, "n", "%d is not %s", n, scenario.Between(1, RecentEventsMax))
	}
	last, err := run.Recent(ctx, seq, int(n))
	if err != nil {
		return nil, err
	}
	return rowsOf(run.Program(), last), nil
}

// TimerHistory returns the events of the timer with the given ID in all lanes of run, but no more than the first
// LifeEventsMax events.
func TimerHistory(ctx context.Context, run *sim.Run, id int64) (*TimerEvents, error) {
	if id > math.MaxUint32 {
		return nil, texts.Errorf(texts.Invalid, "id", "%d is not a timer of this run, which has %d", id, run.Program().Timers())
	}
	life, err := cursor.TimerHistoryOf(ctx, run, uint32(id), LifeEventsMax)
	if err != nil {
		return nil, err
	}
	w := newRowWriter(run.Program())
	for i := range life.Records {
		w.add(&life.Records[i], life.Seqs[i], 0)
	}
	return &TimerEvents{uint32(id), *w.answer(), life.Until, life.Whole}, nil
}

// rowsOf returns the events in s as rows, in the form of [EventRows]. p is the program of the run that contains the
// events.
func rowsOf(p *program.Program, s *sim.EventRange) *EventRows {
	w := newRowWriter(p)
	spent := make([]int64, len(p.Scenario.Lanes))
	for i := range s.Lanes {
		spent[i] = s.Lanes[i].Total
	}
	for i := range s.Records {
		r := &s.Records[i]
		w.add(r, s.From+1+int64(i), r.Cost-spent[r.Lane])
		spent[r.Lane] = r.Cost
	}
	return w.answer()
}

// rowWriter collects rows and the names of the timers in them.
type rowWriter struct {
	start int64  // start tick of the scenario
	rows  []byte // rows as a JSON list without the closing bracket
	names protocol.NameTable
}

func newRowWriter(p *program.Program) *rowWriter {
	return &rowWriter{start: p.Start, rows: []byte{'['}, names: protocol.NewNameTable(p)}
}

// add appends a row for record r, which is event number seq. spent, the last element of the row, is the cost of
// the lane since its previous record, or 0 if the caller does not know it.
func (w *rowWriter) add(r *engine.Record, seq, spent int64) {
	w.names.MentionRecord(r, w.start)
	if r.Kind != wheel.KindHand { // its Before is a count
		w.names.Mention(r.Before, 0, false)
	}
	w.rows = protocol.AppendRow(protocol.Comma(w.rows), r, seq, w.start, spent)
}

// answer returns the rows that add has appended, and the names of the timers in them. add must not be called
// afterwards.
func (w *rowWriter) answer() *EventRows {
	names := append(append([]byte{'['}, w.names.List...), ']')
	return &EventRows{append(w.rows, ']'), names}
}
