package lane

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

// rapidChecks is the number of checks of each random property, unless the command line
// sets it. It is small because every action runs scripts in an interpreter.
const rapidChecks = "4"

func TestMain(m *testing.M) {
	if !slices.ContainsFunc(os.Args, func(a string) bool { return strings.Contains(a, "rapid.checks") }) {
		if err := flag.Set("rapid.checks", rapidChecks); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
