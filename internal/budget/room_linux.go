package budget

import (
	"bytes"
	"os"
	"strconv"
)

// addressSpaceUsed returns how much of the process's address space is in use, in bytes, or 0 if that is
// unknown.
func addressSpaceUsed() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, err := strconv.ParseInt(string(bytes.Fields(data)[0]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
