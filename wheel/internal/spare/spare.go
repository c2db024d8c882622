// Package spare keeps the memory of wheels that are no longer needed, for reuse by copies of other
// wheels.
package spare

import (
	"math/bits"
	"sync"
)

// Pool holds values for reuse until the garbage collector removes them. The zero Pool is empty and ready for use.
// A Pool is safe for concurrent use.
type Pool[T any] struct{ values sync.Pool }

// Put adds v to the pool. The caller must not use v again.
func (p *Pool[T]) Put(v *T) { p.values.Put(v) }

// Get removes a value from the pool and returns it with the contents that it had when it was put. It returns nil
// if the pool is empty.
func (p *Pool[T]) Get() *T {
	v, _ := p.values.Get().(*T)
	return v
}

// Slices holds slices for reuse until the garbage collector removes them. The zero Slices is empty and ready for
// use. A Slices is safe for concurrent use.
type Slices[T any] struct {
	pools [bits.UintSize]Pool[[]T] // pools[c] holds slices with a capacity of 2^c to 2^(c+1)-1 elements
}

// larger is the number of pools of larger slices that Slices.Get tries if the pool of slices with the smallest
// sufficient capacity is empty. The slices in each of these pools are about twice as large as in the previous one.
const larger = 2

// Put adds s to the pool. The caller must not use s or its underlying array again.
func (p *Slices[T]) Put(s []T) {
	if cap(s) > 0 {
		p.pools[bits.Len(uint(cap(s)))-1].Put(&s)
	}
}

// Get returns a slice of n elements with arbitrary contents. If Get allocates the slice, its capacity is a power
// of two.
func (p *Slices[T]) Get(n int) []T {
	if n == 0 {
		return nil
	}
	c := bits.Len(uint(n - 1))
	for i := range larger + 1 {
		if s := p.pools[c+i].Get(); s != nil {
			return (*s)[:n]
		}
	}
	return make([]T, n, 1<<c)
}
