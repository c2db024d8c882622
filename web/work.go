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
	"github.com/wheelscope/wheelscope/sim"
)

// atMost returns middleware that admits at most `most` concurrent requests to the routes that share it. It
// rejects others with status 503 and Retry-After. Waiting requests would take memory.
func atMost(most int) echo.MiddlewareFunc {
	admitted := make(chan struct{}, most)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			select {
			case admitted <- struct{}{}:
				defer func() { <-admitted }()
				return next(c)
			default:
				return deny(http.StatusServiceUnavailable, "%d requests of this kind are under way; try again in a while", most)
			}
		}
	}
}

// inTime is middleware that cancels the context of a request after the time s.pageWait.
func (s *Server) inTime(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, cancel := context.WithTimeout(c.Request().Context(), s.pageWait)
		defer cancel()
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}

// inTurn waits until the queue for rendering pages grants the use of a processor, calls f, and then gives the
// processor back. It returns the error of f, or that of the queue.
func (s *Server) inTurn(ctx context.Context, f func(ctx context.Context) error) error {
	ctx, leave, err := s.rendering.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return f(ctx)
}

// briefQueue returns a queue for short work. It shares the processors with the queue in which the store computes
// runs, and may use all of them. share is the queue's share of the processor time; see fairqueue.Options.
func briefQueue(store *sim.Store, share int) *fairqueue.Queue {
	return fairqueue.NewWith(fairqueue.Options{Pool: store.Queue().Pool(), Turns: runtime.GOMAXPROCS(0), Slice: briefSlice, Share: share})
}

// patientWriter writes a long response. Each write may take requestWait. The client must read AnswerRateMin bytes per
// second on average while the server waits for it. During a write, the request gives up its turn to use a processor,
// which ctx carries.
type patientWriter struct {
	ctx     context.Context
	to      http.ResponseWriter
	control *http.ResponseController
	waited  time.Duration // total time spent waiting for the client
	written int64
}

func newPatientWriter(ctx context.Context, c echo.Context) *patientWriter {
	return &patientWriter{ctx: ctx, to: c.Response(), control: http.NewResponseController(c.Response())}
}

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
