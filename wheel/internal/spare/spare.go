// Package spare keeps the memory of wheels that are no longer needed, for reuse by copies of other
// wheels.
package spare

import (
	"math/bits"
	"sync"
)

// Pool holds values for reuse, until the garbage collector drops them. The zero Pool is ready for use. A Pool is
// safe for concurrent use, since wheels are copied in parallel.
type Pool[T any] struct{ values sync.Pool }

// Put adds v to the pool. The caller must not use v again.
func (p *Pool[T]) Put(v *T) { p.values.Put(v) }

// Get removes a value from the pool and returns it as it was put. It returns nil if the pool is empty.
func (p *Pool[T]) Get() *T {
	v, _ := p.values.Get().(*T)
	return v
}

// Slices holds slices until the garbage collector drops them. The zero Slices is ready for use. Its methods may be
// called by multiple goroutines at once.
type Slices[T any] struct {
	pools [bits.UintSize]Pool[[]T] // pools[c] holds slices with a capacity of 2^c to 2^(c+1)-1 elements
}

// larger is the number of pools that Get tries after the first one, whose slices may be twice as large as needed.
const larger = 2

// Put adds s to the pool. The caller must not use its array again.
func (p *Slices[T]) Put(s []T) {
	if cap(s) > 0 {
		p.pools[bits.Len(uint(cap(s)))-1].Put(&s)
	}
}

// Get returns a slice of n elements with arbitrary contents. The capacity of a new one is a power of two.
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
