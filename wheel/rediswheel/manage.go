package rediswheel

import (
	"context"

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

// SetPaused pauses or resumes the wheel. Workers stop or resume claiming within worker.PauseDelay. While the
// wheel is paused, tasks can be added and removed, and tasks in flight are finished.
func (w *Wheel) SetPaused(ctx context.Context, paused bool) error {
	if _, err := w.Describe(ctx); err != nil {
		return err
	}
	key := w.name + ":wheel"
	if !paused {
		return connect.Explain(w.client.HDel(ctx, key, fieldPaused).Err(), w.addr)
	}
	return connect.Explain(w.client.HSet(ctx, key, fieldPaused, 1).Err(), w.addr)
}
