package budget

import (
	"math"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// roomShare is how much of the free address space is taken. Memory that was freed stays mapped, and
// not every large block fits into it; the C library of a program built with cgo maps 64 MB for each
// of several threads.
const roomShare = 0.65

// Default returns the bytes of memory that a server takes by default: half of Available,
// and at most roomShare of what is free of a limited address space. A process maps a
// gigabyte and more before it does anything.
func Default() int64 {
	n := Available() / 2
	if limit, err := addressSpace(); err == nil && limit <= math.MaxInt64 {
		n = min(n, int64(roomShare*float64(int64(limit)-addressSpaceUsed())))
	}
	return max(n, 1)
}

// unknownMemory is assumed if the system does not report its memory.
const unknownMemory = 2 << 30

// Available returns the bytes of memory that the process can have: the smallest of
// the machine's memory, the container's limit, and the limit on the address space
// (RLIMIT_AS).
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
