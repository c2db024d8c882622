//go:build !unix && !js

package budget

import "github.com/KimMachineGun/automemlimit/memlimit"

// addressSpace returns memlimit.ErrNoLimit, because this system does not limit the address space of a
// process.
func addressSpace() (uint64, error) { return 0, memlimit.ErrNoLimit }
