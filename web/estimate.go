package web

import (
	"context"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// estimatePath is the route that estimates what the run of a scenario needs.
const estimatePath = "/api/estimate"

// estimated is the answer of /api/estimate: what the run of a scenario needs at most.
type estimated struct {
	Name   string `json:"name"`
	Title  string `json:"title"` // in the language of the request
	Lanes  int    `json:"lanes"`
	Timers int    `json:"timers"`
	Events int64  `json:"events"`
	Bytes  int64  `json:"bytes"` // of memory, at the peak
}

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
	ctx, leave, err := s.library.Store.Queue().Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	plan, ended := s.library.Store.Planning(ctx)
	defer ended()
	p, err := program.LoadWith(text, plan)
	leave() // the answer is sent without the turn
	if usererr.IsShortage(err) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, usererr.Describe(err, s.language(c)).Error())
	}
	sc, e := p.Scenario, p.Estimate()
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, estimated{Name: sc.Name, Title: sc.Title.In(s.language(c)),
		Lanes: len(sc.Lanes), Timers: p.Timers(), Events: e.Events, Bytes: e.Bytes})
}
