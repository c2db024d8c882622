package web

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/sim"
)

// kept makes something of whole runs, few at a time, and keeps what it made last.
type kept[T any] struct {
	turns chan struct{} // a token for each that is being made
	from  func(context.Context, *sim.Program) (T, error)

	mu   sync.Mutex
	made *simplelru.LRU[string, T] // by the run's digest
}

func newKept[T any](size int, from func(context.Context, *sim.Program) (T, error)) *kept[T] {
	k := &kept[T]{turns: make(chan struct{}, ComparingMax), from: from}
	k.made, _ = simplelru.NewLRU[string, T](size, nil) // fails for a size < 1 only
	return k
}

// of gives what was made of a run, or makes it when its turn has come.
func (k *kept[T]) of(ctx context.Context, run *sim.Run) (made T, err error) {
	if made, ok := k.look(run); ok {
		return made, nil
	}
	done, err := k.turn(ctx)
	if err != nil {
		return made, err
	}
	defer done()
	if made, ok := k.look(run); ok { // made while this one waited
		return made, nil
	}
	if made, err = k.from(ctx, run.Program()); err != nil {
		return made, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.made.Add(run.Digest(), made)
	return made, nil
}

// turn waits until little enough is being made; done ends the turn.
func (k *kept[T]) turn(ctx context.Context) (done func(), err error) {
	select {
	case k.turns <- struct{}{}:
		return func() { <-k.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (k *kept[T]) look(run *sim.Run) (T, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.made.Get(run.Digest())
}
