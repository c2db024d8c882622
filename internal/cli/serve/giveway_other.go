//go:build !linux

package serve

// lowerPriority does nothing on this system: that a lower priority helps was measured only on Linux.
func lowerPriority() {}
