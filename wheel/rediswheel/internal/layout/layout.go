// Package layout declares the methods of an opened wheel that only workers need, so that package
// rediswheel does not export them to other programs.
//
// Package rediswheel implements [Layout] and sets [Of]. Package worker calls Of.
package layout

import (
	"context"
	"log/slog"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// Of returns the layout with which a *rediswheel.Wheel was opened. Package rediswheel sets it during
// initialisation, so it is never nil in package worker, which imports rediswheel.
var Of func(wheel any) Layout

// Layout is a wheel in one layout, which determines the number of shards and the names of their keys. Two
// values are equal if they are the same layout of the same opened wheel. Methods are safe for concurrent use.
type Layout interface {
	// Addr returns the address of Redis, for messages.
	Addr() string
	// Client returns the client that the wheel was opened with.
	Client() goredis.UniversalClient
	// ID returns the unique ID of the layout.
	ID() string
	// Prefixes returns the key prefix of each shard, by the index of the shard. The caller must not change
	// the slice.
	Prefixes() []string
	// Eviction returns the maxmemory policy by which Redis may evict tasks, or an empty string if
	// it evicts none.
	Eviction() string

	// Latest returns the wheel in the layout that was last read from Redis.
	Latest() Layout
	// Status reports whether the wheel is paused, and whether its layout has changed. changed is true if the
	// layout in Redis differs from this one and no move to another layout is in progress.
	Status(ctx context.Context) (paused, changed bool, err error)
	// Renewals returns the number of times the layout was read again. A caller calls it before an operation,
	// and passes the result to Renew if the operation is refused.
	Renewals() int64
	// Renew reads the layout again and returns the wheel in the layout to use. It skips the read if the
	// layout was read since Renewals returned seen. If Redis has lost the wheel, Renew creates it
	// again, unless the wheel was opened with Options.Existing.
	Renew(ctx context.Context, seen int64) (Layout, error)

	// LogTo sets the logger for messages about lost data and changes of the layout.
	LogTo(log *slog.Logger)
	// Restarted logs and counts a restart of a node. Its run ID was oldRunID and is now runID.
	Restarted(node, runID, oldRunID string)
	// Beat stores b as the heartbeat of the worker with the given ID, or removes the heartbeat if b is nil.
	Beat(ctx context.Context, worker string, b *Beat) error
}

// Refused reports whether err, the error of a script, means that Redis refused the script because the shard lacks
// the key that marks it as part of the caller's layout. See common.lua.
func Refused(err error) bool {
	return err != nil && strings.HasPrefix(strings.TrimPrefix(err.Error(), "ERR "), "LAYOUT ")
}

// BeatEvery is the time between two heartbeats of a worker.
const BeatEvery = 5 * time.Second

// Beat is the content of a heartbeat.
type Beat struct {
	Host        string           `json:"host"`
	PID         int              `json:"pid"`
	Started     time.Time        `json:"started"`
	Concurrency int              `json:"concurrency"`
	Running     int64            `json:"running"`
	Calls       int64            `json:"calls"`
	Done        int64            `json:"done"`
	Failed      int64            `json:"failed"`
	Late        map[string]int64 `json:"late,omitempty"` // number of calls in the last few minutes, by bucket of rediswheel.Lateness
}
