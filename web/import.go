package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// importPath is the route that reads files: scenarios, traces and workloads.
const importPath = "/api/import"

// importHead is the number of bytes from which the kind of a file is detected.
const importHead = 4 << 10

// importFile reads the file in a request's body: a scenario, a workload, or a trace, which is
// compared with the run of its scenario. `lanes` names the run whose lanes a workload gets, `from`
// the run that a scenario was edited from, with which it shares what is equal. importFile changes
// no session; a `load` of the run in the answer does.
func (s *Server) importFile(c echo.Context) error {
	o := api.ImportOptions{Name: c.QueryParam("name"), From: c.QueryParam("from")}
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
	slots := s.imports
	if importer.IsScenario(body.head(importHead)) {
		slots = s.plans // reading a trace may take minutes and must not delay scenarios
	}
	release, ok := body.slot(c.Request().Context(), slots, slotWait)
	if !ok {
		return retryLater(c, say.Of("%d files are being read; try again in a while", ImportsMax))
	}
	defer release()
	o.Language = s.language(c)
	imported, err := s.answers.Import(c.Request().Context(), body.reader(), body.size(), o)
	if err != nil {
		return err
	}
	data, err := json.Marshal(imported)
	if err != nil {
		return err
	}
	code := http.StatusOK
	if imported.Refused() {
		code = http.StatusUnprocessableEntity
	}
	http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(requestWait))
	return c.JSONBlob(code, data)
}

// estimatePath is the route that estimates what the run of a scenario needs.
const estimatePath = "/api/estimate"

// estimate plans the scenario in a request's body and sends what its run would need. Nothing is
// computed or stored. A page calls it before it opens a scenario contained in its URL.
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
		return retryLater(c, say.Of("%d files are being read; try again in a while", ImportsMax))
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
