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
		status ErrorKind // 0: a fault of the program
	}{
		{usererr.New("seq", "%q is not a whole number, %d or more", "x", 0), Invalid},
		{&sim.PositionError{Seq: 9, Last: 3}, Invalid},
		{fmt.Errorf("chunk 3: %w", fairqueue.ErrBusy), Unavailable},
		{&sim.NoMemoryError{}, Unavailable},
		{sim.ErrGone, Unavailable},
		{context.DeadlineExceeded, Unavailable},
		{context.Canceled, Unavailable},
		{errors.New("a chunk has no first event"), 0},
	} {
		_, err := aboutEvents(t.Context(), func(context.Context) (any, error) { return nil, c.err })
		if r, known := RefusalOf(err, "en"); known != (c.status != 0) || known && r.Kind != c.status {
			t.Errorf("%v: %d %q %v, want %d", c.err, r.Kind, r.Line, known, c.status)
		}
	}
}
