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

// Of returns the Layout with which wheel, a *rediswheel.Wheel, was opened. Package rediswheel sets the variable Of
// during initialisation, so Of is never nil in packages that import rediswheel.
var Of func(wheel any) Layout

// Layout gives a worker access to an opened wheel in one of its layouts. A layout consists of the number of
// shards and the names of their keys. Two Layout values are equal if they belong to the same opened wheel and
// the same layout. The methods are safe for concurrent use.
type Layout interface {
	// Addr returns the address of Redis, for error messages and logs.
	Addr() string
	// Client returns the client that the wheel was opened with.
	Client() goredis.UniversalClient
	// ID returns the unique ID of the layout.
	ID() string
	// Prefixes returns the key prefixes of the shards, indexed by shard. The caller must not change the slice.
	Prefixes() []string
	// Eviction returns the maxmemory policy under which Redis may evict tasks, or an empty string if it
	// does not evict tasks.
	Eviction() string

	// Latest returns the wheel's layout as last read from Redis by any goroutine.
	Latest() Layout
	// Status reports whether the wheel is paused, and whether the layout in Redis differs from this Layout.
	Status(ctx context.Context) (paused, changed bool, err error)
	// Renewals returns the number of times the layout has been reread since the wheel was opened. A worker calls
	// it before an operation, and passes the result to Renew if Redis refuses the operation.
	Renewals() int64
	// Renew rereads the wheel's layout from Redis and returns it. The argument seen is an earlier result of
	// Renewals. If another goroutine has reread the layout since that call to Renewals, Renew returns the result
	// of that goroutine instead. If Redis has lost the wheel, Renew creates the wheel again, unless it was opened
	// with Options.Existing.
	Renew(ctx context.Context, seen int64) (Layout, error)

	// LogTo sets the logger for messages about lost data and changes of the layout.
	LogTo(log *slog.Logger)
	// Restarted logs and counts the restart or replacement of the Redis process at address node. runID is the new
	// run ID, a random ID that a Redis process gets when it starts, and oldRunID is the old one, or empty if node is
	// a new address.
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

// Beat is the content of a heartbeat. A worker stores a heartbeat in Redis every [BeatEvery].
type Beat struct {
	Host        string    `json:"host"`
	PID         int       `json:"pid"`
	Started     time.Time `json:"started"`
	Concurrency int       `json:"concurrency"`
	Running     int64     `json:"running"`
	Calls       int64     `json:"calls"`
	Done        int64     `json:"done"`
	Failed      int64     `json:"failed"`
	// Late is a histogram of the lateness of the tasks delivered in the last few minutes. The keys are
	// indexes of rediswheel.Lateness in decimal; empty buckets are omitted.
	Late map[string]int64 `json:"late,omitempty"`
}
