//go:build !linux

package hugepage

// Advise does nothing where it was not measured.
func Advise[T any]([]T) {}
