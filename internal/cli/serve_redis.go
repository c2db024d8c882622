package cli

import (
	"context"

	"github.com/wheelscope/wheelscope/web"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// taskStats counts the wheel on the Redis that was named, for the worker page; nil if
// none was. It connects when it is first asked, and again while that has not worked:
// the page is served with Redis away, or without a wheel there, too. done closes the connection.
func (f *redisFlags) taskStats() (ask web.TaskStats, done func()) {
	if f.addr == "" {
		return nil, func() {}
	}
	var wheel *redis.Wheel
	done = func() {}
	ask = func(ctx context.Context) (redis.Stats, error) {
		if wheel == nil {
			w, end, err := f.open(ctx, redis.Options{Existing: true})
			if err != nil {
				return redis.Stats{}, err
			}
			wheel, done = w, end
		}
		return wheel.Stats(ctx)
	}
	return ask, func() { done() }
}
