package core

import (
	"testing"
	"unsafe"
)

// The sizes that Bytes uses are those of a 64-bit machine.
func TestSizesThatBytesCounts(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Log("a 32-bit machine: its vectors are smaller than what is counted")
		return
	}
	for _, s := range []struct {
		name      string
		got, want uintptr
	}{
		{"node", nodeBytes, unsafe.Sizeof(Node{})},
		{"slot", slotSize, unsafe.Sizeof(Slot{})},
		{"slot with rounds", roundSlotSize, unsafe.Sizeof(RoundSlot{})},
	} {
		if s.got != s.want {
			t.Errorf("a %s counts as %d bytes, it has %d", s.name, s.got, s.want)
		}
	}
	rounds := make([]RoundSlot, 4)
	if got, want := roundSlotBytes(rounds), int64(unsafe.Sizeof([4]RoundSlot{})); got != want {
		t.Errorf("4 empty slots with rounds count as %d bytes, they have %d", got, want)
	}
	side := Slot{IDs: make([]uint32, 3), DeadBits: make([]uint64, 2)}
	if got := side.Bytes(); got != 3*4+2*8 {
		t.Errorf("the vectors of a slot of 3 identifiers and 2 words count as %d bytes, they have 28", got)
	}
}
