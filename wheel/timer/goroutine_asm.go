//go:build amd64 || arm64

package timer

// goroutine returns a number that no other goroutine has while this one exists: the address
// of the runtime's record of it. It is compared and never read through.
func goroutine() uintptr
