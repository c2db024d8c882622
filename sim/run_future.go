package sim

import (
	"context"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// FutureBytesMax is the maximum total size, in bytes, of the copies of lanes that one call to Futures makes, one after
// another.
const FutureBytesMax = 512 << 20

// FutureError is the error returned by Futures if the lanes are too large for the number of delays. Max is the greatest
// number for which they are not.
type FutureError struct{ Max int64 }

func (e *FutureError) Error() string {
	return "delays: the run is too large for so many; at most " + strconv.FormatInt(e.Max, 10)
}

// Futures returns, for each lane and each of the delays, what would happen to a timer that is scheduled with this delay
// after all operations of tick. It waits until the tick is computed.
func (r *Run) Futures(ctx context.Context, tick int64, delays []int64) ([][]engine.Future, error) {
	if err := r.Wait(ctx, tick); err != nil {
		return nil, err
	}
	ctx, end, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	e, err := r.EngineAt(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer r.Leave(e)
	bytes := e.Bytes()
	if most := FutureBytesMax / max(bytes, 1); int64(len(delays)) > most {
		return nil, &FutureError{most}
	}
	mem, err := r.store.Reserve(bytes)
	if err != nil {
		return nil, err
	}
	defer mem.Release()
	lanes := make([][]engine.Future, len(e.Lanes))
	for i, l := range e.Lanes {
		for _, delay := range delays {
			if err := fairqueue.Pace(ctx); err != nil {
				return nil, err
			}
			f, err := l.Future(delay)
			if err != nil {
				return nil, err
			}
			lanes[i] = append(lanes[i], f)
		}
	}
	return lanes, nil
}
