package rediswheel

import (
	"cmp"
	"context"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
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

// position is a position in the list of all tasks of a state, which is ordered by time and key.
type position struct {
	at  int64 // Found.At, a Unix time in milliseconds
	key string
}

// scan returns up to limit tasks of the shard that match q and follow the position cursor. It also returns
// the position to continue from, and whether there may be more tasks. One call examines a limited number of
// tasks, so it may return none although there are more.
func (s Shard) scan(ctx context.Context, q *Query, cursor position, limit int) (list []Found, next position, more bool, err error) {
	answer, err := s.run(ctx, scanScript, string(q.State), cursor.at, cursor.key, limit, string(cmp.Or(q.View, ViewFull)), q.Match,
		strings.ToLower(q.Host), q.Error)
	if err != nil {
		return nil, cursor, false, err
	}
	r := &reply.Reader{List: answer}
	more = r.Int() == 1
	next = position{r.Int(), r.Text()}
	for r.More() {
		f := Found{Key: r.Text(), State: q.State, At: r.Int(), Record: r.Text()}
		f.Attempts, f.Reason = readClaim(r.Text())
		list = append(list, f)
	}
	return list, next, more, r.Err
}

// List returns up to limit tasks in the given state, ordered by time (Found.At) and key. The list starts after
// the position given by the arguments at, a Unix time in milliseconds, and key.
func (s Shard) List(ctx context.Context, state State, at int64, key string, limit int) ([]Found, error) {
	var all []Found
	q := Query{State: state}
	cursor, more := position{at, key}, true
	for more && len(all) < limit {
		var list []Found
		var err error
		if list, cursor, more, err = s.scan(ctx, &q, cursor, limit-len(all)); err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// retry makes tasks due immediately and returns the number of tasks changed. keysAt has two elements for each task:
// its key, and the time (Found.At) with which it was listed. A task is left unchanged if it is already due, is no
// longer in the given state, or no longer has that time. If the time is an empty string, it is not compared.
func (s Shard) retry(ctx context.Context, state State, keysAt []string) (int, error) {
	return s.change(ctx, retryScript, state, keysAt)
}

// removeListed removes tasks and returns the number of tasks removed. keysAt has two elements for each task: its key,
// and the time (Found.At) with which it was listed. A task that is no longer in the given state or no longer has that
// time is left unchanged; the times of tasks in flight are not compared.
func (s Shard) removeListed(ctx context.Context, state State, keysAt []string) (int, error) {
	return s.change(ctx, removeListedScript, state, keysAt)
}

// change runs script, which retries or removes tasks, and returns the number of tasks changed. state is the state in
// which the tasks were listed. keysAt has two elements for each task: its key, and the time (Found.At) with which it
// was listed.
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
