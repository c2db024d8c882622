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
	"github.com/wheelscope/wheelscope/wheel"
)

// Questions about a run, answered over HTTP on the request's own goroutine, so
// that no session waits for them: which step this is and what the next one is, the
// last events, one timer's life. docs/MESSAGES.md has them.

// tellAnswer is what every question is answered with: ROWS and the names of the
// timers in them, as in a delta.
type tellAnswer struct {
	Events json.RawMessage `json:"events"`
	Names  json.RawMessage `json:"names"`
}

// lifeAnswer is what happened to one timer, in every lane.
type lifeAnswer struct {
	ID uint32 `json:"id"`
	tellAnswer
	Until int64 `json:"until"` // the tick up to which was looked
	Whole bool  `json:"whole"` // nothing more happens to it
}

// tellStep answers what comes next: the first events of the step after an event.
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

// tellEvents answers with the last events at a cursor.
func (s *Server) tellEvents(c echo.Context) error {
	return s.answer(c, func(ctx context.Context, run *sim.Run) (any, error) {
		seq, err := queryInteger(c, "seq", 0)
		if err != nil {
			return nil, err
		}
		n, err := queryInteger(c, "n", 1)
		if err == nil && n > RecentEventsMax {
			err = refuse("n", "%d is not %s", n, fmt.Sprintf("a whole number between 1 and %d", RecentEventsMax))
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

// tellLife answers with a timer's life.
func (s *Server) tellLife(c echo.Context) error {
	return s.answer(c, func(ctx context.Context, run *sim.Run) (any, error) {
		id, err := queryInteger(c, "id", 1)
		if err == nil && id > math.MaxUint32 {
			err = refuse("id", "%d is not a timer of this run, which has %d", id, run.Program().Timers())
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

// answer finds the run, asks, and sends what came or one line on why not.
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
		return echo.NewHTTPError(http.StatusBadRequest, userError(err, s.language(c)).Error())
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, a)
}

// queryInteger reads a whole number of the address that must be there.
func queryInteger(c echo.Context, name string, least int64) (int64, error) {
	text := c.QueryParam(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > int64(wheel.TickMax) {
		return 0, refuse(name, "%q is not a whole number, %d or more", clip(text), least)
	}
	return n, nil
}

// rowsOf gives the rows of a stretch.
func rowsOf(p *sim.Program, s *sim.Stretch) tellAnswer {
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

// rowWriter writes rows and the names that they need.
type rowWriter struct {
	start int64
	rows  []byte
	names nameBook
}

func newRowWriter(p *sim.Program) *rowWriter {
	return &rowWriter{start: p.Start, rows: []byte{'['}, names: newNameBook(p)}
}

// add writes a record whose lane spent so much since its row before.
func (w *rowWriter) add(r *sim.Record, seq, spent int64) {
	w.names.mention(r.ID, r.Due-w.start, tellsDue(r.Kind))
	if r.Kind != wheel.KindHand { // whose Before is a count
		w.names.mention(r.Before, 0, false)
	}
	w.rows = appendRow(comma(w.rows), r, seq, w.start, spent)
}

func (w *rowWriter) answer() tellAnswer {
	names := append(append([]byte{'['}, w.names.list...), ']')
	return tellAnswer{append(w.rows, ']'), names}
}
