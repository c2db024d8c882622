package simtest_test

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/simtest"
)

// A test compares the run of a scenario, every event of it, with a golden file. With the flag -simtest.update it
// writes the file.
func ExampleGolden() {
	_ = func(t *testing.T) { // func TestTimeouts(t *testing.T)
		simtest.Golden(t, "testdata/timeouts.json", "testdata/timeouts.jsonl")
	}
}

// A test compares only which timer fires at which tick, so that the placement of timers may change.
func ExampleGoldenExpiries() {
	_ = func(t *testing.T) { // func TestTimeouts(t *testing.T)
		simtest.GoldenExpiries(t, "three-slots", "testdata/three-slots.expiries.jsonl")
	}
}
