//go:build amd64 || arm64

package goroutine

// ID returns a number that is unique among the existing goroutines: the address of the runtime's
// data structure for the calling goroutine. The number may only be compared; nothing is read
// through it.
func ID() uintptr
