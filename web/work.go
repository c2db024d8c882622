package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
)

// atMost returns middleware that admits up to limit concurrent requests, in total for all routes that use it. It
// rejects others with status 503 and Retry-After instead of letting them wait, because waiting requests would take
// memory.
func atMost(limit int) echo.MiddlewareFunc {
	admitted := make(chan struct{}, limit)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			select {
			case admitted <- struct{}{}:
				defer func() { <-admitted }()
				return next(c)
			default:
				return texts.Errorf(http.StatusServiceUnavailable, "", "%d requests of this kind are under way; try again in a while", limit)
			}
		}
	}
}

// inTime is middleware that cancels the context of a request after s.pageWait, so that no page waits longer for its run
// to be computed.
func (s *Server) inTime(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, cancel := context.WithTimeout(c.Request().Context(), s.pageWait)
		defer cancel()
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}

// inTurn waits for a turn of the queue for rendering pages, that is, for permission to use a processor, and then calls
// f with a context that carries the turn. It returns the error from f, or the error from Queue.Enter if it did not get
// a turn.
func (s *Server) inTurn(ctx context.Context, f func(ctx context.Context) error) error {
	ctx, leave, err := s.rendering.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return f(ctx)
}

// briefQueue returns a queue for short work, such as rendering a page. The queue may use all processors. It shares
// their time with the queue in which store computes runs, whose share is 1, and with other queues for short work: each
// gets time in proportion to its share.
func briefQueue(store *sim.Store, share int) *fairqueue.Queue {
	return fairqueue.NewWith(fairqueue.Options{Pool: store.Queue().Pool(), Turns: runtime.GOMAXPROCS(0), Slice: briefSlice, Share: share})
}

// patientWriter writes a long response. During a write, it releases the turn in ctx, the permission to use a
// processor. A write may take up to requestWait. All writes together may take answerGrace plus the time
// needed to send the bytes written so far at the rate AnswerRateMin.
type patientWriter struct {
	ctx     context.Context
	to      http.ResponseWriter
	control *http.ResponseController
	waited  time.Duration // total time spent waiting for the client
	written int64         // number of bytes written
}

func newPatientWriter(ctx context.Context, c echo.Context) *patientWriter {
	return &patientWriter{ctx: ctx, to: c.Response(), control: http.NewResponseController(c.Response())}
}

// Write sends p to the client. It returns an error if the client reads too slowly. It implements io.Writer.
func (w *patientWriter) Write(p []byte) (n int, err error) {
	left := answerGrace + time.Duration(float64(w.written)/AnswerRateMin*float64(time.Second)) - w.waited
	if left <= 0 {
		return 0, fmt.Errorf("the client reads fewer than %d bytes a second", AnswerRateMin)
	}
	began := time.Now()
	if err := w.control.SetWriteDeadline(began.Add(min(left, requestWait))); err != nil {
		return 0, err
	}
	ended := fairqueue.Outside(w.ctx, func() {
		n, err = w.to.Write(p)
		w.waited += time.Since(began)
	})
	w.written += int64(n)
	err = cmp.Or(err, ended)
	return n, err
}
