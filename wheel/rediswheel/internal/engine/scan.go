package engine

import (
	"context"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// Scan selects tasks of a shard; see rediswheel.Query for the filters.
type Scan struct {
	State, View, Match, Host, Error string
}

// Position is a position in the list of all tasks of a state, which is ordered by time and key.
type Position struct {
	At  int64 // Found.At, a Unix time in milliseconds
	Key string
}

// Scan returns up to limit tasks of the shard that match q and follow the position cursor. It also returns
// the position to continue from, and whether there may be more tasks. One call examines a limited number of
// tasks, so it may return none although there are more.
func (s Shard) Scan(ctx context.Context, q *Scan, cursor Position, limit int) (list []Found, next Position, more bool, err error) {
	answer, err := s.run(ctx, scanScript, q.State, cursor.At, cursor.Key, limit, q.View, q.Match,
		strings.ToLower(q.Host), q.Error)
	if err != nil {
		return nil, cursor, false, err
	}
	r := &Reader{List: answer}
	more = r.Int() == 1
	next = Position{r.Int(), r.Text()}
	for r.More() {
		f := Found{Key: r.Text(), State: q.State, At: r.Int(), Record: r.Text()}
		f.Attempts, f.Reason = readClaim(r.Text())
		list = append(list, f)
	}
	return list, next, more, r.Err
}

// Retry makes tasks due immediately and returns the number of tasks changed. keysAt has two elements for each task:
// its key, and the time (Found.At) with which it was listed. A task is left unchanged if it is already due, is no
// longer in the given state, or no longer has that time. If the time is an empty string, it is not compared.
func (s Shard) Retry(ctx context.Context, state string, keysAt []string) (int, error) {
	return s.change(ctx, retryScript, state, keysAt)
}

// RemoveListed removes tasks and returns the number of tasks removed. keysAt has two elements for each task: its key,
// and the time (Found.At) with which it was listed. A task that is no longer in the given state or no longer has that
// time is left unchanged; the times of tasks in flight are not compared.
func (s Shard) RemoveListed(ctx context.Context, state string, keysAt []string) (int, error) {
	return s.change(ctx, removeListedScript, state, keysAt)
}

// change runs script, which retries or removes tasks, and returns the number of tasks changed. state is the state in
// which the tasks were listed. keysAt has two elements for each task: its key, and the time (Found.At) with which it
// was listed.
func (s Shard) change(ctx context.Context, script *goredis.Script, state string, keysAt []string) (int, error) {
	if len(keysAt) == 0 {
		return 0, nil
	}
	args := make([]any, 0, 1+len(keysAt))
	args = append(args, state)
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
