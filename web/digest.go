package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
)

// digester writes runs' traces into nothing for their SHA-256, few at a time, and
// keeps what it found last.
type digester struct {
	turns chan struct{} // a token for each that is being made

	mu   sync.Mutex
	made *simplelru.LRU[string, sim.Summary] // by the run's digest
}

func newDigester() *digester {
	d := &digester{turns: make(chan struct{}, ComparingMax)}
	d.made, _ = simplelru.NewLRU[string, sim.Summary](sim.StoreRunsMax, nil) // fails for a size < 1 only
	return d
}

// sum gives what the trace of a run comes to.
func (d *digester) sum(ctx context.Context, run *sim.Run) (sim.Summary, error) {
	if sum, ok := d.kept(run); ok {
		return sum, nil
	}
	select {
	case d.turns <- struct{}{}:
		defer func() { <-d.turns }()
	case <-ctx.Done():
		return sim.Summary{}, ctx.Err()
	}
	if sum, ok := d.kept(run); ok { // made while this one waited
		return sum, nil
	}
	sum, err := sim.WriteTrace(ctx, io.Discard, run.Program(), sim.TraceOptions{})
	if err != nil {
		return sum, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made.Add(run.Digest(), sum)
	return sum, nil
}

func (d *digester) kept(run *sim.Run) (sim.Summary, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.made.Get(run.Digest())
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
	sum, err := s.digests.sum(ctx, run)
	if errors.Is(err, context.DeadlineExceeded) {
		return deny(http.StatusServiceUnavailable, "run: its trace was not written within %s; `wheelscope run` takes the time it needs", compareWait.String())
	}
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, map[string]any{"run": run.Digest(), "sha256": sum.SHA256, "events": sum.Events})
}
