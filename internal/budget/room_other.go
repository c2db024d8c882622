//go:build !linux

package budget

// addressSpaceUsed returns how much of the process's address space is in use, in bytes, or 0 if that is
// unknown.
func addressSpaceUsed() int64 { return 0 }
