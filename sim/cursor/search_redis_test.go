package cursor

import (
	"runtime"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
)

// The slots of a Redis lane are seconds since 1970. A search for a slot with more than one
// timer counts the few slots in use and allocates nothing for those between.
func TestSlotSearchOnRedis(t *testing.T) {
	searched := 0
	for _, b := range library.Builtins() {
		if !strings.HasPrefix(b.Name, "redis-") {
			continue
		}
		searched++
		p := plantest.Load(t, string(b.Data))
		r := openRunSized(t, p, sim.DefaultSizes)
		if _, err := r.EndSeq(t.Context()); err != nil {
			t.Fatal(err)
		}
		var was, is runtime.MemStats
		runtime.ReadMemStats(&was)
		searchTo(t, r, Query{Condition: ConditionSlot, Lane: -1, Over: 1}, sim.Position{Whole: true}, true)
		runtime.ReadMemStats(&is)
		if n := is.TotalAlloc - was.TotalAlloc; n > 64<<20 { // a lane with its Lua interpreter takes a few MB
			t.Errorf("%s: the search allocated %d bytes", b.Name, n)
		}
	}
	if searched < 5 {
		t.Errorf("only %d scenarios on Redis", searched)
	}
}
