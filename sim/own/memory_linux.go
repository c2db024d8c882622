package own

import "golang.org/x/sys/unix"

// limitMemory bounds the private writable memory of the process pid.
func limitMemory(pid int, bytes uint64) {
	unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes}, nil)
}
