package rediswheel

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

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
	shard  Shard
	cursor position // position of the last task examined
	more   bool     // whether Redis may have more tasks
	list   []Found  // tasks that were read and not yet returned
}

// fill reads pages until s.list has a task or no page is left. page is the maximum number of tasks per page.
func (s *shardScan) fill(ctx context.Context, q *Query, page int) (err error) {
	for len(s.list) == 0 && s.more {
		if s.list, s.cursor, s.more, err = s.shard.scan(ctx, q, s.cursor, page); err != nil {
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
		w := w.refreshed(ctx)
		page := max(1, cmp.Or(q.Page, ListMax)/len(w.shards))
		scans := make([]*shardScan, len(w.shards))
		for i, s := range w.shards {
			scans[i] = &shardScan{shard: s, cursor: position{max(q.From.UnixMilli(), 0), q.After}, more: true}
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

// nextTask removes and returns the first task, by time and key, that any of the scans has. If a scan has no
// tasks left, nextTask reads its next page. page is the maximum number of tasks per page. ok is false if no
// task is left.
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

// changeBatch is the maximum number of tasks that one script retries or removes.
const changeBatch = 256

// RetryTask makes the task with the given key due immediately if it is dead or waiting for its next attempt, and
// reports whether it did. A dead task restarts with its first attempt.
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
	return w.changeAll(ctx, q, Shard.retry, func(f *Found) bool { return q.State == Dead && f.At > now.UnixMilli() })
}

// RemoveTasks removes the tasks that match q. It returns the number of tasks removed, even if it also returns
// an error. A task that is added again during the call may be removed, too.
func (w *Wheel) RemoveTasks(ctx context.Context, q Query) (int, error) {
	return w.changeAll(ctx, q, Shard.removeListed, func(*Found) bool { return false })
}

// change is the type of the methods Shard.retry and Shard.removeListed, which change tasks and return the number of
// tasks changed. keysAt has two elements per task: its key, and the time (Found.At) with which it was listed. A task
// is left unchanged if it is no longer in the given state, or no longer has that time. The times of tasks in flight
// are not compared, because they change when workers extend the leases.
type change func(s Shard, ctx context.Context, state State, keysAt []string) (int, error)

// changeAll calls apply, which retries or removes tasks, for the tasks that match q, and returns the number
// of tasks changed. It skips tasks for which skip returns true, such as a task that has become dead again
// after this call retried it.
func (w *Wheel) changeAll(ctx context.Context, q Query, apply change, skip func(*Found) bool) (int, error) {
	q.View = ViewKey
	if err := checkQuery(&q); err != nil {
		return 0, err
	}
	all := 0
	for _, s := range w.refreshed(ctx).shards {
		cursor, more := position{max(q.From.UnixMilli(), 0), q.After}, true
		for more {
			var list []Found
			var err error
			if list, cursor, more, err = s.scan(ctx, &q, cursor, changeBatch); err != nil {
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
