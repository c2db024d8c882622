package rediswheel

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/hashtag"
)

// Description is what a wheel is, beside its tasks.
type Description struct {
	Name     string   `json:"name"`
	Layout   int      `json:"layout"` // version: 1 NAME{I}, 2 spread over the slots of a cluster
	Shards   int      `json:"shards"`
	ID       string   `json:"id"` // of the layout; empty before a program of this version has opened the wheel
	Paused   bool     `json:"paused"`
	Moving   bool     `json:"moving"`      // a move to another number of shards is under way, or was interrupted
	Lost     int64    `json:"losses_seen"` // times Redis was found to have lost data of the wheel, since it was last made
	Prefixes []string `json:"prefixes"`    // of the shards' keys
}

// Describe reads what Redis says of the wheel.
func (w *Wheel) Describe(ctx context.Context) (Description, error) {
	d, _, err := w.describe(ctx, 0)
	if err != nil {
		return Description{}, explain(err, w.addr)
	}
	return Description{Name: w.name, Layout: d.version, Shards: d.count, ID: d.id, Paused: d.paused,
		Moving: d.moving, Lost: d.lost, Prefixes: hashtag.Prefixes(w.name, d.version, d.count)}, nil
}

// SetPaused has workers stop claiming, within a second or so, or go on. Tasks can be added
// and removed all the same; what is in flight is finished.
func (w *Wheel) SetPaused(ctx context.Context, paused bool) error {
	if _, err := w.Describe(ctx); err != nil {
		return err
	}
	key := w.name + ":wheel"
	if !paused {
		return explain(w.client.HDel(ctx, key, fieldPaused).Err(), w.addr)
	}
	return explain(w.client.HSet(ctx, key, fieldPaused, 1).Err(), w.addr)
}

// checkShards refuses a number of shards that no wheel can have.
func checkShards(shards int) error {
	if shards < 1 || shards > ShardsMax {
		return fmt.Errorf("%w: shards: %d, expected 1 to %d", ErrInput, shards, ShardsMax)
	}
	return nil
}
