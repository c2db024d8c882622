package lane

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

// rapidChecks is how often a random property is tried, unless the command line says:
// every action runs scripts in an interpreter.
const rapidChecks = "4"

func TestMain(m *testing.M) {
	if !slices.ContainsFunc(os.Args, func(a string) bool { return strings.Contains(a, "rapid.checks") }) {
		if err := flag.Set("rapid.checks", rapidChecks); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
