package budget

import (
	"math"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// unknownMemory is assumed where the system does not report its memory.
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
