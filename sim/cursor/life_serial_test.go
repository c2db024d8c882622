//go:build !race

// A long test of one goroutine, in which the race detector finds nothing; see the Makefile.

package cursor

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// TestLifeInAGreatTick checks that the history of a timer is found if the tick in which it is
// scheduled has many events.
func TestLifeInAGreatTick(t *testing.T) {
	r := openRunSized(t, plantest.Load(t, plantest.OneTick(25_000)), sim.DefaultSizes)
	last, err := TimerHistoryOf(t.Context(), r, 25_000, 20)
	if err != nil || len(last.Records) == 0 || last.Records[0].Kind != wheel.KindSchedule {
		t.Errorf("the life of the timer scheduled last: %+v, %v", last, err)
	}
}
