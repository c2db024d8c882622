package sim

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/say"
)

// Planning returns options with which scenarios are planned in turns of the store's
// queue and with its memory. ctx carries a turn. release releases the memory: it is
// called when the programs have been opened, or are not needed any more.
func (s *Store) Planning(ctx context.Context) (o PlanOptions, release func()) {
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

// NoMemoryError is the refusal of work for which the memory is not available now.
type NoMemoryError struct {
	Need, Available int64 // bytes
}

// Message is the error as one line in the user's language.
func (e *NoMemoryError) Message() say.Message {
	return say.Of("this needs about %s of memory; %s are available now: try again in a while", FormatBytes(e.Need), FormatBytes(e.Available))
}

func (e *NoMemoryError) Error() string { return e.Message().String() }

// Reserve reserves n bytes of the store's memory for work on its runs. The error is a
// *NoMemoryError.
func (s *Store) Reserve(n int64) (*budget.Reservation, error) {
	mem, err := s.memory.Reserve(n)
	return mem, noMemory(err)
}

// Bounds of waiting for memory that is being released.
const (
	shortWait       = 2 * time.Second // for memory that is not available, before a request is refused
	shortWaitersMax = 16              // requests that wait so at a time; further ones are refused at once
)

// WhenFree calls f, which reserves memory. If f fails for want of it, WhenFree waits until as much is
// free, at most shortWait, and calls f once more. Meanwhile others have the turn of ctx. f must
// have released what it had reserved when it fails.
func (s *Store) WhenFree(ctx context.Context, f func() error) error {
	err := f()
	short, ok := errors.AsType[*NoMemoryError](err)
	if !ok || !s.awaitMemory(ctx, short.Need) {
		return err
	}
	return f()
}

// awaitMemory waits until n bytes are free, at most shortWait. It returns false at once if n is more than there can
// be, or if too many wait, and when ctx ends.
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
	until := time.Now().Add(shortWait)
	err := fairqueue.Outside(ctx, func() {
		for ctx.Err() == nil && s.memory.Free() < n && time.Now().Before(until) {
			select {
			case <-time.After(memoryRetry):
			case <-ctx.Done():
			}
		}
	})
	return err == nil && ctx.Err() == nil
}

// ReserveWhenFree is Reserve that waits for memory as WhenFree does.
func (s *Store) ReserveWhenFree(ctx context.Context, n int64) (mem *budget.Reservation, err error) {
	err = s.WhenFree(ctx, func() (err error) {
		mem, err = s.Reserve(n)
		return err
	})
	return mem, err
}

// Shares of the budget, one part in so many each.
const (
	spareShare  = 8  // is left to urgent reservations
	urgentShare = 64 // an urgent reservation takes at most
)

// reserveUrgent is Reserve for what the next frame of a session needs. If it is little, it may take memory that
// other reservations leave free.
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
