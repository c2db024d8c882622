package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// No number in a reply needs more than 32 bits, because an embedded server on a 32-bit machine
// would truncate it.
func TestNumbersOfRepliesAreSmall(t *testing.T) {
	redistest.OnBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		later := time.Now().AddDate(1, 0, 0).UnixMilli()
		redistest.Must(s.Add(ctx, []Entry{record("now", 1), record("later", later)}))(t)
		look := func(script *goredis.Script, args ...any) {
			t.Helper()
			if at := numberAbove32Bits(redistest.Must(s.run(ctx, script, args...))(t)); at != 0 {
				t.Errorf("%v: a reply has %d", args, at)
			}
		}
		look(statsScript, 240, 1000)
		look(getScript, "later")
		look(scanScript, "waiting", 0, "", 9, "full", "", "", "")
		look(claimScript, 9, 60_000)
		look(claimScript, 9, 60_000) // nothing is due: the reply is how long to wait
		look(getScript, "now")
		look(scanScript, "in-flight", 0, "", 9, "full", "", "", "")
	})
}

// numberAbove32Bits returns a number of a reply that does not fit in 32 bits, or 0.
func numberAbove32Bits(v any) int64 {
	switch v := v.(type) {
	case int64:
		if v != int64(int32(v)) {
			return v
		}
	case []any:
		for _, one := range v {
			if n := numberAbove32Bits(one); n != 0 {
				return n
			}
		}
	}
	return 0
}

// record returns a task to add.
func record(key string, due int64) Entry {
	return Entry{key, due, fmt.Sprintf("1 %d {\"url\":\"http://x\"}\n", due)}
}
