package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// algorithms tells the catalogue, as `wheelscope algorithms --json` does.
func (s *Server) algorithms(c echo.Context) error {
	return c.JSON(http.StatusOK, algorithms.Catalogue())
}

// scenarios lists the built-in scenarios, as `wheelscope scenarios --json` does.
func (s *Server) scenarios(c echo.Context) error {
	return c.JSON(http.StatusOK, sim.Builtins())
}

func (s *Server) health(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// scenario sends the canonical JSON of a run's scenario.
func (s *Server) scenario(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	attach(c, run, ".json")
	data := run.Program().Scenario.AppendFile(nil)
	return c.Blob(http.StatusOK, "application/json; charset=utf-8", data)
}

// trace streams the trace of a run: the bytes that `wheelscope run` writes, or with
// `as` those that `wheelscope export` does. The run is made once more for it, so
// that nothing has to be kept.
func (s *Server) trace(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	late := time.AfterFunc(answerWait, cancel) // for the first turn only: a download may take long
	ctx, done, err := s.work(ctx, exportBytes(run.Program(), c.QueryParam("as")))
	if err != nil {
		return err
	}
	defer done()
	if !late.Stop() {
		return context.DeadlineExceeded
	}
	w := newPatientWriter(ctx, c)
	switch f, ok := export.Lookup(c.QueryParam("as")); {
	case ok:
		attach(c, run, "."+f.Extension)
		c.Response().Header().Set("Content-Type", f.MediaType)
		err = export.Write(ctx, w, run.Program(), f.Name, export.Options{})
	case c.QueryParam("as") == "html":
		err = s.file(ctx, c, w, run)
	case c.QueryParam("as") != "":
		return deny(http.StatusBadRequest, "as: %q is not one of %s", clip(c.QueryParam("as")), strings.Join(append(export.Formats(), "html"), ", "))
	default:
		attach(c, run, ".jsonl")
		c.Response().Header().Set("Content-Type", "application/jsonl; charset=utf-8")
		_, err = sim.WriteTrace(ctx, w, run.Program(), sim.TraceOptions{})
	}
	return s.cut(c, run, err)
}

// exportBytes is the memory that writing a run as a format takes. As a page, the run is
// noted event by event before it is written.
func exportBytes(p *sim.Program, as string) int64 {
	const eventBytes = 100
	n := engineBytes(p)
	if as == "html" {
		n += eventBytes * min(p.Estimate().Events, player.EventsMax)
	}
	return n
}

// cut ends an answer that could not be sent whole: half a trace must not look like a
// whole one, so the connection is cut.
func (s *Server) cut(c echo.Context, run *sim.Run, err error) error {
	if err == nil || !c.Response().Committed {
		return err
	}
	if !errors.Is(err, context.Canceled) {
		s.log.Warn("trace not sent whole", "run", run.Digest()[:RunDigits], "err", err)
	}
	panic(http.ErrAbortHandler)
}

// lookup finds the run that an address names.
func (s *Server) lookup(c echo.Context) (*sim.Run, error) {
	run, err := s.runNamed("run", c.QueryParam("run"))
	if err != nil {
		return nil, err
	}
	s.books.store.Look(c.Request().Context(), run)
	return run, nil
}

// runNamed finds the run that a parameter of an address names by its digest.
func (s *Server) runNamed(param, digest string) (*sim.Run, error) {
	digest = strings.ToLower(digest)
	run, ok := s.books.store.Lookup(digest)
	if !ok {
		return nil, deny(http.StatusNotFound, "%s: %q is not a run of this server; expected %d or more digits of one that was looked at lately", param, clip(digest), sim.DigestShort)
	}
	return run, nil
}

// attach has the browser save the answer under the scenario's name.
func attach(c echo.Context, run *sim.Run, ending string) {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, run.Program().Scenario.Name)
	if name == "" {
		name = "scenario"
	}
	h := c.Response().Header()
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+ending))
	h.Set("Cache-Control", "no-store")
}
