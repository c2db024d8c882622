package rediswheel

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// ListMax is the maximum number of tasks that one call to List returns.
const ListMax = 1000

// Info is a task and its state.
type Info struct {
	Key      string
	State    State
	Task     Task
	Due      time.Time // due time with which the task was added
	At       time.Time // depending on State, when the task is due, when its lease lapses, when it will be retried, or when it was declared dead
	Attempts int
	Reason   string // reason for the last failure, or for which a due task for a handler waits
	Err      error  // error if the stored task could not be parsed; Task is then empty
}

// newInfo converts f to an Info. view is the View with which f was read. With ViewKey, newInfo sets only the fields
// Key, State and At.
func newInfo(f *engine.Found, view View) Info {
	if view == ViewKey {
		return Info{Key: f.Key, State: State(f.State), At: time.UnixMilli(f.At).UTC()}
	}
	t, due, err := ReadRecord(f.Record)
	i := Info{Key: f.Key, State: State(f.State), Task: t, Due: time.UnixMilli(due).UTC(), At: time.UnixMilli(f.At).UTC(),
		Attempts: f.Attempts, Reason: f.Reason, Err: err}
	if i.State == Waiting && t.Handler != "" && i.Reason == "" && time.Since(i.At) > OverdueAfter {
		i.Reason = fmt.Sprintf("no worker with the handler %.80q has claimed it", t.Handler)
	}
	return i
}

// Get returns the task with the given key, or false if there is none. Delivered tasks are not kept.
func (w *Wheel) Get(ctx context.Context, key string) (Info, bool, error) {
	if err := checkKey(key); err != nil {
		return Info{}, false, err
	}
	f, ok, err := w.engine.Refreshed(ctx).Shard(key).Get(ctx, key)
	if !ok || err != nil {
		return Info{}, false, connect.Explain(err, w.Addr())
	}
	return newInfo(&f, ViewFull), true, nil
}

// List returns up to limit tasks (1 to ListMax) in the given state whose time (Info.At) is not before from,
// ordered by time and key. For more tasks, and those after another one, see [Wheel.Tasks].
func (w *Wheel) List(ctx context.Context, state State, from time.Time, limit int) ([]Info, error) {
	if limit < 1 || limit > ListMax {
		return nil, fmt.Errorf("%w: limit: %d, expected 1 to %d", ErrInput, limit, ListMax)
	}
	var list []Info
	for info, err := range w.Tasks(ctx, Query{State: state, From: from, Page: limit}) {
		if err != nil {
			return nil, err
		}
		list = append(list, info)
		if len(list) == limit {
			break
		}
	}
	return list, nil
}

// ShardStats returns the statistics of each shard of the wheel.
func (w *Wheel) ShardStats(ctx context.Context) ([]Stats, error) {
	var list []Stats
	for _, s := range w.engine.Refreshed(ctx).Shards() {
		st, err := readStats(ctx, s)
		if err != nil {
			return nil, connect.Explain(err, w.Addr())
		}
		list = append(list, st)
	}
	return list, nil
}

// Stats returns the statistics of the whole wheel, summed over its shards.
func (w *Wheel) Stats(ctx context.Context) (Stats, error) {
	var sum Stats
	list, err := w.ShardStats(ctx)
	if err != nil {
		return Stats{}, err
	}
	for _, st := range list {
		sum.add(st)
	}
	slices.SortFunc(sum.Minutes, func(a, b Minute) int { return cmp.Compare(a.Minute, b.Minute) })
	sum.Minutes = mergeMinutes(sum.Minutes)
	sum.MinutesAll = max(sum.MinutesAll, int64(len(sum.Minutes)))
	return sum, nil
}

// mergeMinutes merges the entries of list that are for the same minute but from different shards. list must be sorted
// by minute. The result contains only the first MinutesMax minutes.
func mergeMinutes(list []Minute) []Minute {
	var merged []Minute
	for _, m := range list {
		if n := len(merged); n > 0 && merged[n-1].Minute == m.Minute {
			merged[n-1].Tasks += m.Tasks
		} else if n < MinutesMax {
			merged = append(merged, m)
		}
	}
	return merged
}
