package web

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// file sends a run as one HTML file that needs no server. `seq` is the event at which it opens.
// Nothing is sent before the run is computed and known to be short enough.
func (s *Server) file(ctx context.Context, c echo.Context, w io.Writer, run *sim.Run) error {
	at := int64(0)
	if c.QueryParam("seq") != "" {
		var err error
		if at, err = queryInteger(c, "seq", 0); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, usererr.Describe(err, s.language(c)).Error())
		}
	}
	wait, cancel := context.WithTimeout(ctx, protocol.AnswerWait)
	defer cancel()
	events, err := run.EndSeq(wait)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return notComputed()
	case err != nil:
		return err
	case at > events:
		return echo.NewHTTPError(http.StatusBadRequest, usererr.Describe(&sim.PositionError{Seq: at, Last: events}, s.language(c)).Error())
	case events > player.EventsMax:
		return deny(http.StatusBadRequest, "run: %d events are more than a page can hold: expected %d or fewer", events, player.EventsMax)
	}
	attach(c, run, ".html")
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return player.Write(ctx, w, run, player.Options{Open: at})
}
