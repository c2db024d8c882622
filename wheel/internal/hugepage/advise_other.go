//go:build !linux

package hugepage

// Advise does nothing on systems on which its effect was not measured.
func Advise[T any]([]T) {}
