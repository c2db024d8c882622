package redis

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// adder gathers the tasks that several goroutines add to a shard: while one script is
// under way, what comes waits and goes with the next, so a single caller pays one
// round trip and a crowd shares them. No more wait than callers do.
type adder struct {
	shard  Shard
	flying *atomic.Int64

	mu      sync.Mutex
	waiting []*adding
	busy    bool // a goroutine is emptying waiting
}

// adding is one caller's task.
type adding struct {
	entry Entry
	err   error
	done  chan struct{} // closed once err is settled
}

// add adds a task and waits for it, or until ctx ends. Whoever finds nobody at it
// sends its own task by itself.
func (a *adder) add(ctx context.Context, e Entry) error {
	a.mu.Lock()
	if !a.busy {
		a.busy = true
		a.mu.Unlock()
		added, err := a.shard.AddNew(ctx, e)
		if !added && err == nil {
			_, err = a.shard.Add(ctx, []Entry{e})
		}
		a.pass()
		return err
	}
	p := &adding{entry: e, done: make(chan struct{})}
	a.waiting = append(a.waiting, p)
	a.mu.Unlock()
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		a.forget(p)
		return ctx.Err()
	}
}

// forget takes a task that still waits off the list: its caller has gone, and may by
// then have removed it or added another. One under way can't be called back.
func (a *adder) forget(p *adding) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.waiting, p); i >= 0 {
		a.waiting = slices.Delete(a.waiting, i, i+1)
	}
}

// pass leaves what came meanwhile to a goroutine, which lives as long as more comes.
func (a *adder) pass() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy = len(a.waiting) > 0; a.busy {
		go a.empty()
	}
}

// empty adds what waits until nothing does. One caller's ctx is not the others':
// a batch has a time of its own.
func (a *adder) empty() {
	for batch := a.take(); batch != nil; batch = a.take() {
		entries := make([]Entry, len(batch))
		for i, p := range batch {
			entries[i] = p.entry
		}
		ctx, cancel := context.WithTimeout(context.Background(), addWait)
		_, err := a.shard.Add(ctx, entries)
		cancel()
		for _, p := range batch {
			p.err = err
			close(p.done)
		}
	}
}

// take takes the next batch; the later of two of one key waits for the next. Nil, and no
// longer busy, when nothing waits.
func (a *adder) take() []*adding {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := fitting(a.waiting, func(p *adding) Entry { return p.entry })
	if n == 0 {
		a.busy, a.waiting = false, nil
		return nil
	}
	batch := a.waiting[:n:n]
	a.waiting = a.waiting[n:]
	return batch
}

// fitting is how many at the front of a list make a batch: one at least, no key twice, no
// more than come in time over a slow link.
func fitting[T any](list []T, entryOf func(T) Entry) int {
	seen, size := make(map[string]bool, min(len(list), AddBatch)), 0
	for n, v := range list {
		e := entryOf(v)
		if n == AddBatch || seen[e.Key] || size >= addBytes {
			return n
		}
		seen[e.Key] = true
		size += len(e.Record)
	}
	return len(list)
}
