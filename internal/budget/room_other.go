//go:build !linux

package budget

// addressSpaceUsed returns the number of bytes of the address space that are in use, or 0 if it is unknown.
func addressSpaceUsed() int64 { return 0 }
