package hugepage

import (
	"syscall"
	"unsafe"
)

// size is that of a huge page on most machines, and the unit of what is advised.
const size = 2 << 20

// Advise asks for the memory of s to be in huge pages, as madvise(2) does with MADV_HUGEPAGE:
// before it is written to, or the small pages stay. What shares a huge page with s is asked for
// too: the Go heap lies in blocks of several, so it is the heap's. Whether the system
// follows makes no difference but to speed, so there is no error.
func Advise[T any](s []T) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	from := first &^ (size - 1)
	to := (first + uintptr(len(s))*unsafe.Sizeof(*new(T)) + size - 1) &^ (size - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
