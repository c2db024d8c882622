package rediswheel

import (
	"context"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/hashtag"
)

// Description describes a wheel without its tasks.
type Description struct {
	Name string `json:"name"`
	// Layout is the version of the layout: 1 for key prefixes NAME{I} with shard index I, 2 for prefixes that spread
	// the shards over the hash slots of a cluster.
	Layout   int      `json:"layout"`
	Shards   int      `json:"shards"`
	ID       string   `json:"id"` // ID of the layout; empty if only older programs, which write no ID, have opened the wheel
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
	return Description{Name: w.name, Layout: d.version, Shards: d.count, ID: d.id, Paused: d.paused,
		Lost: d.lost, Prefixes: hashtag.Prefixes(w.name, d.version, d.count)}, nil
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
