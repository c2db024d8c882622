package rediswheel

import (
	"context"
	"errors"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/hashtag"
)

// Description describes a wheel without its tasks.
type Description struct {
	Name     string   `json:"name"`
	Format   string   `json:"format"` // version of what is stored in Redis
	Shards   int      `json:"shards"`
	ID       string   `json:"id"` // changes when Redis has lost the wheel and it is created again
	Paused   bool     `json:"paused"`
	Lost     int64    `json:"losses_seen"` // number of data losses detected since the wheel was last created
	Prefixes []string `json:"prefixes"`    // key prefixes of the shards
}

// Describe reads the description of the wheel from Redis.
func (w *Wheel) Describe(ctx context.Context) (Description, error) {
	d, _, err := w.describe(ctx, 0)
	if err != nil {
		return Description{}, connect.Explain(err, w.addr)
	}
	return Description{Name: w.name, Format: format, Shards: d.count, ID: d.id, Paused: d.paused,
		Lost: d.lost, Prefixes: hashtag.Prefixes(w.name, d.count)}, nil
}

// SetPaused pauses or resumes the wheel. No task is claimed after SetPaused(ctx, true) has returned nil; workers
// resume claiming within worker.PauseDelay. While the
// wheel is paused, tasks can be added and removed, and tasks in flight are finished.
func (w *Wheel) SetPaused(ctx context.Context, paused bool) error {
	if _, err := w.Describe(ctx); err != nil {
		return err
	}
	now := w.refreshed(ctx)
	key, err := w.name+":wheel", error(nil)
	if paused {
		err = w.client.HSet(ctx, key, fieldPaused, 1).Err()
	} else {
		err = w.client.HDel(ctx, key, fieldPaused).Err()
	}
	if err == nil {
		_, err = w.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
			for _, s := range now.shards {
				p.SetXX(ctx, s.mark(), markValue(paused), 0)
			}
			return nil
		})
	}
	if errors.Is(err, goredis.Nil) { // a mark is missing; the next script reports the loss
		err = nil
	}
	return connect.Explain(err, w.addr)
}
