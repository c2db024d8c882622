//go:build !linux

package budget

// addressSpaceUsed returns the bytes of the address space that are in use, 0 if unknown.
func addressSpaceUsed() int64 { return 0 }
