package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/view"
)

// question returns the handler of the API route that k describes, such as GET /api/events. The handler sends the answer
// of k as JSON.
func (s *Server) question(k *api.Route) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := api.Request{Path: k.Path, Query: c.QueryParams(), Lang: s.language(c)}
		answer, err := k.Answer(c.Request().Context(), s.answers, q)
		if err != nil {
			return err
		}
		switch h := c.Response().Header(); k.Caching {
		case api.CacheForRun: // a run never changes
			h.Set("Cache-Control", "private, max-age=600")
			h.Add("Vary", "Accept-Language")
		case api.CacheNever:
			h.Set("Cache-Control", "no-store")
		}
		return c.JSON(http.StatusOK, answer)
	}
}

// healthPath is the path of the health check, below the base path and without it.
const healthPath = "/healthz"

// health serves healthPath. It always sends "ok", which shows that the server is running.
func (s *Server) health(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// scenario serves /scenario. It sends the scenario of the run that the query parameter "run" selects, as canonical
// JSON.
func (s *Server) scenario(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	attach(c, run, ".json")
	data := run.Program().Scenario.AppendFile(nil)
	return c.Blob(http.StatusOK, "application/json; charset=utf-8", data)
}

// trace serves /trace. It sends the output of `wheelscope run` or, if the query has the parameter "as", that of
// `wheelscope export`. The run is recomputed as it is sent, because traces are not stored.
func (s *Server) trace(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	bytes, player := api.EngineBytes(run.Program()), (*view.File)(nil)
	if c.QueryParam("as") == "html" {
		if player, err = view.Player(ctx, run, c.QueryParams()); err != nil {
			return err
		}
		bytes = player.Bytes
	}
	late := time.AfterFunc(protocol.AnswerWait, cancel) // bounds the wait for a turn only: a download may take long
	ctx, done, err := s.answers.Work(ctx, bytes)
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
	case player != nil:
		attachFile(c, run, player)
		err = player.Write(ctx, w)
	case c.QueryParam("as") != "":
		return texts.Errorf(http.StatusBadRequest, "", "as: %q is not one of %s", texts.Clip(c.QueryParam("as")), strings.Join(append(export.Formats(), "html"), ", "))
	default:
		attach(c, run, ".jsonl")
		c.Response().Header().Set("Content-Type", "application/jsonl; charset=utf-8")
		_, err = tracefile.Write(ctx, w, run.Program(), tracefile.Options{})
	}
	return s.cut(c, run, err)
}

// cut handles err, the error from sending a trace or another export of run, or nil if all of it has been sent. If err
// is not nil and a part of the response has been sent, cut panics with http.ErrAbortHandler. The panic closes the
// connection, so that the client does not mistake the partial response for a complete one. In all other cases, cut
// returns err.
func (s *Server) cut(c echo.Context, run *sim.Run, err error) error {
	if err == nil || !c.Response().Committed {
		return err
	}
	if !errors.Is(err, context.Canceled) {
		s.log.Warn("trace sent incompletely", "run", run.Digest()[:sim.DigestShort], "err", err)
	}
	panic(http.ErrAbortHandler)
}

// lookup returns the run whose digest begins with the query parameter "run". The store keeps the run until the request
// ends.
func (s *Server) lookup(c echo.Context) (*sim.Run, error) {
	return s.answers.Look(c.Request().Context(), c.QueryParam("run"))
}

// attach sets headers that make a browser save the response as a file. The file is named after the run's scenario,
// with the given ending, such as ".json".
func attach(c echo.Context, run *sim.Run, ending string) {
	h := c.Response().Header()
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", api.FileName(run.Program().Scenario.Name, ending)))
	h.Set("Cache-Control", "no-store")
}
