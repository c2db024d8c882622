//go:build !race

// Long tests of one goroutine; see the Makefile.

package sim_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/simtest"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// TestGoldenCorners checks the hand-made scenarios of testdata/golden, which cover corner cases.
// Their traces were checked against the specification line by line.
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

// TestGoldenBuiltins checks the traces of built-in scenarios that are short enough to be read.
func TestGoldenBuiltins(t *testing.T) {
	for _, name := range []string{"three-slots", "reach", "clock-12", "ten-slots", "rounds-off-by-one", "paper-clock", "migration", "two-m",
		"kafka-stale-clock", "kafka-ranges", "riicarus-later-round", "riicarus-from-now", "netty-mask", "go-zombies",
		"lk668-whole-revolution", "xiaoxu-negative-delay", "godis-below-a-second", "clock-jump", "russellluo-early", "russellluo-deadlock"} {
		t.Run(name, func(t *testing.T) {
			simtest.Golden(t, name, "testdata/golden/builtin/"+name+".jsonl")
		})
	}
}

// TestGoldenDigests checks the digest of every built-in trace, in the order of their names,
// including the generated ones. The two long scenarios are represented by their shorter versions,
// unless the long ones are requested.
func TestGoldenDigests(t *testing.T) {
	file, list := "testdata/golden/builtin/digests.txt", library.Builtins()
	if testkit.Full() {
		file = "testdata/golden/builtin/digests-whole.txt"
		list = slices.DeleteFunc(slices.Clone(list), func(b *library.Scenario) bool { return !plantest.IsLong(b.Data) })
	}
	var got strings.Builder
	byName := func(a, b *library.Scenario) int { return strings.Compare(a.Name, b.Name) }
	for _, b := range slices.SortedFunc(slices.Values(list), byName) {
		p, err := program.Load(plantest.Short(b.Data))
		if err != nil {
			t.Fatalf("%s: %v", b.Name, err)
		}
		s, err := tracefile.Write(context.Background(), io.Discard, p, tracefile.Options{})
		if err != nil {
			t.Fatalf("%s: %v", b.Name, err)
		}
		fmt.Fprintf(&got, "%s %s %d events\n", s.SHA256, b.Name, s.Events)
	}
	if flag.Lookup("simtest.update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("digests are\n%swant\n%s(-simtest.update writes them anew)", got.String(), want)
	}
}
