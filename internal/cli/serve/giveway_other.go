//go:build !linux

package serve

// lowerPriority does nothing on this system. The effect of a lower priority has been measured only on Linux.
func lowerPriority() {}
