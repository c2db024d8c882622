package rediswheel

import (
	"cmp"
	"context"
	"fmt"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"iter"
	"slices"
	"strconv"
)

// checkQuery returns a one-line error if a query is invalid.
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
	shard  Shard
	behind position
	more   bool
	list   []Found
}

// fill reads pages of up to page tasks until s.list has a task or no page is left.
func (s *shardScan) fill(ctx context.Context, q *Query, page int) (err error) {
	for len(s.list) == 0 && s.more {
		if s.list, s.behind, s.more, err = s.shard.scan(ctx, q, s.behind, page); err != nil {
			return err
		}
	}
	return nil
}

// Tasks returns an iterator over the tasks of a query, in order of instant and key. It reads pages
// from Redis as they are consumed. A task that changes its state or instant during the iteration
// may appear twice or not at all. The iteration ends after an error.
func (w *Wheel) Tasks(ctx context.Context, q Query) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := checkQuery(&q); err != nil {
			yield(Info{}, err)
			return
		}
		w := w.refreshed(ctx)
		page := max(1, cmp.Or(q.Page, ListMax)/len(w.shards))
		scans := make([]*shardScan, len(w.shards))
		for i, s := range w.shards {
			scans[i] = &shardScan{shard: s, behind: position{max(q.From.UnixMilli(), 0), q.After}, more: true}
		}
		for {
			f, ok, err := nextTask(ctx, &q, scans, page)
			if err != nil {
				yield(Info{}, connect.Explain(err, w.addr))
				return
			}
			if !ok || !yield(newInfo(&f, q.View), nil) {
				return
			}
		}
	}
}

// nextTask removes and returns the first task of all scans, in order of instant and key. page is
// the number of tasks to read at a time. ok is false if no task is left.
func nextTask(ctx context.Context, q *Query, scans []*shardScan, page int) (f Found, ok bool, err error) {
	var first *shardScan
	for _, s := range scans {
		if err := s.fill(ctx, q, page); err != nil {
			return Found{}, false, err
		}
		if len(s.list) > 0 && (first == nil || before(&s.list[0], &first.list[0])) {
			first = s
		}
	}
	if first == nil {
		return Found{}, false, nil
	}
	f = first.list[0]
	first.list = first.list[1:]
	return f, true, nil
}

func before(a, b *Found) bool { return a.At < b.At || a.At == b.At && a.Key < b.Key }

// changeBatch is the number of tasks that one script retries or removes.
const changeBatch = 256

// RetryTask makes a task due at once if it is dead or waits for its next attempt, and reports
// whether it did. A dead task restarts with its first attempt.
func (w *Wheel) RetryTask(ctx context.Context, key string) (bool, error) {
	if err := checkKey(key); err != nil {
		return false, err
	}
	w = w.refreshed(ctx)
	for _, state := range []State{Dead, Retrying} {
		retried, err := w.shards[w.shardOf(key)].retry(ctx, state, []string{key, ""})
		if err != nil || retried == 1 {
			return retried == 1, connect.Explain(err, w.addr)
		}
	}
	return false, nil
}

// Retry makes the tasks of a query due at once and returns how many it changed, even if it also
// returns an error. The state must be Dead or Retrying. Dead tasks restart with their first
// attempt.
func (w *Wheel) Retry(ctx context.Context, q Query) (int, error) {
	if q.State != Dead && q.State != Retrying {
		return 0, fmt.Errorf("%w: state: %.40q, expected dead or retrying", ErrInput, q.State)
	}
	now, err := w.Now(ctx)
	if err != nil {
		return 0, err
	}
	return w.changeAll(ctx, q, Shard.retry, func(f *Found) bool { return q.State == Dead && f.At > now.UnixMilli() })
}

// RemoveTasks removes the tasks of a query and returns how many it removed, even if it also returns
// an error. A task that is added again during the call is not removed.
func (w *Wheel) RemoveTasks(ctx context.Context, q Query) (int, error) {
	return w.changeAll(ctx, q, Shard.removeListed, func(*Found) bool { return false })
}

// change is a method of Shard that changes listed tasks and returns how many it changed. keysAt
// has two elements per task, its key and the instant with which it was listed. A task whose state
// or instant has changed since then is not changed.
type change func(s Shard, ctx context.Context, state State, keysAt []string) (int, error)

// changeAll calls apply, which retries or removes tasks, for the tasks of a query, except those for
// which skip returns true, such as a task that has become dead again after this call retried it. It
// returns how many were changed.
func (w *Wheel) changeAll(ctx context.Context, q Query, apply change, skip func(*Found) bool) (int, error) {
	q.View = ViewKey
	if err := checkQuery(&q); err != nil {
		return 0, err
	}
	all := 0
	for _, s := range w.refreshed(ctx).shards {
		behind, more := position{max(q.From.UnixMilli(), 0), q.After}, true
		for more {
			var list []Found
			var err error
			if list, behind, more, err = s.scan(ctx, &q, behind, changeBatch); err != nil {
				return all, connect.Explain(err, w.addr)
			}
			args := make([]string, 0, 2*len(list))
			for i := range list {
				if !skip(&list[i]) {
					args = append(args, list[i].Key, strconv.FormatInt(list[i].At, 10))
				}
			}
			n, err := apply(s, ctx, q.State, args)
			all += n
			if err != nil {
				return all, connect.Explain(err, w.addr)
			}
		}
	}
	return all, nil
}
