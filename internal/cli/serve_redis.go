package cli

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/web"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// taskStats counts the wheel on the Redis that was named, for the worker page; nil if
// none was. It connects when it is first asked, and again while that has not worked:
// the page is served with Redis away too. done closes the connection.
func (f *redisFlags) taskStats() (ask web.TaskStats, done func()) {
	if f.addr == "" {
		return nil, func() {}
	}
	var wheel *redis.Wheel
	done = func() {}
	ask = func(ctx context.Context) (redis.Stats, error) {
		if wheel == nil {
			w, end, err := f.open(ctx, redis.Options{})
			if err != nil {
				return redis.Stats{}, err
			}
			wheel, done = w, end
		}
		st, err := wheel.Stats(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("redis at " + f.addr + " does not answer in time")
		}
		return st, err
	}
	return ask, func() { done() }
}
