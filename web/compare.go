package web

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/web/session/protocol"
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
	body, err := s.receive(c)
	if err != nil {
		return err
	}
	defer body.close()
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	file, release, err := s.inMemory(ctx, body)
	if err != nil {
		return err
	}
	report, err := s.answers.CompareFile(ctx, side, texts.Clip(c.QueryParam("name")), file, s.language(c))
	release()
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, report)
}
