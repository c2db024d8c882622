package redis

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// FilterMax is the longest pattern, host or part of a reason in a Query, in bytes.
const FilterMax = 1024

// Query chooses tasks of one state. Tasks are ordered by their instant, then by key.
type Query struct {
	State State
	From  time.Time // the first instant
	After string    // of the tasks at From those with a key up to this one are left out; may be empty

	Match string // pattern of keys: * is any text, ? any byte; empty: all
	Host  string // host name of the URL, without a port; empty: all
	Error string // part of the reason of the last failure; empty: all

	View View
	Page int // tasks that are read from Redis at a time, over all shards; 0: ListMax
}

// View says how much of a task is read from Redis.
type View string

// Views of tasks.
const (
	ViewFull View = "full" // everything; the default
	ViewRow  View = "row"  // without body, headers and credentials, and with the first 200 bytes of the URL
	ViewKey  View = "key"  // key, state and instant only
)

// check reports what is wrong with a query, in one line.
func (q *Query) check() error {
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

// position is a place in the order of the tasks of a state.
type position struct {
	at  int64 // ms since 1970
	key string
}

// scan reads up to most tasks of the shard that pass the query, behind a position. It gives the
// position behind which the next call goes on, and whether there may be more tasks there. One call
// looks at a bounded number of tasks: it may give none although there are more.
func (s Shard) scan(ctx context.Context, q *Query, behind position, most int) (list []Found, next position, more bool, err error) {
	reply, err := s.run(ctx, scanScript, string(q.State), behind.at, behind.key, most, string(cmp.Or(q.View, ViewFull)), q.Match,
		strings.ToLower(q.Host), q.Error)
	if err != nil {
		return nil, behind, false, err
	}
	r := &reader{list: reply}
	more = r.int() == 1
	next = position{r.int(), r.text()}
	for r.more() {
		f := Found{Key: r.text(), State: q.State, At: r.int(), Record: r.text()}
		f.Attempts, f.Reason = readClaim(r.text())
		list = append(list, f)
	}
	return list, next, more, r.err
}

// List lists up to limit tasks of a state, by their instant, then by key, from an instant
// on; of those at from itself the keys up to after are left out.
func (s Shard) List(ctx context.Context, state State, from int64, after string, limit int) ([]Found, error) {
	var all []Found
	q := Query{State: state}
	behind, more := position{from, after}, true
	for more && len(all) < limit {
		var list []Found
		var err error
		if list, behind, more, err = s.scan(ctx, &q, behind, limit-len(all)); err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// shardScan reads the tasks of one shard page by page.
type shardScan struct {
	shard  Shard
	behind position
	more   bool
	list   []Found
}

// fill reads pages until there is a task, or none is left.
func (s *shardScan) fill(ctx context.Context, q *Query, page int) (err error) {
	for len(s.list) == 0 && s.more {
		if s.list, s.behind, s.more, err = s.shard.scan(ctx, q, s.behind, page); err != nil {
			return err
		}
	}
	return nil
}

// Tasks gives the tasks of a query in order, reading pages of them from Redis as they are consumed.
// A task that changes its state or instant meanwhile may be given twice or not at all. After an
// error it ends.
func (w *Wheel) Tasks(ctx context.Context, q Query) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := q.check(); err != nil {
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
				yield(Info{}, explain(err, w.addr))
				return
			}
			if !ok || !yield(f.info(q.View), nil) {
				return
			}
		}
	}
}

// nextTask takes the first of all shards' tasks.
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

// RetryTask makes a dead task, or one that waits for its next attempt, due at once. It reports
// whether there was one. A dead task starts again with its first attempt.
func (w *Wheel) RetryTask(ctx context.Context, key string) (bool, error) {
	if err := checkKey(key); err != nil {
		return false, err
	}
	w = w.refreshed(ctx)
	for _, state := range []State{Dead, Retrying} {
		retried, err := w.shards[w.shardOf(key)].change(ctx, retryScript, state, []string{key, ""})
		if err != nil || retried == 1 {
			return retried == 1, explain(err, w.addr)
		}
	}
	return false, nil
}

// Retry makes the tasks of a query due at once: dead ones, which start again with their first
// attempt, or those that wait for their next attempt. It gives their number, also with an error.
func (w *Wheel) Retry(ctx context.Context, q Query) (int, error) {
	if q.State != Dead && q.State != Retrying {
		return 0, fmt.Errorf("%w: state: %.40q, expected dead or retrying", ErrInput, q.State)
	}
	now, err := w.Now(ctx)
	if err != nil {
		return 0, err
	}
	return w.changeAll(ctx, q, retryScript, func(f *Found) bool { return q.State == Dead && f.At > now.UnixMilli() })
}

// RemoveTasks removes the tasks of a query and gives their number, also with an error. A task that
// is added again while this runs is not removed.
func (w *Wheel) RemoveTasks(ctx context.Context, q Query) (int, error) {
	return w.changeAll(ctx, q, removeListed, func(*Found) bool { return false })
}

// changeAll runs a script on the tasks of a query. It passes over those for which skip returns true,
// such as a task that became dead again since it was retried by this very call.
func (w *Wheel) changeAll(ctx context.Context, q Query, script *goredis.Script, skip func(*Found) bool) (int, error) {
	q.View = ViewKey
	if err := q.check(); err != nil {
		return 0, err
	}
	all := 0
	for _, s := range w.refreshed(ctx).shards {
		behind, more := position{max(q.From.UnixMilli(), 0), q.After}, true
		for more {
			var list []Found
			var err error
			if list, behind, more, err = s.scan(ctx, &q, behind, changeBatch); err != nil {
				return all, explain(err, w.addr)
			}
			args := make([]string, 0, 2*len(list))
			for i := range list {
				if !skip(&list[i]) {
					args = append(args, list[i].Key, strconv.FormatInt(list[i].At, 10))
				}
			}
			n, err := s.change(ctx, script, q.State, args)
			all += n
			if err != nil {
				return all, explain(err, w.addr)
			}
		}
	}
	return all, nil
}

// change runs a script that changes listed tasks, given as KEY AT, and counts those it changed.
func (s Shard) change(ctx context.Context, script *goredis.Script, state State, keysAt []string) (int, error) {
	if len(keysAt) == 0 {
		return 0, nil
	}
	args := make([]any, 0, 1+len(keysAt))
	args = append(args, string(state))
	for _, a := range keysAt {
		args = append(args, a)
	}
	reply, err := s.run(ctx, script, args...)
	changed, err := flags(reply, err, len(keysAt)/2)
	n := 0
	for _, c := range changed {
		if c {
			n++
		}
	}
	return n, err
}
