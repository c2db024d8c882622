package hugepage

import (
	"syscall"
	"unsafe"
)

// size is the size of a huge page on most machines, in bytes. Advise extends the memory range at
// both ends to a multiple of size.
const size = 2 << 20

// Advise asks the kernel to back the memory of s with huge pages (MADV_HUGEPAGE of madvise(2)). It
// must be called before the memory is written to, because small pages that are already in use
// remain small. The advice applies to whole huge pages, so it may include memory before and after
// s. That memory, too, belongs to the Go heap, because the heap is allocated in blocks of several
// huge pages. Errors are ignored, because the advice affects only speed.
func Advise[T any](s []T) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	from := first &^ (size - 1)
	to := (first + uintptr(len(s))*unsafe.Sizeof(*new(T)) + size - 1) &^ (size - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
