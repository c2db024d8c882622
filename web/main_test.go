package web

import (
	"flag"
	"os"
	"testing"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMain runs the tests, or the clients of a load benchmark in a child process.
func TestMain(m *testing.M) {
	if plan := os.Getenv(loadEnv); plan != "" {
		os.Exit(runLoad(plan))
	}
	goleak.VerifyTestMain(m)
}
