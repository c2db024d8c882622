//go:build linux

package faults

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/testkit"
)

// The flags that select the form of the suite.
var (
	full     = flag.Bool("faults.full", false, "run each case at full size: 100,000 tasks, 50 kills; minutes per case, not seconds")
	seeds    = flag.Int("faults.seeds", 1, "run each case with so many seeds")
	seed     = flag.Uint64("faults.seed", 0, "first seed of the instants of the faults; 0 draws one")
	patience = flag.Duration("faults.patience", 0, "wait so much longer for tasks that are past their bounds, to measure how late they are")
)

// program is the path of the tested program.
var program string

func TestMain(m *testing.M) {
	goredis.SetLogger(silent{})
	if addr := os.Getenv(handlerEnv); addr != "" {
		os.Exit(beHandlerWorker(addr))
	}
	flag.Parse()
	code, err := start(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "internal/faults:", err)
		code = 1
	}
	os.Exit(code)
}

// start builds the program and runs the tests.
func start(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "wheelscope-faults-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if program, err = testkit.BuildProgram(dir); err != nil {
		return 0, err
	}
	code = m.Run()
	printTable()
	return code, nil
}

// silent discards messages of go-redis about servers that do not answer.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}
