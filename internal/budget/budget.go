// Package budget bounds the memory that the parts of a process take together.
//
// A part that is about to allocate a lot reserves the bytes first and releases
// them when the memory is free for the garbage collector again. If a
// reservation does not fit, the budget asks the owners of memory that can be
// computed again to give some up; if that is not enough, the reservation is
// refused. The budget allocates nothing itself and measures nothing: it adds up
// what is reserved.
//
// A part of the budget can be kept for urgent reservations: small ones without which
// work that is under way would stop.
package budget

import (
	"fmt"
	"math"
	"sync"
)

// Budget is a number of bytes shared by many owners. Its methods may be called by
// any number of goroutines.
type Budget struct {
	limit int64

	mu         sync.Mutex
	used       int64
	spare      int64 // left to urgent reservations
	reclaimers []Reclaimer
}

// Reclaimer gives up memory that can be computed again: at least need bytes if it
// has as many. It releases their reservations before it returns, and reports
// whether it gave up any. It is called without any lock of the budget's, and must
// not be called while the caller of Reserve holds a lock that it takes.
type Reclaimer func(need int64) bool

// New returns a budget of limit bytes, 1 or more.
func New(limit int64) *Budget { return &Budget{limit: max(limit, 1)} }

// AddReclaimer adds an owner to ask when the budget is full. Owners are asked in the
// order in which they were added.
func (b *Budget) AddReclaimer(r Reclaimer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reclaimers = append(b.reclaimers, r)
}

// KeepSpare has other than urgent reservations leave n bytes free.
func (b *Budget) KeepSpare(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spare = n
}

// Limit returns the bytes that can be reserved in all.
func (b *Budget) Limit() int64 { return b.limit }

// Used returns the bytes that are reserved now.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Free returns the bytes that other than urgent reservations can take now, without asking an owner.
func (b *Budget) Free() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, b.limit-b.spare-b.used)
}

// FullError reports that a reservation does not fit.
type FullError struct {
	Need      int64 // bytes asked for
	Available int64 // bytes that were free after all owners had been asked
}

func (e *FullError) Error() string {
	return fmt.Sprintf("%d bytes are needed, %d are available", e.Need, e.Available)
}

// Reservation is a number of reserved bytes. Its methods may be called by any
// number of goroutines. A nil *Reservation reserves nothing.
type Reservation struct {
	budget *Budget
	urgent bool
	bytes  int64 // guarded by budget.mu
}

// Reserve reserves n bytes (0 or more). The error is a *FullError.
func (b *Budget) Reserve(n int64) (*Reservation, error) { return b.reserve(n, false) }

// ReserveUrgent is Reserve that may take what KeepSpare has left free.
func (b *Budget) ReserveUrgent(n int64) (*Reservation, error) { return b.reserve(n, true) }

func (b *Budget) reserve(n int64, urgent bool) (*Reservation, error) {
	r := &Reservation{budget: b, urgent: urgent}
	if err := r.Grow(n); err != nil {
		return nil, err
	}
	return r, nil
}

// Try is Reserve that asks no owner: for memory that is only of use if it is free.
func (b *Budget) Try(n int64) (*Reservation, error) { return b.try(n, false) }

// TryUrgent is Try that may take what KeepSpare has left free.
func (b *Budget) TryUrgent(n int64) (*Reservation, error) { return b.try(n, true) }

func (b *Budget) try(n int64, urgent bool) (*Reservation, error) {
	r := &Reservation{budget: b, urgent: urgent}
	if missing, _ := b.take(r, n, noReclaimer); missing > 0 {
		return nil, &FullError{Need: n, Available: max(0, n-missing)}
	}
	return r, nil
}

// Grow reserves n more bytes. After an error the reservation is what it was.
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

// noReclaimer is the index of no reclaimer.
const noReclaimer = math.MaxInt

// take reserves n bytes if they fit. Otherwise it returns how many are missing and
// the reclaimer at index k, nil if there is none.
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

// Set makes the reservation n bytes, whether that fits or not: for memory that has
// been allocated already and turned out to be of that size.
func (r *Reservation) Set(n int64) {
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	r.budget.used += n - r.bytes
	r.bytes = n
}

// Bytes returns how many bytes are reserved.
func (r *Reservation) Bytes() int64 {
	if r == nil {
		return 0
	}
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	return r.bytes
}

// Release ends the reservation. A second call does nothing.
func (r *Reservation) Release() {
	if r != nil {
		r.Set(0)
	}
}
