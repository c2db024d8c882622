package rediswheel

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// directMax is the number of scripts that add one task each that a wheel has in flight at a time. Up to
// that, tasks are sent sooner alone than in batches.
const directMax = 4

// batchesMax is the number of batches that a shard has in flight at a time: while Redis works on one, the
// callers of the other are woken and their next tasks are collected.
const batchesMax = 2

// directBytes is the longest record of a direct addition: together they are no longer than a
// batch, which comes in time over a slow link.
const directBytes = addBytes / directMax

// adder adds the tasks of several goroutines to a shard: with few in flight each in a
// script of its own, with more in batches. Tasks that come while batchesMax batches are in flight go with
// the next. Two tasks of one key are never in flight in two batches.
type adder struct {
	shard  Shard
	flying *atomic.Int64 // direct additions in flight, of all shards

	mu      sync.Mutex
	waiting []*adding
	sending map[string]bool // keys in the batches in flight
	senders int             // goroutines that send batches
	crowded bool            // the last batch had several tasks: the next is collected, too
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
	if a.senders == 0 && !a.crowded && len(e.Record) <= directBytes && a.takeOff() {
		a.mu.Unlock()
		defer a.flying.Add(-1)
		return a.addOne(ctx, e)
	}
	p := &adding{entry: e, done: make(chan struct{})}
	a.waiting = append(a.waiting, p)
	if a.senders < batchesMax {
		a.senders++
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
		a.settle(batch, err)
		runtime.Gosched() // the callers' next tasks make the next batch
	}
}

// settle ends the addition of a batch.
func (a *adder) settle(batch []*adding, err error) {
	a.mu.Lock()
	for _, p := range batch {
		delete(a.sending, p.entry.Key)
	}
	a.mu.Unlock()
	for _, p := range batch {
		p.err = err
		close(p.done)
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

// take takes the next batch; a task whose key is in flight waits until that has ended. If
// nothing waits, or only what the other sender is to take, it returns nil and there is one sender less.
func (a *adder) take() []*adding {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := fitting(a.waiting, a.sending, func(p *adding) Entry { return p.entry })
	if n == 0 {
		a.senders--
		if len(a.waiting) == 0 {
			a.waiting = nil
		}
		return nil
	}
	a.crowded = n > directMax/2
	batch := a.waiting[:n:n]
	a.waiting = a.waiting[n:]
	return batch
}

// fitting is how many at the front of a list make a batch: none of a key in seen, no key twice, no
// more than come in time over a slow link. It adds their keys to seen.
func fitting[T any](list []T, seen map[string]bool, entryOf func(T) Entry) int {
	size := 0
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
