//go:build !linux

package serve

// lowerPriority does nothing. Its effect was measured only on Linux.
func lowerPriority() {}
