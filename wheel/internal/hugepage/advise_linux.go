package hugepage

import (
	"syscall"
	"unsafe"
)

// size is the size of a huge page on most machines, and the unit of the advice.
const size = 2 << 20

// Advise asks for the memory of s to be in huge pages, with MADV_HUGEPAGE of madvise(2). Call it
// before the memory is written to, or the small pages remain. It includes memory that shares a
// huge page with s: the Go heap is in blocks of several huge pages, so that memory belongs to
// the heap. The advice affects only speed, so no error is returned.
func Advise[T any](s []T) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	from := first &^ (size - 1)
	to := (first + uintptr(len(s))*unsafe.Sizeof(*new(T)) + size - 1) &^ (size - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
