package timerhttp

import (
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// Operations are in order of their ticks, however far apart they are, also on 32-bit
// machines.
func TestScenarioIsInOrder(t *testing.T) {
	const apart = wheel.Tick(3_000_000_000) // an hour of microseconds
	r := watch.Recording{End: 2 * apart, Whole: true, Ops: []watch.Op{
		{Timer: 1, Delay: 5}, {At: apart, Timer: 1, Stop: true}, // of one shard
		{At: 1, Timer: 2, Delay: 7}, {At: apart + 1, Timer: 2, Stop: true}, // of another shard
	}}
	data, err := scenarioOf(&watch.Info{Algorithm: "heap", Tick: time.Microsecond, Shards: 2}, &r)
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, op := range []string{`"at": 0`, `"at": 1,`, `"at": 3000000000`, `"at": 3000000001`} {
		next := strings.Index(string(data), op)
		if next <= at {
			t.Fatalf("%s is not in its place:\n%s", op, data)
		}
		at = next
	}
}
