package web

import (
	"context"
	"errors"
	"hash/fnv"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// quizPlace identifies a question: a run, a tick, a student's seed and a number.
type quizPlace struct {
	asker *sim.Asker
	tick  int64
	seed  string
	n     int
}

// quizPlaceOf parses run, t (-1: before anything), seed and n of a URL.
func (s *Server) quizPlaceOf(c echo.Context) (*quizPlace, error) {
	run, err := s.lookup(c)
	if err != nil {
		return nil, err
	}
	q := &quizPlace{asker: s.asker(run), seed: c.QueryParam("seed")}
	if q.tick, err = strconv.ParseInt(c.QueryParam("t"), 10, 64); err != nil {
		return nil, deny(http.StatusBadRequest, "t: %q is not a tick", usererr.Clip(c.QueryParam("t")))
	}
	if q.n, err = strconv.Atoi(c.QueryParam("n")); err != nil || q.n < 0 || q.n > questionMax {
		return nil, deny(http.StatusBadRequest, "n: %q is not a number from 0 to %d", usererr.Clip(c.QueryParam("n")), questionMax)
	}
	if len(q.seed) > seedMax {
		return nil, deny(http.StatusBadRequest, "seed: %d bytes; at most %d", len(q.seed), seedMax)
	}
	return q, nil
}

// question returns the question of a place. It is always the same.
func (q *quizPlace) question(ctx context.Context) (*sim.Question, error) {
	h := fnv.New64a()
	h.Write([]byte(q.seed))
	return q.asker.Predict(ctx, q.tick, h.Sum64(), q.n)
}

// quiz sends a question about what the run does next, or one without a kind if nothing follows.
func (s *Server) quiz(c echo.Context) error {
	place, err := s.quizPlaceOf(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	q, err := place.question(ctx)
	if errors.Is(err, sim.ErrNoAnswer) {
		return c.JSON(http.StatusOK, askedAnswer{At: place.tick, Options: []string{}}) // of no kind
	}
	if err != nil {
		return askFault(err)
	}
	out := asked(q)
	out.Seed = place.seed
	return c.JSON(http.StatusOK, out)
}

// gradeQuiz grades the picked options. It generates the question again.
func (s *Server) gradeQuiz(c echo.Context) error {
	place, err := s.quizPlaceOf(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	q, err := place.question(ctx)
	if err != nil {
		return askFault(err)
	}
	out, err := grade(ctx, c, place.asker, q, place.tick)
	if err != nil {
		return askFault(err)
	}
	return c.JSON(http.StatusOK, out)
}
