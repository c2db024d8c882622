//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package sim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/internal/extreme"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// TestEstimateOfExtremeScenarios checks that every scenario that loads stays within its estimate.
func TestEstimateOfExtremeScenarios(t *testing.T) {
	run := 0
	for seed := range uint64(150) {
		text := extreme.Small(rand.New(rand.NewPCG(seed, 2)))
		p, err := program.Load(text)
		if err != nil {
			continue
		}
		run++
		sim.RunMeasured(t, fmt.Sprintf("seed %d", seed), p, 20_000)
		if t.Failed() {
			t.Fatalf("%s", text)
		}
	}
	if run < 40 {
		t.Errorf("%d scenarios were run", run)
	}
}
