//go:build !js

package budget

import (
	"math"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// roomShare is the maximum result of Default, as a fraction of the unused part of a limited address space.
// The rest is kept free because memory that the program has freed remains mapped, and because the unused part
// may be fragmented. In a program built with cgo, the C library may also map 64 MB for each of several
// threads.
const roomShare = 0.65

// Default returns the amount of memory, in bytes, that a program should use by default: half of Available. If
// the address space of the process is limited, Default returns at most roomShare times the unused part of
// that space. The result is at least 1.
func Default() int64 {
	n := Available() / 2
	if limit, err := addressSpace(); err == nil && limit <= math.MaxInt64 {
		n = min(n, int64(roomShare*float64(int64(limit)-addressSpaceUsed())))
	}
	return max(n, 1)
}

// unknownMemory is the amount of memory, in bytes, that a system is assumed to have if it does not report it.
const unknownMemory = 2 << 30

// Available returns the number of bytes of memory that the process can use: the minimum of the machine's
// memory, the container's memory limit, and the limit on the address space (RLIMIT_AS).
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
