package rediswheel

import (
	"cmp"
	"context"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
)

// FilterMax is the maximum length of Match, Host, Error and After in a Query, in bytes.
const FilterMax = 1024

// Query selects tasks of one state, ordered by instant (Info.At) and key.
type Query struct {
	State State
	From  time.Time // earliest instant (Info.At) of the tasks
	After string    // of the tasks whose instant is From, only those with a greater key are selected; empty means all

	Match string // pattern of the key: * matches any text, ? any byte; empty means all
	Host  string // host name of the URL, without a port; empty means all
	Error string // text contained in the reason of the last failure; empty means all

	View View
	Page int // number of tasks read from Redis at a time, over all shards; 0 means ListMax
}

// View selects which parts of a task are read from Redis.
type View string

// Views of tasks.
const (
	ViewFull View = "full" // all parts; the default
	ViewRow  View = "row"  // all parts except body, headers and credentials, and only the first 200 bytes of the URL
	ViewKey  View = "key"  // only key, state and instant
)

// position is a position in the list of all tasks of a state, which is ordered by instant and key.
type position struct {
	at  int64 // instant in ms since 1970
	key string
}

// scan returns up to `most` tasks of the shard that match query q and follow the position behind.
// It also returns the position to continue from, and whether there may be more tasks. One call
// examines a limited number of tasks, so it may return none although there are more.
func (s Shard) scan(ctx context.Context, q *Query, behind position, most int) (list []Found, next position, more bool, err error) {
	answer, err := s.run(ctx, scanScript, string(q.State), behind.at, behind.key, most, string(cmp.Or(q.View, ViewFull)), q.Match,
		strings.ToLower(q.Host), q.Error)
	if err != nil {
		return nil, behind, false, err
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

// List returns up to limit tasks of a state, ordered by instant and key. It returns tasks whose
// instant is later than `from` (ms since 1970), and tasks whose instant is `from` and whose key is
// greater than `after`.
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

// retry makes the tasks in keysAt (see type change) due at once and returns how many it changed.
// See scripts/retry.lua.
func (s Shard) retry(ctx context.Context, state State, keysAt []string) (int, error) {
	return s.change(ctx, retryScript, state, keysAt)
}

// removeListed removes the tasks in keysAt (see type change) and returns how many it removed. See
// scripts/remove_listed.lua.
func (s Shard) removeListed(ctx context.Context, state State, keysAt []string) (int, error) {
	return s.change(ctx, removeListedScript, state, keysAt)
}

// change runs a script on the tasks in keysAt (see type change) and returns how many it changed.
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
