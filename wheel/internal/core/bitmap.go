package core

import "math/bits"

// Bitmap records which slots are occupied. It has one bit per slot, and a second layer with one bit
// per word of the first layer. Finding the next occupied slot therefore takes only a few steps,
// even among 65,536 slots.
type Bitmap struct {
	Words []uint64 // one bit per slot: 1 if the slot is occupied
	above []uint64 // one bit per word: 1 if the word is not 0
}

// NewBitmap returns a bitmap for n slots, all empty.
func NewBitmap(n int) Bitmap {
	words := (n + 63) / 64
	return Bitmap{make([]uint64, words), make([]uint64, (words+63)/64)}
}

// Set records that slot i is occupied.
func (b *Bitmap) Set(i uint32) {
	w := i >> 6
	b.Words[w] |= 1 << (i & 63)
	b.above[w>>6] |= 1 << (w & 63)
}

// Clear records that slot i is empty.
func (b *Bitmap) Clear(i uint32) {
	w := i >> 6
	b.Words[w] &^= 1 << (i & 63)
	if b.Words[w] == 0 {
		b.above[w>>6] &^= 1 << (w & 63)
	}
}

// Has reports whether slot i is occupied.
func (b *Bitmap) Has(i uint32) bool { return b.Words[i>>6]>>(i&63)&1 == 1 }

// Count returns the number of occupied slots.
func (b *Bitmap) Count() (n int) {
	for _, w := range b.Words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Next returns the first occupied slot at or after i, or -1 if there is none.
func (b *Bitmap) Next(i uint32) int {
	w := i >> 6
	if int(w) >= len(b.Words) {
		return -1
	}
	if rest := b.Words[w] >> (i & 63); rest != 0 {
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
			return int(w<<6) + bits.TrailingZeros64(b.Words[w])
		}
	}
	return -1
}

// Ahead returns the distance from the slot with number hand to the next occupied slot of a level
// with n slots. The distance is between 1 and n. Ahead returns 0 if all slots are empty.
func (b *Bitmap) Ahead(hand uint32, n int64) int64 {
	if i := b.Next(hand + 1); i >= 0 {
		return int64(i) - int64(hand)
	}
	if i := b.Next(0); i >= 0 {
		return int64(i) - int64(hand) + n
	}
	return 0
}

// Clone returns an independent copy of the bitmap.
func (b *Bitmap) Clone() Bitmap {
	return Bitmap{append([]uint64(nil), b.Words...), append([]uint64(nil), b.above...)}
}

// Bytes returns the memory used by the bitmap, in bytes.
func (b *Bitmap) Bytes() int64 { return int64(len(b.Words)+len(b.above)) * 8 }
