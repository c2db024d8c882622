package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

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
	file, release, err := s.posted(c)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := context.WithTimeout(c.Request().Context(), compareWait)
	defer cancel()
	done, err := s.charts.turn(ctx)
	if err != nil {
		return s.badSide(c, err)
	}
	defer done()
	ctx, leave, err := s.books.store.Queue().Enter(ctx)
	if err != nil {
		return s.badSide(c, err)
	}
	defer leave()
	plan, planned := s.books.store.Planning(ctx)
	defer planned()
	other, err := s.opponent(ctx, c, file, plan)
	if err != nil {
		return err
	}
	sides := append([]sim.Side{{Name: run.Program().Scenario.Name, Program: run.Program()}}, other...)
	ctx, ended, err := s.work(ctx, contestBytes(sides))
	if err != nil {
		return err
	}
	defer ended()
	met, err := sim.NewContest(ctx, sides, sim.TraceOptions{})
	if err != nil {
		return s.badSide(c, err)
	}
	if c.Request().Method == http.MethodGet {
		keepForRun(c)
	}
	return c.JSON(http.StatusOK, met.Report(s.language(c)))
}

// contestBytes is the memory that a comparison of sides takes: an engine of each, and
// the records of a tick.
func contestBytes(sides []sim.Side) (n int64) {
	const recordBytes = 100 // of a record, and of what is noted of it
	for i := range sides {
		p := sides[i].Program
		e := p.Estimate()
		n += engineBytes(p) + recordBytes*min(e.Events, e.TickEvents*int64(len(p.Scenario.Lanes)))
	}
	return n
}

// posted reads the file in the body of a POST. Its bytes are in memory until release, so
// few are read at a time, when they have arrived completely.
func (s *Server) posted(c echo.Context) (file []byte, release func(), err error) {
	if c.Request().Method != http.MethodPost {
		return nil, func() {}, nil
	}
	body, err := s.bodies.receive(c)
	if err != nil {
		return nil, nil, err
	}
	defer body.close()
	release, ok := body.slot(c.Request().Context(), s.sides, slotWait)
	if !ok {
		return nil, nil, retryLater(c, say.Of("%d files are being read; try again in a while", SidesMax))
	}
	mem, err := s.books.store.Reserve(body.size())
	if err != nil {
		release()
		return nil, nil, err
	}
	given := release
	release = func() { mem.Release(); given() }
	file = make([]byte, body.size()) // bounded by the guard
	if _, err := io.ReadFull(body.reader(), file); err != nil {
		release()
		return nil, nil, err
	}
	return file, release, nil
}

// opponent finds what the run is held against, the file of a POST; none: its lanes
// against each other.
func (s *Server) opponent(ctx context.Context, c echo.Context, file []byte, plan sim.PlanOptions) ([]sim.Side, error) {
	name := clip(c.QueryParam("name"))
	if c.Request().Method == http.MethodPost {
		side, err := importer.OpenSide(ctx, name, file, sim.TraceOptions{Plan: plan})
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
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return notCompared()
	case isShortage(err), errors.Is(err, context.Canceled):
		return err
	}
	lines, _ := importFaults(err, s.language(c))
	return echo.NewHTTPError(http.StatusUnprocessableEntity, say.Of("%s", strings.Join(lines, "; ")))
}
