package web

import (
	"context"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// compareFile serves POST requests for question.CompareRunsPath. It compares a run with the scenario or trace
// in the body of the request and sends the report. The query parameter "name" is the name of the file in the
// report.
func (s *Server) compareFile(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	side := compare.Side{Name: run.Program().Scenario.Name, Program: run.Program()}
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
	report, err := s.answers.CompareFile(ctx, side, usererr.Clip(c.QueryParam("name")), file, s.language(c))
	release()
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, report)
}

// posted returns the content of body, a file received in a POST request. The caller must call release when it
// no longer needs the content. At most SidesMax files are in memory at the same time. If that limit prevents the file
// from being read within slotWait, posted returns an error with status 503.
func (s *Server) posted(ctx context.Context, c echo.Context, body *spooled) (file []byte, release func(), err error) {
	release, ok := body.slot(ctx, s.sides, slotWait)
	if !ok {
		return nil, nil, retryLater(c, errmsg.Newf("%d files are being read; try again in a while", SidesMax))
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
