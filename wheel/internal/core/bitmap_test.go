package core

import (
	"math/bits"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// The bitmap finds the same slot as a loop over every bit, at sizes near a multiple of a
// word and of a word of the level above.
func TestBitmapFindsWhatAWalkFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 63, 64, 65, 4095, 4096, 4097, 9000, wheel.SlotsMax}).Draw(t, "n")
		b, set := NewBitmap(n), map[int]bool{}
		index := rapid.OneOf(rapid.IntRange(0, n-1), rapid.SampledFrom([]int{0, n - 1, (n - 1) &^ 63, (n - 1) &^ 4095}))
		for range rapid.IntRange(0, 12).Draw(t, "changes") {
			i := index.Draw(t, "i")
			if set[i] = rapid.Bool().Draw(t, "set"); set[i] {
				b.Set(uint32(i))
			} else {
				b.Clear(uint32(i))
			}
		}
		c := b.Clone()
		hand := index.Draw(t, "hand")
		want := int64(0)
		for d := int64(1); d <= int64(n) && want == 0; d++ {
			if i := (int64(hand) + d) % int64(n); set[int(i)] {
				want = d
			}
		}
		if got := c.Ahead(uint32(hand), int64(n)); got != want {
			t.Fatalf("%d slots, hand %d: %d ahead, want %d", n, hand, got, want)
		}
		if c.Has(uint32(hand)) != set[hand] {
			t.Fatalf("slot %d: has is %v", hand, !set[hand])
		}
	})
}

// A vector keeps its order and closes its gaps whatever is removed, and gives its memory to
// another slot if it was large.
func TestSlotKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Arena
		var s Slot
		var spares FreeList
		var want []uint32
		for range rapid.SampledFrom([]int{0, 40, 500}).Draw(t, "crowd") { // more than is compacted at a time
			i, n := a.alloc()
			n.Slot = 0
			s.Add(&a, &spares, i, n)
			want = append(want, i)
		}
		for range rapid.IntRange(1, 300).Draw(t, "changes") {
			if len(want) == 0 || rapid.IntRange(0, 2).Draw(t, "add") > 0 {
				i, n := a.alloc()
				n.Slot = 0
				s.Add(&a, &spares, i, n)
				want = append(want, i)
				continue
			}
			k := rapid.IntRange(0, len(want)-1).Draw(t, "k")
			pos := a.At(want[k]).Pos
			a.Release(want[k], a.At(want[k]))
			s.Remove(&a, pos)
			want = append(want[:k:k], want[k+1:]...)
			dead := 0
			for _, word := range s.DeadBits {
				dead += bits.OnesCount64(word)
			}
			if dead != s.DeadCount {
				t.Fatalf("%d bits of dead entries, %d are counted", dead, s.DeadCount)
			}
		}
		k := 0
		for at, i := range s.IDs {
			if !s.Holds(&a, 0, at) {
				continue
			}
			if i != want[k] {
				t.Fatalf("vector %v, want %v", s.IDs, want)
			}
			k++
		}
		if k != len(want) || s.Live() != k || s.moved == 0 && s.DeadCount > 16 && s.DeadCount*2 > len(s.IDs) {
			t.Fatalf("%d live and %d dead of %d, want %d live", s.Live(), s.DeadCount, len(s.IDs), len(want))
		}
	})
}

// TestSlotCompactsTwice checks that the second compaction of a vector does not use the dead
// entries of the first.
func TestSlotCompactsTwice(t *testing.T) {
	var a Arena
	var s Slot
	var spares FreeList
	add := func() {
		i, n := a.alloc()
		n.Slot = 0
		s.Add(&a, &spares, i, n)
	}
	for range 64 {
		add()
	}
	for round := range 2 {
		for s.DeadCount < 20 { // from the front, so that no entry is just popped
			n := a.At(s.IDs[s.DeadCount])
			pos := n.Pos
			a.Release(s.IDs[pos], n)
			s.Remove(&a, pos)
		}
		for s.DeadCount > 0 {
			n := a.At(s.IDs[s.DeadCount])
			pos := n.Pos
			a.Release(s.IDs[pos], n)
			s.Remove(&a, pos)
		}
		live := s.Live()
		if a.Live != live {
			t.Fatalf("compacted %d times: %d timers are in the vector, %d are live", round+1, live, a.Live)
		}
		for range 64 {
			add()
		}
	}
}
