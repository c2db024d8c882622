package sim

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
)

// ServerScenarioMax is the maximum size in bytes of a scenario that is planned with the options of
// Store.Planning. It is below scenario.BytesMax, because all clients of a server share its memory.
const ServerScenarioMax = 16 << 20

// Planning returns options for planning scenarios on a server. With them, planning reserves memory from the store,
// fails for scenarios of more than ServerScenarioMax bytes, and regularly lets other work in the store's queue
// use the processor. ctx must carry a turn of that queue. The caller must call release when the programs have
// been opened or are no longer needed.
func (s *Store) Planning(ctx context.Context) (o program.Options, release func()) {
	o.BytesMax = ServerScenarioMax
	var mu sync.Mutex
	var held []*budget.Reservation
	o.Reserve = func(n int64) error {
		mem, err := s.ReserveWhenFree(ctx, n)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		held = append(held, mem)
		return nil
	}
	o.Check = func() error { return fairqueue.Pace(ctx) }
	return o, func() {
		mu.Lock()
		defer mu.Unlock()
		for _, mem := range held {
			mem.Release()
		}
		held = nil
	}
}

// NoMemoryError reports that not enough memory is available. A later attempt may succeed, unless Never is true.
type NoMemoryError struct {
	Need, Available int64 // number of bytes needed, and number of bytes available
	Most            int64 // number of bytes that can be available; at least 0
}

// Never reports whether the memory can never be available.
func (e *NoMemoryError) Never() bool { return e.Need > e.Most }

// Unwrap returns the error as shown to a user.
func (e *NoMemoryError) Unwrap() error {
	if e.Never() {
		return texts.Errorf(texts.Unprocessable, "", "this needs about %s of memory; at most %s can be used here (serve --memory)", program.FormatBytes(e.Need), program.FormatBytes(e.Most))
	}
	return texts.Errorf(texts.Unavailable, "", "this needs about %s of memory; %s are available now: try again in a while", program.FormatBytes(e.Need), program.FormatBytes(e.Available))
}

func (e *NoMemoryError) Error() string { return e.Unwrap().Error() }

// Reserve reserves n bytes of the store's memory for work on its runs. It returns a *NoMemoryError
// if they are not available.
func (s *Store) Reserve(n int64) (*budget.Reservation, error) {
	mem, err := s.memory.Reserve(n)
	return mem, s.noMemory(err)
}

// Limits of waiting for memory to be released.
const (
	ShortWait       = 2 * time.Second        // maximum time for which a request waits for memory
	MemoryRetry     = 100 * time.Millisecond // time after which a request, frame or seek that lacked memory is retried
	shortWaitersMax = 16                     // maximum number of requests waiting for memory; others fail immediately
)

// WhenFree calls f, which reserves memory. If f returns a *NoMemoryError, WhenFree waits up to ShortWait
// until that much memory is free, then calls f once more. While it waits, it gives up the turn that ctx carries
// (the permission to use a processor). If f fails, it must release what it has reserved.
func (s *Store) WhenFree(ctx context.Context, f func() error) error {
	err := f()
	short, ok := errors.AsType[*NoMemoryError](err)
	if !ok || !s.awaitMemory(ctx, short.Need) {
		return err
	}
	return f()
}

// awaitMemory waits until n bytes are free or ShortWait has elapsed, and returns true in both cases. It returns false
// without waiting if n exceeds the budget for non-urgent reservations or if too many requests are already waiting. It
// also returns false if ctx is done first, or if ctx had a turn that cannot be regained.
func (s *Store) awaitMemory(ctx context.Context, n int64) bool {
	if n > s.most() {
		return false
	}
	select {
	case s.short <- struct{}{}:
		defer func() { <-s.short }()
	default:
		return false
	}
	until := time.Now().Add(ShortWait)
	err := fairqueue.Outside(ctx, func() {
		for ctx.Err() == nil && s.memory.Free() < n && time.Now().Before(until) {
			select {
			case <-time.After(MemoryRetry):
			case <-ctx.Done():
			}
		}
	})
	return err == nil && ctx.Err() == nil
}

// ReserveWhenFree is like Reserve, but if memory is short, it waits and tries once more, as WhenFree does.
func (s *Store) ReserveWhenFree(ctx context.Context, n int64) (mem *budget.Reservation, err error) {
	err = s.WhenFree(ctx, func() (err error) {
		mem, err = s.Reserve(n)
		return err
	})
	return mem, err
}

// Shares of the budget, as divisors.
const (
	spareShare  = 8  // 1/spareShare of the budget is kept free for urgent reservations
	urgentShare = 64 // an urgent reservation is at most 1/urgentShare of the budget
)

// reserveUrgent is like Reserve, but if n is at most 1/urgentShare of the budget, it may also use the memory that is
// kept free for urgent reservations. It is used for engines that compute what sessions show.
func (s *Store) reserveUrgent(n int64) (*budget.Reservation, error) {
	if n > s.memory.Limit()/urgentShare {
		return s.Reserve(n)
	}
	mem, err := s.memory.ReserveUrgent(n)
	return mem, s.noMemory(err)
}

// most returns the maximum size, in bytes, of a reservation that is not urgent.
func (s *Store) most() int64 { return s.memory.Limit() - s.memory.Limit()/spareShare }

// noMemory converts a *budget.FullError to a *NoMemoryError. It returns other errors, and nil, unchanged.
func (s *Store) noMemory(err error) error {
	if full, ok := errors.AsType[*budget.FullError](err); ok {
		return &NoMemoryError{Need: full.Need, Available: full.Available, Most: s.most()}
	}
	return err
}
