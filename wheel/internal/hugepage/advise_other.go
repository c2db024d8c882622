//go:build !linux

package hugepage

// Advise does nothing. Its effect was measured only on Linux.
func Advise[T any]([]T) {}
