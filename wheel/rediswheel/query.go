package rediswheel

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// FilterMax is the maximum length, in bytes, of each of the fields Match, Host, Error and After of a Query.
const FilterMax = 1024

// Query selects the tasks in one state that satisfy all of its conditions. The tasks are ordered by time
// (Info.At) and key.
type Query struct {
	State State
	From  time.Time // earliest time (Info.At) of the tasks
	After string    // if not empty, tasks whose time is exactly From match only if their keys are greater than After

	Match string // pattern for the key: * matches any text, ? any byte; empty matches all keys
	Host  string // host name in the URL, without a port; empty matches all tasks
	Error string // text contained in the reason for the last failure; empty matches all tasks

	View View
	Page int // number of tasks read from Redis at a time, over all shards; 0 means ListMax
}

// View selects which parts of a task are read from Redis.
type View string

// Views of tasks.
const (
	ViewFull View = "full" // all parts of a task; the default
	ViewRow  View = "row"  // all parts, except that Task has only the method, the handler and the first 200 bytes of the URL, without credentials
	ViewKey  View = "key"  // only the key, the state and the time (Info.At)
)

// scan returns the part of q that does not change from page to page.
func (q *Query) scan() *engine.Scan {
	return &engine.Scan{State: string(q.State), View: string(cmp.Or(q.View, ViewFull)), Match: q.Match, Host: q.Host, Error: q.Error}
}

// checkQuery returns a one-line error if q is invalid.
func checkQuery(q *Query) error {
	if !slices.Contains(States, q.State) {
		return fmt.Errorf("%w: state: %.40q, expected waiting, in-flight, retrying or dead", ErrInput, q.State)
	}
	if q.Page < 0 || q.Page > ListMax {
		return fmt.Errorf("%w: page: %d, expected 1 to %d", ErrInput, q.Page, ListMax)
	}
	for name, text := range map[string]string{"match": q.Match, "host": q.Host, "error": q.Error, "after": q.After} {
		if len(text) > FilterMax {
			return fmt.Errorf("%w: %s: %d bytes, expected at most %d", ErrInput, name, len(text), FilterMax)
		}
	}
	return nil
}

// shardScan reads the tasks of one shard that match a query, page by page.
type shardScan struct {
	shard  engine.Shard
	cursor engine.Position // position of the last task examined
	more   bool            // whether Redis may have more tasks
	list   []engine.Found  // tasks that were read and not yet returned
}

// fill reads pages until s.list has a task or no page is left. page is the maximum number of tasks per page.
func (s *shardScan) fill(ctx context.Context, q *engine.Scan, page int) (err error) {
	for len(s.list) == 0 && s.more {
		if s.list, s.cursor, s.more, err = s.shard.Scan(ctx, q, s.cursor, page); err != nil {
			return err
		}
	}
	return nil
}

// Tasks returns an iterator over the tasks that match q, ordered by time (Info.At) and key. It reads pages of
// tasks from Redis as the loop needs them. A task whose state or time changes during the iteration may appear twice
// or not at all. The iteration ends after an error.
func (w *Wheel) Tasks(ctx context.Context, q Query) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := checkQuery(&q); err != nil {
			yield(Info{}, err)
			return
		}
		shards, what := w.engine.Refreshed(ctx).Shards(), q.scan()
		page := max(1, cmp.Or(q.Page, ListMax)/len(shards))
		scans := make([]*shardScan, len(shards))
		for i, s := range shards {
			scans[i] = &shardScan{shard: s, cursor: engine.Position{At: max(q.From.UnixMilli(), 0), Key: q.After}, more: true}
		}
		for {
			f, ok, err := nextTask(ctx, what, scans, page)
			if err != nil {
				yield(Info{}, connect.Explain(err, w.Addr()))
				return
			}
			if !ok || !yield(newInfo(&f, q.View), nil) {
				return
			}
		}
	}
}

// nextTask removes and returns the first task, by time and key, that any of the scans has. If a scan has no
// tasks left, nextTask reads its next page. page is the maximum number of tasks per page. ok is false if no
// task is left.
func nextTask(ctx context.Context, q *engine.Scan, scans []*shardScan, page int) (f engine.Found, ok bool, err error) {
	var first *shardScan
	for _, s := range scans {
		if err := s.fill(ctx, q, page); err != nil {
			return engine.Found{}, false, err
		}
		if len(s.list) > 0 && (first == nil || before(&s.list[0], &first.list[0])) {
			first = s
		}
	}
	if first == nil {
		return engine.Found{}, false, nil
	}
	f = first.list[0]
	first.list = first.list[1:]
	return f, true, nil
}

func before(a, b *engine.Found) bool { return a.At < b.At || a.At == b.At && a.Key < b.Key }

// changeBatch is the maximum number of tasks that one script retries or removes.
const changeBatch = 256

// RetryTask makes the task with the given key due immediately if it is dead or waiting for its next attempt, and
// reports whether it did. A dead task restarts with its first attempt.
func (w *Wheel) RetryTask(ctx context.Context, key string) (bool, error) {
	if err := checkKey(key); err != nil {
		return false, err
	}
	s := w.engine.Refreshed(ctx).Shard(key)
	for _, state := range []State{Dead, Retrying} {
		retried, err := s.Retry(ctx, string(state), []string{key, ""})
		if err != nil || retried == 1 {
			return retried == 1, connect.Explain(err, w.Addr())
		}
	}
	return false, nil
}

// Retry makes the tasks that match q due immediately. It returns the number of tasks changed, even if it also returns
// an error. q.State must be Dead or Retrying. Dead tasks restart with their first attempt.
func (w *Wheel) Retry(ctx context.Context, q Query) (int, error) {
	if q.State != Dead && q.State != Retrying {
		return 0, fmt.Errorf("%w: state: %.40q, expected dead or retrying", ErrInput, q.State)
	}
	now, err := w.Now(ctx)
	if err != nil {
		return 0, err
	}
	return w.changeAll(ctx, q, engine.Shard.Retry, func(f *engine.Found) bool { return q.State == Dead && f.At > now.UnixMilli() })
}

// RemoveTasks removes the tasks that match q. It returns the number of tasks removed, even if it also returns
// an error. A task that is added again during the call may be removed, too.
func (w *Wheel) RemoveTasks(ctx context.Context, q Query) (int, error) {
	return w.changeAll(ctx, q, engine.Shard.RemoveListed, func(*engine.Found) bool { return false })
}

// change is the type of the methods Retry and RemoveListed of engine.Shard, which change tasks and return the number of
// tasks changed. keysAt has two elements per task: its key, and the time (Found.At) with which it was listed. A task
// is left unchanged if it is no longer in the given state, or no longer has that time. The times of tasks in flight
// are not compared, because they change when workers extend the leases.
type change func(s engine.Shard, ctx context.Context, state string, keysAt []string) (int, error)

// changeAll calls apply, which retries or removes tasks, for the tasks that match q, and returns the number
// of tasks changed. It skips tasks for which skip returns true, such as a task that has become dead again
// after this call retried it.
func (w *Wheel) changeAll(ctx context.Context, q Query, apply change, skip func(*engine.Found) bool) (int, error) {
	q.View = ViewKey
	if err := checkQuery(&q); err != nil {
		return 0, err
	}
	all := 0
	what := q.scan()
	for _, s := range w.engine.Refreshed(ctx).Shards() {
		cursor, more := engine.Position{At: max(q.From.UnixMilli(), 0), Key: q.After}, true
		for more {
			var list []engine.Found
			var err error
			if list, cursor, more, err = s.Scan(ctx, what, cursor, changeBatch); err != nil {
				return all, connect.Explain(err, w.Addr())
			}
			args := make([]string, 0, 2*len(list))
			for i := range list {
				if !skip(&list[i]) {
					args = append(args, list[i].Key, strconv.FormatInt(list[i].At, 10))
				}
			}
			n, err := apply(s, ctx, string(q.State), args)
			all += n
			if err != nil {
				return all, connect.Explain(err, w.Addr())
			}
		}
	}
	return all, nil
}
