//go:build !amd64 && !arm64

package timer

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine returns a number that is unique among goroutines: the one in its stack trace,
// "goroutine 7 [running]:".
func goroutine() uintptr {
	var text [32]byte
	fields := bytes.Fields(text[:runtime.Stack(text[:], false)])
	n, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return uintptr(n)
}
