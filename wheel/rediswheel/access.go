package rediswheel

import (
	"context"
	"encoding/json"
	"log/slog"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/layout"
)

func init() { layout.Of = func(w any) layout.Layout { return access{w.(*Wheel)} } }

// access implements layout.Layout, through which package worker uses a wheel.
type access struct{ w *Wheel }

// Addr returns the address of Redis, for error messages and logs.
func (a access) Addr() string { return a.w.addr }

// Client returns the Redis client that the wheel was opened with.
func (a access) Client() goredis.UniversalClient { return a.w.client }

// ID returns the unique ID of the wheel's layout. The layout determines the number of shards and the names of
// their keys.
func (a access) ID() string { return a.w.id }

// Prefixes returns the key prefixes of the shards, indexed by shard.
func (a access) Prefixes() []string {
	list := make([]string, len(a.w.shards))
	for i, s := range a.w.shards {
		list[i] = s.Prefix
	}
	return list
}

// Eviction returns the maxmemory policy under which Redis may evict tasks, or an empty string if it does
// not evict tasks.
func (a access) Eviction() string { return a.w.eviction }

// Latest returns the wheel's layout as last read from Redis by any goroutine.
func (a access) Latest() layout.Layout { return access{a.w.latest()} }

// Status reports whether the wheel is paused, and whether the layout in Redis differs from that of a.
func (a access) Status(ctx context.Context) (paused, changed bool, err error) {
	values, err := a.w.client.HMGet(ctx, a.w.name+":wheel", fieldID, fieldPaused).Result()
	if err != nil {
		return false, false, err
	}
	return values[1] == "1", values[0] != a.w.id, nil
}

// Renewals returns the number of times the layout has been reread since the wheel was opened.
func (a access) Renewals() int64 { return a.w.current.renewals.Load() }

// Renew rereads the wheel's layout from Redis and returns it. The argument seen is an earlier result of
// Renewals. If another goroutine has reread the layout since that call to Renewals, Renew returns the result
// of that goroutine instead.
func (a access) Renew(ctx context.Context, seen int64) (layout.Layout, error) {
	next, err := a.w.renew(ctx, seen)
	if err != nil {
		return nil, err
	}
	return access{next}, nil
}

// LogTo sets the logger for messages about lost data and changes of the layout.
func (a access) LogTo(log *slog.Logger) { a.w.current.log.Store(log) }

// Restarted logs and counts the restart or replacement of the Redis process at address node. runID is the new run ID, a
// random ID that a Redis process gets when it starts, and oldRunID is the old one, or empty if node is a new address.
func (a access) Restarted(node, runID, oldRunID string) {
	a.w.lost(&a.w.current.restarts, "another Redis process answers (restart or failover): what was not saved or replicated is lost",
		"node", node, "run_id", runID, "before", oldRunID)
}

// Beat stores b as the heartbeat of the worker with the given ID, or removes the heartbeat if b is nil.
func (a access) Beat(ctx context.Context, worker string, b *layout.Beat) error {
	text := ""
	if b != nil {
		line, err := json.Marshal(b)
		if err != nil {
			return err
		}
		text = string(line)
	}
	return beatScript.Run(ctx, a.w.client, []string{a.w.workersKey()}, worker, text, beatForget.Milliseconds(), workersMax).Err()
}
