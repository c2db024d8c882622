package hugepage

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// On a system with huge pages, the advised memory is marked in the list of mappings and its
// contents are unchanged.
func TestAdvise(t *testing.T) {
	s := make([]uint64, 1<<20) // 8 MB
	s[0], s[len(s)-1] = 1, 2
	Advise(s)
	if s[0] != 1 || s[len(s)-1] != 2 {
		t.Error("its content changed")
	}
	_, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled")
	has := err == nil
	flags := flagsAt(t, uint64(uintptr(unsafe.Pointer(&s[len(s)/2]))))
	if strings.Contains(" "+flags+" ", " hg ") != has {
		t.Errorf("flags %q; the system has huge pages: %v", flags, has)
	}
}

// flagsAt returns the flags of the mapping that contains an address, see proc_pid_smaps(5).
func flagsAt(t *testing.T, address uint64) string {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	here := false
	for line := range strings.Lines(string(text)) {
		if list, is := strings.CutPrefix(line, "VmFlags:"); is && here {
			return strings.TrimSpace(list)
		}
		bounds, _, _ := strings.Cut(line, " ")
		if low, high, is := strings.Cut(bounds, "-"); is {
			from, err1 := strconv.ParseUint(low, 16, 64)
			to, err2 := strconv.ParseUint(high, 16, 64)
			if err1 == nil && err2 == nil {
				here = from <= address && address < to
			}
		}
	}
	return ""
}
