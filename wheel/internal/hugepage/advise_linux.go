package hugepage

import (
	"syscall"
	"unsafe"
)

// size is the size of a huge page on most machines. Advise rounds to multiples of it.
const size = 2 << 20

// Advise asks the kernel to back the memory of s with huge pages (MADV_HUGEPAGE of madvise(2)). It
// must be called before the memory is written to, since existing small pages remain. The advice
// also applies to the rest of the first and the last huge page of s. That memory also belongs to
// the Go heap, because the heap consists of blocks of several huge pages. Errors are ignored,
// because the advice affects only speed.
func Advise[T any](s []T) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	from := first &^ (size - 1)
	to := (first + uintptr(len(s))*unsafe.Sizeof(*new(T)) + size - 1) &^ (size - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
