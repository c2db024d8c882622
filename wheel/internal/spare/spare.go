// Package spare keeps the memory of wheels that are no longer needed, for reuse by copies of other
// wheels.
package spare

import "sync"

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
