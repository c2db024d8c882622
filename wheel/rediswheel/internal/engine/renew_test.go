package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
)

// A caller that waits for a renewal by another goroutine returns when its ctx ends.
func TestRenewalHonoursContext(t *testing.T) {
	w := redistest.Must(Open(t.Context(), redistest.Embedded(t), Options{Name: "w", Shards: 1}))(t)
	w.current.turn <- struct{}{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := w.Renew(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
