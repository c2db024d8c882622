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

// Of returns the layout that a *rediswheel.Wheel was opened with. Package rediswheel sets it when
// it is initialised. It is never nil in package worker, which imports rediswheel.
var Of func(wheel any) Layout

// Layout is a wheel in one layout: its number of shards and their keys. Two values are equal if they
// are the same layout of the same opened wheel. Its methods are safe for concurrent use.
type Layout interface {
	// Addr returns the address of Redis, for messages.
	Addr() string
	// Client returns the client that the wheel was opened with.
	Client() goredis.UniversalClient
	// ID returns the unique ID of the layout.
	ID() string
	// Prefixes returns the prefix of the keys of each shard. The caller must not change it.
	Prefixes() []string
	// Eviction returns the maxmemory policy by which Redis may evict tasks, or an empty string if
	// it evicts none.
	Eviction() string

	// Latest returns the wheel in the layout that was read last.
	Latest() Layout
	// Status reports whether the wheel is paused and whether its layout has changed: the layout in
	// Redis differs from this one, and no move to another layout is in progress.
	Status(ctx context.Context) (paused, changed bool, err error)
	// Renewals returns the number of times the layout was read again. A caller reads it before an
	// operation, and passes it to Renew if the operation is refused.
	Renewals() int64
	// Renew reads the layout again, unless that was done since Renewals returned seen, and returns
	// the layout to use. If Redis has lost the wheel, Renew creates it again.
	Renew(ctx context.Context, seen int64) (Layout, error)

	// LogTo sets the log for losses of data.
	LogTo(log *slog.Logger)
	// Restarted logs and counts a restart of a node, whose run ID changed from before to id.
	Restarted(node, id, before string)
	// Beat stores b as the heartbeat of the worker with the given ID; nil removes it.
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
	Late        map[string]int64 `json:"late,omitempty"` // lateness of the calls of the last minutes: number of calls by bucket
}
