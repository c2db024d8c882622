package cli

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/wheel/redis"
)

// The waits between attempts to open a wheel on a Redis that does not answer.
const (
	openFirst = 50 * time.Millisecond
	openMax   = time.Second
)

// openWhenReady is open for a long-running program: until ctx ends, it waits for a Redis that
// does not answer or accepts no writes, and reports each cause once. It returns other errors,
// such as a wrong password, since waiting does not help. o.Log must be set.
func (f *redisFlags) openWhenReady(ctx context.Context, o redis.Options) (*redis.Wheel, func(), error) {
	reported := ""
	for wait := openFirst; ; wait = min(2*wait, openMax) {
		w, done, err := f.open(ctx, o)
		if err == nil {
			if reported != "" {
				o.Log.Info("Redis answers")
			}
			return w, done, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if !errors.Is(err, redis.ErrAway) && !errors.Is(err, redis.ErrRefused) {
			return nil, nil, err
		}
		if text := oneLine(err.Error()); text != reported {
			reported = text
			o.Log.Error(text + "; the worker keeps trying")
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}
