package sim_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/simtest"
)

// The hand-made scenarios of testdata/golden hold the corners of the algorithms;
// their traces were read line by line against the contract.
func TestGoldenCorners(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in testdata/golden: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			simtest.Golden(t, file, strings.TrimSuffix(file, ".json")+".jsonl")
		})
	}
}
