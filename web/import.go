package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// importPath is the path, below the base path, of the route that imports files: scenarios, traces and
// workloads.
const importPath = "/api/import"

// importHead is the number of bytes at the start of a file that are examined to detect its kind.
const importHead = 4 << 10

// importFile serves importPath. It reads the file in the body of the request, which is a scenario, a workload or a
// trace, and sends an [api.Imported] as JSON. A trace is compared with the run of its scenario. No session changes; the
// page loads the run that the answer names.
//
// The query parameter "lanes" is the digest of a run whose lanes are used for a workload. The query parameter "from" is
// the digest of a run whose scenario is an earlier version of the scenario in the file; the new run reuses the part of
// that run before the first difference.
//
// If reading takes longer than protocol.AnswerWait, the status is 202, and only the body reports whether the file was
// rejected.
func (s *Server) importFile(c echo.Context) error {
	o := api.ImportOptions{Name: c.QueryParam("name"), From: c.QueryParam("from"), Language: s.language(c)}
	if lanes := c.QueryParam("lanes"); lanes != "" {
		run, err := s.answers.Run("lanes", lanes)
		if err != nil {
			return err
		}
		o.Lanes = run.Program().Scenario.Lanes
	}
	body, err := s.bodies.receive(c)
	if err != nil {
		return err
	}
	defer body.close()
	acceptance := accept(c)
	defer acceptance.end()
	imported, err := s.read(c, body, o)
	accepted := acceptance.end()
	if err != nil && accepted {
		_, line := s.faultOf(err, c)
		imported, err = &api.Imported{Notes: []string{}, Faults: []string{line}, Count: 1}, nil
	}
	if err != nil {
		return err
	}
	data, err := json.Marshal(imported)
	if err != nil {
		return err
	}
	http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(requestWait))
	switch {
	case accepted:
		_, err = c.Response().Write(data)
		return err
	case imported.Refused():
		return c.JSONBlob(http.StatusUnprocessableEntity, data)
	}
	return c.JSONBlob(http.StatusOK, data)
}

// read imports the file in body, with the options o. The body must have been received completely.
func (s *Server) read(c echo.Context, body *spooled, o api.ImportOptions) (*api.Imported, error) {
	slots := s.imports
	if importer.IsScenario(body.head(importHead)) {
		slots = s.plans // reading a trace may take minutes and must not delay scenarios
	}
	release, ok := body.slot(c.Request().Context(), slots, slotWait)
	if !ok {
		return nil, retryLater(c, errmsg.Newf("%d files are being read; try again in a while", ImportsMax))
	}
	defer release()
	return s.answers.Import(c.Request().Context(), body.reader(), body.size(), o)
}

// estimatePath is the path, below the base path, of the route that estimates the resources needed to run a scenario.
const estimatePath = "/api/estimate"

// estimate serves estimatePath. It plans the scenario in the body of the request, and sends upper bounds on the number
// of events in its run and on the memory that the run needs. The run is neither computed nor stored. A page sends this
// request before it opens a scenario that its URL contains.
func (s *Server) estimate(c echo.Context) error {
	body, err := s.bodies.receive(c)
	if err != nil {
		return err
	}
	defer body.close()
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	release, ok := body.slot(ctx, s.plans, slotWait) // a plan takes time and memory
	if !ok {
		return retryLater(c, errmsg.Newf("%d files are being read; try again in a while", ImportsMax))
	}
	defer release()
	text, err := io.ReadAll(body.reader()) // bounded by the guard
	if err != nil {
		return err
	}
	answer, err := s.answers.Estimate(ctx, text, s.language(c))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, answer)
}
