//go:build !amd64 && !arm64

package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
)

// ID returns a number that is unique among goroutines: the number of the calling goroutine in its
// stack trace, whose first line looks like "goroutine 7 [running]:".
func ID() uintptr {
	var text [32]byte
	fields := bytes.Fields(text[:runtime.Stack(text[:], false)])
	n, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return uintptr(n)
}
