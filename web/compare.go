package web

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// compare sends the comparison of a run's lanes.
func (s *Server) compare(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	answer, err := s.answers.Compare(ctx, run, s.language(c))
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, answer)
}

// keepForRun lets a browser cache an answer that depends on the run only: a run never changes.
func keepForRun(c echo.Context) {
	c.Response().Header().Set("Cache-Control", "private, max-age=600")
	c.Response().Header().Add("Vary", "Accept-Language")
}

// costs sends each lane's cost at every tick from `from` to `to`.
func (s *Server) costs(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	var at [2]int64
	for i, name := range [...]string{"from", "to"} {
		if at[i], err = strconv.ParseInt(c.QueryParam(name), 10, 64); err != nil {
			return deny(http.StatusBadRequest, "%s: %q is not a tick", name, usererr.Clip(c.QueryParam(name)))
		}
	}
	answer, err := api.Costs(c.Request().Context(), run, at[0], at[1])
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, answer)
}

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
	side := compare.Side{Name: run.Program().Scenario.Name, Program: run.Program()}
	if c.Request().Method == http.MethodPost {
		return s.contestFile(c, side)
	}
	other, err := s.answers.Opponent(c.QueryParam("with"), c.QueryParam("scenario"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	report, err := s.answers.Contest(ctx, append([]compare.Side{side}, other...), s.language(c))
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, report)
}

// contestFile sends the comparison of side with the file in the body of a POST.
func (s *Server) contestFile(c echo.Context, side compare.Side) error {
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
	report, err := s.answers.ContestFile(ctx, side, usererr.Clip(c.QueryParam("name")), file, s.language(c))
	release()
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, report)
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

// digest sends the SHA-256 in the end line of a run's trace. Two servers that send the same digest
// show the same run, event for event.
func (s *Server) digest(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	answer, err := s.answers.Digest(ctx, run)
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, answer)
}
