package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/wheel"
)

// Questions about a run are answered over HTTP on the request's goroutine, so that no session waits
// for them: the current step and the next, the last events, and the events of one timer. They are
// described in docs/MESSAGES.md.

// tellStep sends the first events of the step after event `seq`.
func (s *Server) tellStep(c echo.Context) error {
	return s.answer(c, func(ctx context.Context, run *sim.Run) (any, error) {
		seq, err := queryInteger(c, "seq", 0)
		if err != nil {
			return nil, err
		}
		return api.NextStep(ctx, run, seq)
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
		if err != nil {
			return nil, err
		}
		return api.LastEvents(ctx, run, seq, n)
	})
}

// tellLife sends the events of one timer.
func (s *Server) tellLife(c echo.Context) error {
	return s.answer(c, func(ctx context.Context, run *sim.Run) (any, error) {
		id, err := queryInteger(c, "id", 1)
		if err != nil {
			return nil, err
		}
		return api.TimerHistory(ctx, run, id)
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
		return api.NotComputed()
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
