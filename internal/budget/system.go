//go:build !js

package budget

import (
	"math"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// roomShare is the fraction of the free address space that Default may give to the budget. The rest is
// needed because freed memory stays mapped and large blocks do not fit into every gap. In a program built
// with cgo, the C library also maps 64 MB for each of several threads.
const roomShare = 0.65

// Default returns the default size of a server's budget in bytes: half of Available. If the address space
// is limited, it is also at most the fraction roomShare of the part that is not in use.
func Default() int64 {
	n := Available() / 2
	if limit, err := addressSpace(); err == nil && limit <= math.MaxInt64 {
		n = min(n, int64(roomShare*float64(int64(limit)-addressSpaceUsed())))
	}
	return max(n, 1)
}

// unknownMemory is the assumed memory in bytes of a system that does not report it.
const unknownMemory = 2 << 30

// Available returns the number of bytes of memory that the process can use: the minimum of the machine's
// memory, the limit of the container, and the limit on the address space (RLIMIT_AS).
func Available() int64 {
	least := uint64(math.MaxUint64)
	for _, limit := range []memlimit.Provider{memlimit.FromSystem, memlimit.FromCgroup, addressSpace} {
		if n, err := limit(); err == nil && n > 0 {
			least = min(least, n)
		}
	}
	if least > math.MaxInt64 {
		return unknownMemory
	}
	return int64(least)
}
