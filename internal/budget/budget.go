// Package budget limits the memory that the parts of a process use in total.
//
// Code that is about to allocate a lot of memory reserves the bytes first, and releases the reservation when
// the garbage collector can free the memory. If a reservation does not fit, the budget asks the owners of
// memory that can be recomputed to release some of it. If that is not enough, it rejects the reservation. The
// budget neither allocates nor measures memory: it adds up reservations.
//
// A part of the budget can be kept for urgent reservations: small ones without which work in progress
// could not continue.
package budget

import (
	"fmt"
	"math"
	"sync"
)

// Budget limits how many bytes can be reserved at the same time. Its methods may be called concurrently.
type Budget struct {
	limit int64

	mu         sync.Mutex
	used       int64
	spare      int64 // number of bytes that only urgent reservations may use
	reclaimers []Reclaimer
}

// Reclaimer is a function that frees memory whose contents can be recomputed. It releases reservations of at
// least need bytes in total, or as many as it can, and reports whether it released any reservation. The
// budget holds no locks when it calls a Reclaimer. A goroutine that calls Reserve, ReserveUrgent or Grow must
// not hold a lock that a Reclaimer acquires.
type Reclaimer func(need int64) bool

// New returns a budget of limit bytes, or of 1 byte if limit is less than 1.
func New(limit int64) *Budget { return &Budget{limit: max(limit, 1)} }

// AddReclaimer adds a function that is called when a reservation does not fit. Reclaimers are called in the
// order in which they were added.
func (b *Budget) AddReclaimer(r Reclaimer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reclaimers = append(b.reclaimers, r)
}

// KeepSpare sets the number of bytes that only ReserveUrgent and TryUrgent may use.
func (b *Budget) KeepSpare(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spare = n
}

// Limit returns the total number of bytes that can be reserved.
func (b *Budget) Limit() int64 { return b.limit }

// Used returns the number of bytes that are currently reserved.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Free returns the number of bytes that Try can currently reserve.
func (b *Budget) Free() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, b.limit-b.spare-b.used)
}

// FullError is the error for a reservation that does not fit into the budget.
type FullError struct {
	Need      int64 // number of bytes requested
	Available int64 // number of bytes that could have been reserved at that time
}

func (e *FullError) Error() string {
	return fmt.Sprintf("%d bytes are needed, %d are available", e.Need, e.Available)
}

// Reservation represents bytes that are reserved in a [Budget]. Its methods may be called concurrently. Bytes
// and Release may also be called on a nil *Reservation, which represents no bytes.
type Reservation struct {
	budget *Budget
	urgent bool  // whether the reservation may use Budget.spare
	bytes  int64 // number of reserved bytes, guarded by budget.mu
}

// Reserve reserves n bytes. n must not be negative. If the bytes do not fit, even after all reclaimers have
// been called, Reserve returns a *FullError.
func (b *Budget) Reserve(n int64) (*Reservation, error) { return b.reserve(n, false) }

// ReserveUrgent is like Reserve, but may also use the bytes set aside by KeepSpare.
func (b *Budget) ReserveUrgent(n int64) (*Reservation, error) { return b.reserve(n, true) }

func (b *Budget) reserve(n int64, urgent bool) (*Reservation, error) {
	r := &Reservation{budget: b, urgent: urgent}
	if err := r.Grow(n); err != nil {
		return nil, err
	}
	return r, nil
}

// Try is like Reserve, but does not call reclaimers. Use it for memory that is less important than the
// memory that reclaimers would release.
func (b *Budget) Try(n int64) (*Reservation, error) { return b.try(n, false) }

// TryUrgent is like Try, but may also use the bytes set aside by KeepSpare.
func (b *Budget) TryUrgent(n int64) (*Reservation, error) { return b.try(n, true) }

func (b *Budget) try(n int64, urgent bool) (*Reservation, error) {
	r := &Reservation{budget: b, urgent: urgent}
	if missing, _ := b.take(r, n, noReclaimer); missing > 0 {
		return nil, &FullError{Need: n, Available: max(0, n-missing)}
	}
	return r, nil
}

// Grow reserves n more bytes. If they do not fit, it returns a *FullError and leaves the reservation
// unchanged.
func (r *Reservation) Grow(n int64) error {
	b := r.budget
	for k := 0; ; k++ {
		missing, ask := b.take(r, n, k)
		switch {
		case missing <= 0:
			return nil
		case ask == nil:
			return &FullError{Need: n, Available: max(0, n-missing)}
		}
		for ask(missing) {
			if missing, _ = b.take(r, n, k); missing <= 0 {
				return nil
			}
		}
	}
}

// noReclaimer is passed to Budget.take as the index of a reclaimer if no reclaimer may be called. It is
// larger than any valid index.
const noReclaimer = math.MaxInt

// take adds n bytes to r and returns 0 and nil if the bytes fit or n is 0. Otherwise it leaves r unchanged.
// missing is then the number of bytes that must be released before the bytes fit, and ask is b.reclaimers[k],
// the reclaimer to call next, or nil if there is no such element.
func (b *Budget) take(r *Reservation, n int64, k int) (missing int64, ask Reclaimer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit := b.limit
	if !r.urgent {
		limit -= b.spare
	}
	if missing = b.used + n - limit; missing <= 0 || n == 0 {
		b.used += n
		r.bytes += n
		return 0, nil
	}
	if k < len(b.reclaimers) {
		ask = b.reclaimers[k]
	}
	return missing, ask
}

// Set changes the size of the reservation to n bytes, even if the budget is then exceeded. It is meant for
// memory whose size is known only after it has been allocated.
func (r *Reservation) Set(n int64) {
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	r.budget.used += n - r.bytes
	r.bytes = n
}

// Add is like Set, but increases the size of the reservation by n bytes.
func (r *Reservation) Add(n int64) {
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	r.budget.used += n
	r.bytes += n
}

// Bytes returns the number of reserved bytes.
func (r *Reservation) Bytes() int64 {
	if r == nil {
		return 0
	}
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	return r.bytes
}

// Release ends the reservation. Calls after the first have no effect.
func (r *Reservation) Release() {
	if r != nil {
		r.Set(0)
	}
}
