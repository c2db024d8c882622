package sim

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim/program"
)

// ServerScenarioMax is the largest size of a scenario in bytes that Store.Planning plans for
// clients that share memory.
const ServerScenarioMax = 16 << 20

// Planning returns options for planning scenarios in turns of the store's queue and with its
// memory. ctx must carry a turn. The caller must call release when the programs have been
// opened or are not needed.
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

// NoMemoryError reports that the memory for some work is not available at present.
type NoMemoryError struct {
	Need, Available int64 // bytes
}

// Message returns the error as one line in the user's language.
func (e *NoMemoryError) Message() say.Message {
	return say.Of("this needs about %s of memory; %s are available now: try again in a while", program.FormatBytes(e.Need), program.FormatBytes(e.Available))
}

func (e *NoMemoryError) Error() string { return e.Message().String() }

// Reserve reserves n bytes of the store's memory for work on its runs. The error is a
// *NoMemoryError.
func (s *Store) Reserve(n int64) (*budget.Reservation, error) {
	mem, err := s.memory.Reserve(n)
	return mem, noMemory(err)
}

// Limits of waiting for memory to be released.
const (
	ShortWait       = 2 * time.Second        // how long a request waits for memory before it is refused
	MemoryRetry     = 100 * time.Millisecond // delay before a request, frame or seek that lacks memory is tried again
	shortWaitersMax = 16                     // requests that may wait at a time; further ones are refused at once
)

// WhenFree calls f, which reserves memory. If f fails for lack of memory, WhenFree waits up to
// ShortWait until that much is free and calls f once more. It gives up the turn of ctx while
// it waits. An f that fails must have released what it had reserved.
func (s *Store) WhenFree(ctx context.Context, f func() error) error {
	err := f()
	short, ok := errors.AsType[*NoMemoryError](err)
	if !ok || !s.awaitMemory(ctx, short.Need) {
		return err
	}
	return f()
}

// awaitMemory waits up to shortWait until n bytes are free. It returns false at once if n
// exceeds the budget or too many requests wait, and when ctx ends.
func (s *Store) awaitMemory(ctx context.Context, n int64) bool {
	if n > s.memory.Limit()-s.memory.Limit()/spareShare {
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

// ReserveWhenFree is like Reserve, but waits for memory as WhenFree does.
func (s *Store) ReserveWhenFree(ctx context.Context, n int64) (mem *budget.Reservation, err error) {
	err = s.WhenFree(ctx, func() (err error) {
		mem, err = s.Reserve(n)
		return err
	})
	return mem, err
}

// Shares of the budget, as divisors.
const (
	spareShare  = 8  // kept free for urgent reservations
	urgentShare = 64 // most that one urgent reservation takes
)

// reserveUrgent is like Reserve, for what the next frame of a session needs. A small
// reservation may use the spare memory that is closed to other reservations.
func (s *Store) reserveUrgent(n int64) (*budget.Reservation, error) {
	if n > s.memory.Limit()/urgentShare {
		return s.Reserve(n)
	}
	mem, err := s.memory.ReserveUrgent(n)
	return mem, noMemory(err)
}

// noMemory returns the error of a reservation as a *NoMemoryError, nil for nil.
func noMemory(err error) error {
	if full, ok := errors.AsType[*budget.FullError](err); ok {
		return &NoMemoryError{Need: full.Need, Available: full.Available}
	}
	return err
}
