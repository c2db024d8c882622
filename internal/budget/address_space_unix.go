//go:build unix

package budget

import (
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// addressSpace returns the soft limit on the process's address space, in bytes.
func addressSpace() (uint64, error) {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &r); err != nil {
		return 0, err
	}
	if n := uint64(r.Cur); n < 1<<62 { // RLIM_INFINITY is larger on every system
		return n, nil
	}
	return 0, memlimit.ErrNoLimit
}
