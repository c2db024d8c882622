package wheel

import "math/bits"

// bitmap says which slots hold timers: a bit a slot, and a bit a word above, so
// that the next occupied one of 65,536 is found in a few steps.
type bitmap struct {
	words []uint64
	above []uint64
}

func newBitmap(n int) bitmap {
	words := (n + 63) / 64
	return bitmap{make([]uint64, words), make([]uint64, (words+63)/64)}
}

func (b *bitmap) set(i uint32) {
	w := i >> 6
	b.words[w] |= 1 << (i & 63)
	b.above[w>>6] |= 1 << (w & 63)
}

func (b *bitmap) clear(i uint32) {
	w := i >> 6
	b.words[w] &^= 1 << (i & 63)
	if b.words[w] == 0 {
		b.above[w>>6] &^= 1 << (w & 63)
	}
}

func (b *bitmap) has(i uint32) bool { return b.words[i>>6]>>(i&63)&1 == 1 }

// next is the first bit set at i or after, -1 where there is none.
func (b *bitmap) next(i uint32) int {
	w := i >> 6
	if int(w) >= len(b.words) {
		return -1
	}
	if rest := b.words[w] >> (i & 63); rest != 0 {
		return int(i) + bits.TrailingZeros64(rest)
	}
	w++
	for a := w >> 6; int(a) < len(b.above); a++ {
		rest := b.above[a]
		if a == w>>6 {
			rest &^= 1<<(w&63) - 1
		}
		if rest != 0 {
			w = a<<6 + uint32(bits.TrailingZeros64(rest))
			return int(w<<6) + bits.TrailingZeros64(b.words[w])
		}
	}
	return -1
}

// ahead is how many slots the hand of an n-slot level at slot `hand` moves until
// it meets an occupied one: 1 to n, or 0 where all are empty.
func (b *bitmap) ahead(hand uint32, n int64) int64 {
	if i := b.next(hand + 1); i >= 0 {
		return int64(i) - int64(hand)
	}
	if i := b.next(0); i >= 0 {
		return int64(i) - int64(hand) + n
	}
	return 0
}

func (b *bitmap) clone() bitmap {
	return bitmap{append([]uint64(nil), b.words...), append([]uint64(nil), b.above...)}
}

func (b *bitmap) bytes() int64 { return int64(len(b.words)+len(b.above)) * 8 }
