package web

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// importPath is the path, below the base path, of the route that imports files: scenarios, traces and
// workloads.
const importPath = "/api/import"

// importFile serves importPath. It reads the file in the body of the request, which is a scenario, a workload or a
// trace, and sends an [api.Imported] as JSON. A trace is compared with the run of its scenario. No session changes; the
// page loads the run that the answer names.
//
// The query parameter "lanes" is the digest of a run whose lanes are used for a workload. The query parameter "from" is
// the digest of a run whose scenario is an earlier version of the scenario in the file; the new run reuses the part of
// that run before the first difference.
//
// The query parameter "own" is 1 if the user agrees that wheels in JavaScript in the file run. Otherwise such a file is
// not run, and the answer says so.
//
// Reading takes at most api.ImportWait. The status is 422 if the file was rejected.
func (s *Server) importFile(c echo.Context) error {
	o := api.ImportOptions{Name: c.QueryParam("name"), From: c.QueryParam("from"), Language: s.language(c), Own: c.QueryParam("own") == "1"}
	if lanes := c.QueryParam("lanes"); lanes != "" {
		run, err := s.answers.Run("lanes", lanes)
		if err != nil {
			return err
		}
		o.Lanes = run.Program().Scenario.Lanes
	}
	body, err := s.receive(c)
	if err != nil {
		return err
	}
	defer body.close()
	control := http.NewResponseController(c.Response())
	control.SetWriteDeadline(time.Now().Add(api.ImportWait + requestWait))
	imported, err := s.answers.Import(c.Request().Context(), body.reader(), body.size, o)
	if err != nil {
		return err
	}
	control.SetWriteDeadline(time.Now().Add(requestWait))
	if imported.Refused() {
		return c.JSON(http.StatusUnprocessableEntity, imported)
	}
	return c.JSON(http.StatusOK, imported)
}

// estimatePath is the path, below the base path, of the route that estimates the resources needed to run a scenario.
const estimatePath = "/api/estimate"

// estimate serves estimatePath. It plans the scenario in the body of the request, and sends bounds on the number
// of events in its run and on the memory that the run needs. The run is neither computed nor stored. A page sends this
// request before it opens a scenario that its URL contains.
func (s *Server) estimate(c echo.Context) error {
	body, err := s.receive(c)
	if err != nil {
		return err
	}
	defer body.close()
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	text, release, err := s.inMemory(ctx, body)
	if err != nil {
		return err
	}
	defer release()
	answer, err := s.answers.Estimate(ctx, text, s.language(c))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, answer)
}
