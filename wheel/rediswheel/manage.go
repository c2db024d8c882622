package rediswheel

import (
	"context"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
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
	d, err := w.engine.Describe(ctx)
	if err != nil {
		return Description{}, err
	}
	return Description{Name: w.Name(), Format: engine.Format, Shards: d.Shards, ID: d.ID, Paused: d.Paused,
		Lost: d.Lost, Prefixes: engine.Prefixes(w.Name(), d.Shards)}, nil
}

// SetPaused pauses or resumes the wheel. No task is claimed after SetPaused(ctx, true) has returned nil; workers
// resume claiming within worker.PauseDelay. While the
// wheel is paused, tasks can be added and removed, and tasks in flight are finished.
func (w *Wheel) SetPaused(ctx context.Context, paused bool) error {
	if _, err := w.Describe(ctx); err != nil {
		return err
	}
	return w.engine.Refreshed(ctx).SetPaused(ctx, paused)
}
