package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/importer"
)

// contestPath is where a run is held against another, or against a file.
const contestPath = "/api/contest"

// contest holds the lanes of a run against each other and the oracle; or the run
// against another: a run that somebody looked at (`with`), a built-in scenario
// (`scenario`), or the scenario or trace in the body of a POST, called `name`.
func (s *Server) contest(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), compareWait)
	defer cancel()
	file, release, err := s.posted(ctx, c)
	if err != nil {
		return err
	}
	defer release()
	done, err := s.charts.turn(ctx)
	if err != nil {
		return s.badSide(c, err)
	}
	defer done()
	other, err := s.opponent(ctx, c, file)
	if err != nil {
		return err
	}
	sides := append([]sim.Side{{Name: run.Program().Scenario.Name, Program: run.Program()}}, other...)
	met, err := sim.NewContest(ctx, sides, sim.TraceOptions{})
	if err != nil {
		return s.badSide(c, err)
	}
	if c.Request().Method == http.MethodGet {
		keepForRun(c)
	}
	return c.JSON(http.StatusOK, met.Report(s.language(c)))
}

// posted reads the file in the body of a POST. Its bytes are held until release, so few
// are read at a time; it takes no turn to compare, since a sender may be as slow as it likes.
func (s *Server) posted(ctx context.Context, c echo.Context) (file []byte, release func(), err error) {
	if c.Request().Method != http.MethodPost {
		return nil, func() {}, nil
	}
	select {
	case s.sides <- struct{}{}:
		release = func() { <-s.sides }
	case <-ctx.Done():
		return nil, nil, s.badSide(c, ctx.Err())
	}
	if file, err = io.ReadAll(c.Request().Body); err == nil { // bounded by the guard
		return file, release, nil
	}
	release()
	// The time to read is over with the time to write, and this is still to be told.
	http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(requestWait))
	large := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &large):
		return nil, nil, err
	case ctx.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded):
		return nil, nil, s.badSide(c, context.DeadlineExceeded)
	}
	return nil, nil, deny(http.StatusBadRequest, "the body can't be read whole: %s", err.Error())
}

// opponent finds what the run is held against, the file of a POST; none: its lanes
// against each other.
func (s *Server) opponent(ctx context.Context, c echo.Context, file []byte) ([]sim.Side, error) {
	name := clip(c.QueryParam("name"))
	if c.Request().Method == http.MethodPost {
		side, err := importer.OpenSide(ctx, name, file, sim.TraceOptions{})
		if err != nil {
			return nil, s.badSide(c, err)
		}
		return []sim.Side{side}, nil
	}
	if with := c.QueryParam("with"); with != "" {
		run, err := s.runNamed("with", with)
		if err != nil {
			return nil, err
		}
		return []sim.Side{{Name: run.Program().Scenario.Name, Program: run.Program()}}, nil
	}
	if scenario := c.QueryParam("scenario"); scenario != "" {
		p, err := s.books.program(scenario)
		if err != nil {
			return nil, deny(http.StatusNotFound, "scenario: %q is not the name of a scenario here", clip(scenario))
		}
		return []sim.Side{{Name: scenario, Program: p}}, nil
	}
	return nil, nil
}

// badSide answers why a file can't be compared, in one line.
func (s *Server) badSide(c echo.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return notCompared()
	}
	lines, _ := importFaults(err, s.language(c))
	return echo.NewHTTPError(http.StatusUnprocessableEntity, say.Of("%s", strings.Join(lines, "; ")))
}
