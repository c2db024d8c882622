package cli

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/dustin/go-humanize"
	"github.com/wheelscope/wheelscope/internal/budget"
)

// memoryMin is the least memory that a server is given: the largest built-in scenarios
// and the Go runtime need as much.
const memoryMin = 512 << 20

// Shares of the memory that a server may take. Half of it can be reserved for runs,
// exports and the like; the rest is for what is not reserved one by one, and for what
// the garbage collector has not collected yet. The runtime works harder to stay within
// the second share.
const (
	reservedShare = 0.5
	runtimeShare  = 0.9
)

// budget returns the memory that can be reserved, and sets the runtime's limit unless
// the environment has one (GOMEMLIMIT).
func (f *serveFlags) budget() (*budget.Budget, error) {
	total := budget.Available() / 2
	if f.memory != "" {
		n, err := humanize.ParseBytes(f.memory)
		if err != nil || n > math.MaxInt64 {
			return nil, fmt.Errorf("--memory: %q is not a size such as 2GB or 1500MB", f.memory)
		}
		if n < memoryMin {
			return nil, fmt.Errorf("--memory: %s is less than %s", f.memory, humanize.Bytes(memoryMin))
		}
		total = int64(n)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(runtimeShare * float64(total)))
	}
	return budget.New(int64(reservedShare * float64(total))), nil
}
