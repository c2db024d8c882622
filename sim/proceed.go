package sim

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// paceEvery is how many records, operations or ticks are processed between two
// calls of proceed.
const paceEvery = 1 << 12

// proceed is called at least every paceEvery records, operations or ticks of long work.
// It shares the processor as a turn in ctx requires, and returns an error if the work
// should end.
func proceed(ctx context.Context) error { return fairqueue.Pace(ctx) }
