package wheel

import (
	"testing"

	"pgregory.net/rapid"
)

// The bitmap finds what a walk over every bit finds, at sizes round the words
// and the words above them.
func TestBitmapFindsWhatAWalkFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 63, 64, 65, 4095, 4096, 4097, 9000, SlotsMax}).Draw(t, "n")
		b, set := newBitmap(n), map[int]bool{}
		index := rapid.OneOf(rapid.IntRange(0, n-1), rapid.SampledFrom([]int{0, n - 1, (n - 1) &^ 63, (n - 1) &^ 4095}))
		for range rapid.IntRange(0, 12).Draw(t, "changes") {
			i := index.Draw(t, "i")
			if set[i] = rapid.Bool().Draw(t, "set"); set[i] {
				b.set(uint32(i))
			} else {
				b.clear(uint32(i))
			}
		}
		c := b.clone()
		hand := index.Draw(t, "hand")
		want := int64(0)
		for d := int64(1); d <= int64(n) && want == 0; d++ {
			if i := (int64(hand) + d) % int64(n); set[int(i)] {
				want = d
			}
		}
		if got := c.ahead(uint32(hand), int64(n)); got != want {
			t.Fatalf("%d slots, hand %d: %d ahead, want %d", n, hand, got, want)
		}
		if c.has(uint32(hand)) != set[hand] {
			t.Fatalf("slot %d: has is %v", hand, !set[hand])
		}
	})
}

// A vector keeps order and closes its gaps whatever is removed, and gives its
// room to another when it was large.
func TestSlotKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a arena
		var s slot
		var spares spares
		var want []uint32
		for range rapid.IntRange(1, 300).Draw(t, "changes") {
			if len(want) == 0 || rapid.IntRange(0, 2).Draw(t, "add") > 0 {
				i, n := a.alloc()
				n.slot = 0
				s.add(&a, &spares, i, n)
				want = append(want, i)
				continue
			}
			k := rapid.IntRange(0, len(want)-1).Draw(t, "k")
			pos := a.at(want[k]).pos
			a.release(want[k], a.at(want[k]))
			s.remove(&a, pos)
			want = append(want[:k:k], want[k+1:]...)
		}
		k := 0
		for at, i := range s.ids {
			if !s.holds(&a, 0, at) {
				continue
			}
			if i != want[k] {
				t.Fatalf("vector %v, want %v", s.ids, want)
			}
			k++
		}
		if k != len(want) || s.live() != k || s.dead > 16 && s.dead*2 > len(s.ids) {
			t.Fatalf("%d live and %d dead of %d, want %d live", s.live(), s.dead, len(s.ids), len(want))
		}
	})
}

// TestSlotCompactsTwice: the second time a vector is compacted, what was dead the
// first time is forgotten.
func TestSlotCompactsTwice(t *testing.T) {
	var a arena
	var s slot
	var spares spares
	add := func() {
		i, n := a.alloc()
		n.slot = 0
		s.add(&a, &spares, i, n)
	}
	for range 64 {
		add()
	}
	for round := range 2 {
		for s.dead < 20 { // from the front, so that no entry is just popped
			n := a.at(s.ids[s.dead])
			pos := n.pos
			a.release(s.ids[pos], n)
			s.remove(&a, pos)
		}
		for s.dead > 0 {
			n := a.at(s.ids[s.dead])
			pos := n.pos
			a.release(s.ids[pos], n)
			s.remove(&a, pos)
		}
		live := s.live()
		if a.live != live {
			t.Fatalf("compacted %d times: %d timers stand in the vector, %d are live", round+1, live, a.live)
		}
		for range 64 {
			add()
		}
	}
}
