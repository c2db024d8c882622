package api

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// A question about events that fails for lack of memory is answered with a request to retry. Only a
// wrong parameter is the client's fault. A fault of the program is neither.
func TestStatusOfQuestionsAboutEvents(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int // 0: a fault of the program
	}{
		{usererr.New("seq", "%q is not a whole number, %d or more", "x", 0), badRequest},
		{&sim.PositionError{Seq: 9, Last: 3}, badRequest},
		{fmt.Errorf("chunk 3: %w", fairqueue.ErrBusy), unavailable},
		{&sim.NoMemoryError{}, unavailable},
		{sim.ErrGone, unavailable},
		{context.DeadlineExceeded, unavailable},
		{context.Canceled, unavailable},
		{errors.New("a chunk has no first event"), 0},
	} {
		_, err := aboutEvents(t.Context(), func(context.Context) (any, error) { return nil, c.err })
		if r, known := RefusalOf(err, "en"); known != (c.status != 0) || known && r.Status != c.status {
			t.Errorf("%v: %d %q %v, want %d", c.err, r.Status, r.Line, known, c.status)
		}
	}
}
