package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// contestPath is the route that compares a run with another run or with a file.
const contestPath = "/api/contest"

// contest compares the lanes of a run with each other and the oracle, or the run with another: one
// that was opened before (`with`), a scenario of the library (`scenario`), or the scenario or trace
// in the body of a POST, called `name`.
func (s *Server) contest(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	side := sim.Side{Name: run.Program().Scenario.Name, Program: run.Program()}
	if c.Request().Method == http.MethodPost {
		return s.contestFile(c, side)
	}
	other, err := s.opponent(c)
	if err != nil {
		return err
	}
	sides := append([]sim.Side{side}, other...)
	var key []string
	for _, s := range sides {
		key = append(key, s.Program.Digest(), s.Name)
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	told, err := s.contests.of(ctx, strings.Join(key, "\x00"), func(ctx context.Context) (reports, error) {
		met, err := s.newContest(ctx, sides)
		if err != nil {
			return nil, err
		}
		return newReports(met)
	})
	if errors.Is(err, errTakesLong) {
		return notCompared(makingWait)
	}
	if err != nil {
		return s.badSide(c, err)
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, told[s.language(c)])
}

// reports holds the answers of a comparison by language. They are cached instead of the comparison,
// which refers to the programs of its sides: these may take gigabytes, and their runs may be
// dropped.
type reports map[string]json.RawMessage

func newReports(met *sim.Contest) (reports, error) {
	told := reports{}
	for _, lang := range [...]string{"en", "zh"} {
		text, err := json.Marshal(met.Report(lang))
		if err != nil {
			return nil, err
		}
		told[lang] = text
	}
	return told, nil
}

func (r reports) bytes() (n int64) {
	for _, text := range r {
		n += int64(cap(text))
	}
	return n
}

// newContest compares sides. It first reserves the memory for that and waits for a turn.
func (s *Server) newContest(ctx context.Context, sides []sim.Side) (*sim.Contest, error) {
	ctx, done, err := s.work(ctx, contestBytes(sides))
	if err != nil {
		return nil, err
	}
	defer done()
	return sim.NewContest(ctx, sides, sim.TraceOptions{})
}

// contestFile compares a run with the file in the body of a POST.
func (s *Server) contestFile(c echo.Context, side sim.Side) error {
	body, err := s.bodies.receive(c)
	if err != nil {
		return err
	}
	defer body.close()
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	file, release, err := s.posted(ctx, c, body)
	if err != nil {
		return err
	}
	met, err := s.compareFile(ctx, usererr.Clip(c.QueryParam("name")), side, file)
	release()
	if err != nil {
		return s.badSide(c, err)
	}
	return c.JSON(http.StatusOK, met.Report(s.language(c)))
}

// compareFile compares a side with the scenario or trace in a file.
func (s *Server) compareFile(ctx context.Context, name string, side sim.Side, file []byte) (*sim.Contest, error) {
	wait, cancel := context.WithTimeout(ctx, turnWait)
	done, err := s.makers.turn(wait)
	cancel()
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, leave, err := s.library.Store.Queue().Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	plan, planned := s.library.Store.Planning(ctx)
	defer planned()
	other, err := importer.OpenSide(ctx, name, file, sim.TraceOptions{Plan: plan})
	if err != nil {
		return nil, err
	}
	return s.newContest(ctx, []sim.Side{side, other})
}

// contestBytes returns the memory in bytes that a comparison of sides takes: an engine for each
// side and the records of one tick.
func contestBytes(sides []sim.Side) (n int64) {
	const recordBytes = 100 // per record, with what the comparison notes about it
	for i := range sides {
		p := sides[i].Program
		e := p.Estimate()
		n += engineBytes(p) + recordBytes*min(e.Events, e.TickEvents*int64(len(p.Scenario.Lanes)))
	}
	return n
}

// posted returns a file that has arrived in the body of a POST. The file takes memory until release
// is called, so only SidesMax files are read at a time.
func (s *Server) posted(ctx context.Context, c echo.Context, body *spooled) (file []byte, release func(), err error) {
	release, ok := body.slot(ctx, s.sides, slotWait)
	if !ok {
		return nil, nil, retryLater(c, say.Of("%d files are being read; try again in a while", SidesMax))
	}
	mem, err := s.library.Store.ReserveWhenFree(ctx, body.size())
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

// opponent returns what the URL compares the run with, or nil if it compares the run's lanes with
// each other.
func (s *Server) opponent(c echo.Context) ([]sim.Side, error) {
	if with := c.QueryParam("with"); with != "" {
		run, err := s.runNamed("with", with)
		if err != nil {
			return nil, err
		}
		return []sim.Side{{Name: run.Program().Scenario.Name, Program: run.Program()}}, nil
	}
	if scenario := c.QueryParam("scenario"); scenario != "" {
		p, err := s.library.Program(scenario)
		if err != nil {
			return nil, deny(http.StatusNotFound, "scenario: %q is not the name of a scenario here", usererr.Clip(scenario))
		}
		return []sim.Side{{Name: scenario, Program: p}}, nil
	}
	return nil, nil
}

// badSide returns the error for a comparison that failed with err, in one line.
func (s *Server) badSide(c echo.Context, err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return notCompared(protocol.AnswerWait)
	case usererr.IsShortage(err), errors.Is(err, context.Canceled), errors.Is(err, errComputing):
		return err
	}
	lines, _ := importFaults(err, s.language(c))
	return echo.NewHTTPError(http.StatusUnprocessableEntity, say.Of("%s", strings.Join(lines, "; ")))
}
