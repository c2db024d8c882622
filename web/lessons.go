package web

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// lessons sends the list of guided tours.
func (s *Server) lessons(c echo.Context) error {
	return c.JSON(http.StatusOK, api.Lessons(s.language(c)))
}

// lesson sends the tour of the query parameter `name`.
func (s *Server) lesson(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	answer, err := s.answers.Lesson(ctx, c.QueryParam("name"), s.language(c))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// gradeLesson grades the options picked at a step of a tour.
func (s *Server) gradeLesson(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	q := c.QueryParams()
	answer, err := s.answers.GradeLesson(ctx, q.Get("name"), q.Get("step"), q["pick"], s.language(c))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// quiz sends a question about what the run does next, or one without a kind if nothing follows.
func (s *Server) quiz(c echo.Context) error {
	return s.answerQuiz(c, func(ctx context.Context, p *api.QuizPlace) (any, error) { return p.Ask(ctx) })
}

// gradeQuiz grades the picked options. It generates the question again.
func (s *Server) gradeQuiz(c echo.Context) error {
	return s.answerQuiz(c, func(ctx context.Context, p *api.QuizPlace) (any, error) { return p.Grade(ctx, c.QueryParams()["pick"], s.language(c)) })
}

// answerQuiz sends what answer returns for the question that the URL names.
func (s *Server) answerQuiz(c echo.Context, answer func(context.Context, *api.QuizPlace) (any, error)) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	place, err := s.answers.QuizPlace(run, c.QueryParam("t"), c.QueryParam("seed"), c.QueryParam("n"), c.QueryParam("seen"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	out, err := answer(ctx, place)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}
