package budget

import (
	"bytes"
	"os"
	"strconv"
)

// addressSpaceUsed returns the number of bytes of the address space that are in use.
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
