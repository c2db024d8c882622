package redis

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// directMax is how many scripts that add one task each a wheel has in flight at a time.
// Up to that, tasks sent one by one arrive sooner and in greater number than in batches,
// which wait for each other; above it batches save more work than the waiting costs.
const directMax = 16

// directBytes is the longest record of a direct addition: together they are no longer than a
// batch, which comes in time over a slow link.
const directBytes = addBytes / directMax

// adder adds the tasks of several goroutines to a shard: with few in flight each in a
// script of its own, with many in batches. Of a batch one script is in flight at a time,
// and what comes meanwhile goes with the next.
type adder struct {
	shard  Shard
	flying *atomic.Int64 // direct additions in flight, of all shards

	mu      sync.Mutex
	waiting []*adding
	busy    bool // a goroutine sends batches
	crowded bool // the last batch was large: the next is collected, too
}

// adding is one caller's task.
type adding struct {
	entry Entry
	err   error
	done  chan struct{} // closed once err is settled
}

// add adds a task and waits for it, or until ctx ends.
func (a *adder) add(ctx context.Context, e Entry) error {
	a.mu.Lock()
	if !a.busy && !a.crowded && len(e.Record) <= directBytes && a.takeOff() {
		a.mu.Unlock()
		defer a.flying.Add(-1)
		return a.addOne(ctx, e)
	}
	p := &adding{entry: e, done: make(chan struct{})}
	a.waiting = append(a.waiting, p)
	if !a.busy {
		a.busy = true
		go a.empty()
	}
	a.mu.Unlock()
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		a.forget(p)
		return ctx.Err()
	}
}

// takeOff counts a direct addition as in flight, unless there are too many.
func (a *adder) takeOff() bool {
	if a.flying.Add(1) <= directMax {
		return true
	}
	a.flying.Add(-1)
	return false
}

// addOne adds a task by the faster script, or, if there is one of its key, by the general one.
func (a *adder) addOne(ctx context.Context, e Entry) error {
	added, err := a.shard.AddNew(ctx, e)
	if !added && err == nil {
		_, err = a.shard.Add(ctx, []Entry{e})
	}
	return err
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

// empty adds what waits until nothing does. A batch has a time limit of its own: the ctx
// of one caller is not that of the others.
func (a *adder) empty() {
	for batch := a.take(); batch != nil; batch = a.take() {
		ctx, cancel := context.WithTimeout(context.Background(), addWait)
		err := a.send(ctx, batch)
		cancel()
		for _, p := range batch {
			p.err = err
			close(p.done)
		}
		runtime.Gosched() // the callers' next tasks make the next batch
	}
}

func (a *adder) send(ctx context.Context, batch []*adding) error {
	if len(batch) == 1 {
		return a.addOne(ctx, batch[0].entry)
	}
	entries := make([]Entry, len(batch))
	for i, p := range batch {
		entries[i] = p.entry
	}
	_, err := a.shard.Add(ctx, entries)
	return err
}

// take takes the next batch; of two tasks of one key the later waits for the next. If
// nothing waits it returns nil, and the adder is no longer busy.
func (a *adder) take() []*adding {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := fitting(a.waiting, func(p *adding) Entry { return p.entry })
	if n == 0 {
		a.busy, a.waiting = false, nil
		return nil
	}
	a.crowded = n > directMax/2
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
