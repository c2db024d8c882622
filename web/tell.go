package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/wheel"
)

// Questions about a run are answered over HTTP on the request's goroutine, so that no session waits
// for them: the current step and the next, the last events, and the events of one timer. They are
// described in docs/MESSAGES.md.

// tellAnswer is the answer to every question: ROWS and the names of the timers in them, as in a
// delta.
type tellAnswer struct {
	Events json.RawMessage `json:"events"`
	Names  json.RawMessage `json:"names"`
}

// lifeAnswer is the history of one timer in every lane.
type lifeAnswer struct {
	ID uint32 `json:"id"`
	tellAnswer
	Until int64 `json:"until"` // the last tick searched
	Whole bool  `json:"whole"` // no more events follow
}

// tellStep sends the first events of the step after event `seq`.
func (s *Server) tellStep(c echo.Context) error {
	return s.answer(c, func(ctx context.Context, run *sim.Run) (any, error) {
		seq, err := queryInteger(c, "seq", 0)
		if err != nil {
			return nil, err
		}
		next, err := run.StepFrom(ctx, seq, NextEventsMax)
		if err != nil {
			return nil, err
		}
		return rowsOf(run.Program(), next), nil
	})
}

// tellEvents sends the last `n` events up to `seq`.
func (s *Server) tellEvents(c echo.Context) error {
	return s.answer(c, func(ctx context.Context, run *sim.Run) (any, error) {
		seq, err := queryInteger(c, "seq", 0)
		if err != nil {
			return nil, err
		}
		n, err := queryInteger(c, "n", 1)
		if err == nil && n > RecentEventsMax {
			err = usererr.New("n", "%d is not %s", n, fmt.Sprintf("a whole number between 1 and %d", RecentEventsMax))
		}
		if err != nil {
			return nil, err
		}
		last, err := run.Recent(ctx, seq, int(n))
		if err != nil {
			return nil, err
		}
		return rowsOf(run.Program(), last), nil
	})
}

// tellLife sends the events of one timer.
func (s *Server) tellLife(c echo.Context) error {
	return s.answer(c, func(ctx context.Context, run *sim.Run) (any, error) {
		id, err := queryInteger(c, "id", 1)
		if err == nil && id > math.MaxUint32 {
			err = usererr.New("id", "%d is not a timer of this run, which has %d", id, run.Program().Timers())
		}
		if err != nil {
			return nil, err
		}
		life, err := run.LifeOf(ctx, uint32(id), LifeEventsMax)
		if err != nil {
			return nil, err
		}
		w := newRowWriter(run.Program())
		for i := range life.Records {
			w.add(&life.Records[i], life.Seqs[i], 0)
		}
		return lifeAnswer{uint32(id), w.answer(), life.Until, life.Whole}, nil
	})
}

// answer calls ask with the run and sends the result, or the error in one line.
func (s *Server) answer(c echo.Context, ask func(context.Context, *sim.Run) (any, error)) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), tellWait)
	defer cancel()
	a, err := ask(ctx, run)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return notComputed()
	case err != nil:
		return echo.NewHTTPError(http.StatusBadRequest, usererr.Describe(err, s.language(c)).Error())
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, a)
}

// queryInteger parses a required parameter of the URL, an integer from least to wheel.TickMax.
func queryInteger(c echo.Context, name string, least int64) (int64, error) {
	text := c.QueryParam(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > int64(wheel.TickMax) {
		return 0, usererr.New(name, "%q is not a whole number, %d or more", usererr.Clip(text), least)
	}
	return n, nil
}

// rowsOf returns the rows of a range of events.
func rowsOf(p *program.Program, s *sim.Stretch) tellAnswer {
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

// rowWriter writes rows and the names that they mention.
type rowWriter struct {
	start int64
	rows  []byte
	names nameBook
}

func newRowWriter(p *program.Program) *rowWriter {
	return &rowWriter{start: p.Start, rows: []byte{'['}, names: newNameBook(p)}
}

// add writes a record. spent is the cost of its lane since its previous row.
func (w *rowWriter) add(r *engine.Record, seq, spent int64) {
	w.names.mention(r.ID, r.Due-w.start, tellsDue(r.Kind))
	if r.Kind != wheel.KindHand { // its Before is a count
		w.names.mention(r.Before, 0, false)
	}
	w.rows = appendRow(comma(w.rows), r, seq, w.start, spent)
}

func (w *rowWriter) answer() tellAnswer {
	names := append(append([]byte{'['}, w.names.list...), ']')
	return tellAnswer{append(w.rows, ']'), names}
}
