package web

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
)

// newDigests writes runs' traces into nothing for their SHA-256.
func newDigests(s *Server) *kept[sim.Summary] {
	return newKept(sim.StoreRunsMax, func(ctx context.Context, p *sim.Program) (sim.Summary, error) {
		ctx, done, err := s.work(ctx, engineBytes(p))
		if err != nil {
			return sim.Summary{}, err
		}
		defer done()
		return sim.WriteTrace(ctx, io.Discard, p, sim.TraceOptions{})
	})
}

// digest answers with the SHA-256 in the end line of a run's trace: two servers with
// the same answer show the same run, event for event.
func (s *Server) digest(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), compareWait)
	defer cancel()
	sum, err := s.digests.of(ctx, run)
	if errors.Is(err, context.DeadlineExceeded) {
		return deny(http.StatusServiceUnavailable, "run: its trace was not written within %s; `wheelscope run` takes the time it needs", compareWait.String())
	}
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, map[string]any{"run": run.Digest(), "sha256": sum.SHA256, "events": sum.Events})
}
