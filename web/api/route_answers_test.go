package api

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
)

// A question about events that fails for lack of memory is answered with a request to retry. Only a
// wrong parameter is the client's fault. A fault of the program is neither.
func TestStatusOfQuestionsAboutEvents(t *testing.T) {
	for _, c := range []struct {
		err    error
		status texts.Kind // 0: a fault of the program
	}{
		{texts.Errorf(texts.Invalid, "seq", "%q is not a whole number, %d or more", "x", 0), texts.Invalid},
		{&sim.PositionError{Seq: 9, Last: 3}, texts.Invalid},
		{fmt.Errorf("chunk 3: %w", fairqueue.ErrBusy), texts.Unavailable},
		{&sim.NoMemoryError{}, texts.Unavailable},
		{sim.ErrGone, texts.Unavailable},
		{context.DeadlineExceeded, texts.Unavailable},
		{context.Canceled, texts.Unavailable},
		{errors.New("a chunk has no first event"), 0},
	} {
		_, err := aboutEvents(t.Context(), func(context.Context) (any, error) { return nil, c.err })
		if r, known := RefusalOf(err, "en"); known != (c.status != 0) || known && r.Kind != c.status {
			t.Errorf("%v: %d %q %v, want %d", c.err, r.Kind, r.Line, known, c.status)
		}
	}
}
