package web

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// traceSum returns the summary of a run's trace with its SHA-256, computed or from the cache.
func (s *Server) traceSum(ctx context.Context, run *sim.Run) (sim.Summary, error) {
	p := run.Program()
	return s.digests.of(ctx, run.Digest(), func(ctx context.Context) (sim.Summary, error) {
		ctx, done, err := s.work(ctx, engineBytes(p))
		if err != nil {
			return sim.Summary{}, err
		}
		defer done()
		return sim.WriteTrace(ctx, io.Discard, p, sim.TraceOptions{})
	})
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
	sum, err := s.traceSum(ctx, run)
	if errors.Is(err, errTakesLong) {
		return errors.Join(errTakesLong, deny(http.StatusServiceUnavailable, "run: its trace was not written within %s; `wheelscope run` takes the time it needs", makingWait.String()))
	}
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, map[string]any{"run": run.Digest(), "sha256": sum.SHA256, "events": sum.Events})
}
