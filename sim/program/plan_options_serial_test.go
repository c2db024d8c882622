//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package program_test

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// TestCheckEndsPlanning checks that an error of Check ends planning and that Check is not called
// again.
func TestCheckEndsPlanning(t *testing.T) {
	stop := errors.New("stop")
	calls := func(at int) (n int, err error) {
		_, err = program.LoadWith([]byte(twoGroups), program.Options{Check: func() error {
			if n++; n == at {
				return stop
			}
			return nil
		}})
		return n, err
	}
	all, err := calls(0)
	const steps = 2 // generated and resolve; sorting compares more often
	if err != nil || all < steps*40000/scenario.CheckOps+100 {
		t.Fatalf("%d calls, %v", all, err)
	}
	for at := 1; at <= all; at += testkit.Pick(9, 1) {
		if n, err := calls(at); n != at || err != stop {
			t.Errorf("the error of call %d: %d calls, %v", at, n, err)
		}
	}
}
