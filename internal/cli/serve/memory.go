package serve

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/wheelscope/wheelscope/internal/budget"
)

// memoryMin is the minimum value of --memory, in bytes. The largest built-in scenarios and the Go runtime need
// this much.
const memoryMin = 512 << 20

// Fractions of the memory that a server may use. reservedShare can be reserved for runs, exports and the like. The
// rest is for small allocations, which are not reserved, and for garbage that is not collected yet.
// runtimeShare is the memory limit of the Go runtime, which collects garbage more often near the limit.
const (
	reservedShare = 0.5
	runtimeShare  = 0.9
)

// budget returns the memory budget of the server. Its size is reservedShare times the value of the --memory
// flag or, if the flag is not set, reservedShare times budget.Default(). budget also sets the memory limit of
// the Go runtime, unless the environment variable GOMEMLIMIT is set.
func (f *flags) budget() (*budget.Budget, error) {
	total := budget.Default()
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

// Parameters of collectUnused, which returns unused memory to the system. The runtime alone would begin to do
// so only after minutes.
const (
	collectInterval = 5 * time.Second
	collectBytes    = 64 << 20
	// collectQuiet is the number of consecutive checks in which the number of reserved bytes must be unchanged
	// before collectUnused may call debug.FreeOSMemory.
	collectQuiet = 3
)

// collectUnused returns unused memory to the system until ctx is done. Every collectInterval, it runs the
// garbage collector if the number of reserved bytes is at least collectBytes below its maximum since the last
// collection, or if unusedHeap returns at least collectBytes. The runtime then returns a part of the unused
// memory in the background, at about 60 MB per second. If unusedHeap returns at least collectBytes and the number
// of reserved bytes has not changed in collectQuiet consecutive checks, collectUnused calls debug.FreeOSMemory
// instead. That call returns all unused memory at once, but stops the process for 0.2 to 0.6 s at 900 MB.
func collectUnused(ctx context.Context, memory *budget.Budget) {
	tick := time.NewTicker(collectInterval)
	defer tick.Stop()
	quiet, before := 0, int64(0)
	for reserved := int64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := memory.Used()
		if quiet++; now != before {
			quiet, before = 0, now
		}
		unused := unusedHeap() >= collectBytes
		switch {
		case unused && quiet >= collectQuiet:
			debug.FreeOSMemory()
			reserved, quiet = now, 0
		case unused, reserved-now >= collectBytes:
			runtime.GC()
			reserved = now
		}
		reserved = max(reserved, now)
	}
}

// unusedHeap returns the number of free bytes that the heap retains minus a quarter of the number of bytes in use.
// The result may be negative.
func unusedHeap() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples)
	free, unused, objects := samples[0].Value.Uint64(), samples[1].Value.Uint64(), samples[2].Value.Uint64()
	return int64(free+unused) - int64(objects/4)
}
