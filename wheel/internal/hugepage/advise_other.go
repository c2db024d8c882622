//go:build !linux

package hugepage

// Advise does nothing on this system: the effect of huge pages has been measured only on Linux.
func Advise[T any]([]T) {}
