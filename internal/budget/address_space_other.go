//go:build !unix && !js

package budget

import "github.com/KimMachineGun/automemlimit/memlimit"

// addressSpace returns memlimit.ErrNoLimit, since this system does not limit address spaces.
func addressSpace() (uint64, error) { return 0, memlimit.ErrNoLimit }
