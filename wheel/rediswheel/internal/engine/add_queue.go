package engine

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// Limits of a script that adds tasks.
const (
	AddBatch = 256              // maximum number of tasks
	AddBytes = 1 << 20          // approximate maximum number of bytes of records; scripts that claim tasks have the same limit
	AddWait  = 10 * time.Second // timeout
)

// directMax is the maximum number of single-task scripts in flight across all shards of a wheel. Up to this
// number, sending tasks one by one was faster than sending batches (of 1, 2 and 4, measured).
const directMax = 2

// batchesMax is the maximum number of batches in flight per shard. With two, Redis can process one batch
// while the next one is collected.
const batchesMax = 2

// directBytes is the maximum length, in bytes, of the record of a task that add sends directly, not in a batch.
// Together, directMax such records are no longer than the records of one batch, so that they do not time out
// even on a slow link.
const directBytes = AddBytes / directMax

// addQueue adds the tasks of several goroutines to a shard. It sends one task per script while few
// tasks are in flight, and batches otherwise. Tasks that arrive while batchesMax batches are in
// flight go into the next batch. Two tasks with the same key are never in flight in two batches.
type addQueue struct {
	shard          Shard
	directInFlight *atomic.Int64 // number of single-task scripts in flight across all shards

	mu       sync.Mutex
	waiting  []*queuedTask
	sending  map[string]bool // keys of the tasks in the batches in flight
	senders  int             // number of goroutines that send batches
	batching bool            // whether the last batch had several tasks; if so, add does not send the next task directly
}

// queuedTask is a task in an addQueue. The caller that is adding it waits for done.
type queuedTask struct {
	entry Entry
	err   error         // result of adding the task; must not be read before done is closed
	done  chan struct{} // closed when err is set
}

// add adds task e to the shard. It returns the error of the script, or ctx.Err() if ctx is done first.
func (a *addQueue) add(ctx context.Context, e Entry) error {
	a.mu.Lock()
	if a.senders == 0 && !a.batching && len(e.Record) <= directBytes && a.reserveDirect() {
		a.mu.Unlock()
		_, err := connect.Await(ctx, func() (struct{}, error) {
			defer a.directInFlight.Add(-1)
			return struct{}{}, a.addDirect(ctx, e)
		})
		return err
	}
	p := &queuedTask{entry: e, done: make(chan struct{})}
	a.waiting = append(a.waiting, p)
	if a.senders < batchesMax {
		a.senders++
		go a.sendBatches()
	}
	a.mu.Unlock()
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		a.withdraw(p)
		return ctx.Err()
	}
}

// reserveDirect reports whether a script that adds a single task may be sent now, that is, whether fewer than
// directMax such scripts are in flight. If it returns true, it has incremented directInFlight, and the caller must
// decrement directInFlight when the script has completed.
func (a *addQueue) reserveDirect() bool {
	if a.directInFlight.Add(1) <= directMax {
		return true
	}
	a.directInFlight.Add(-1)
	return false
}

// addDirect adds task e in a script of its own. It runs add_new.lua and, if a task with the same key exists,
// add.lua, which is slower but replaces that task.
func (a *addQueue) addDirect(ctx context.Context, e Entry) error {
	added, err := a.shard.AddNew(ctx, e)
	if !added && err == nil {
		_, err = a.shard.Add(ctx, []Entry{e})
	}
	return err
}

// withdraw removes p from the waiting list, unless p is already being sent. The method add calls withdraw when
// the context is done. Otherwise, p could be sent after the caller has removed the task or added another task
// with the same key.
func (a *addQueue) withdraw(p *queuedTask) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.waiting, p); i >= 0 {
		a.waiting = slices.Delete(a.waiting, i, i+1)
	}
}

// sendBatches sends batches until nextBatch returns nil. Each batch has its own timeout, independent of the contexts
// of the calls to add that wait for its tasks.
func (a *addQueue) sendBatches() {
	for batch := a.nextBatch(); batch != nil; batch = a.nextBatch() {
		ctx, cancel := context.WithTimeout(context.Background(), AddWait)
		err := a.send(ctx, batch)
		cancel()
		a.complete(batch, err)
		runtime.Gosched() // lets the callers submit tasks for the next batch
	}
}

// complete sets the result of every task of batch to err and wakes the callers that wait for these tasks.
func (a *addQueue) complete(batch []*queuedTask, err error) {
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

func (a *addQueue) send(ctx context.Context, batch []*queuedTask) error {
	if len(batch) == 1 {
		return a.addDirect(ctx, batch[0].entry)
	}
	entries := make([]Entry, len(batch))
	for i, p := range batch {
		entries[i] = p.entry
	}
	_, err := a.shard.Add(ctx, entries)
	return err
}

// nextBatch removes the next batch from the waiting list and returns it. It decrements a.senders and returns
// nil if the list is empty or begins with a task with the same key as a task in flight. In the latter case, the
// goroutine that is sending the task in flight sends the rest of the list afterwards.
func (a *addQueue) nextBatch() []*queuedTask {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := BatchLen(a.waiting, a.sending, func(p *queuedTask) Entry { return p.entry })
	if n == 0 {
		a.senders--
		if len(a.waiting) == 0 {
			a.waiting = nil
		}
		return nil
	}
	a.batching = n > directMax/2
	batch := a.waiting[:n:n]
	a.waiting = a.waiting[n:]
	return batch
}

// BatchLen returns the number of elements at the front of list whose tasks form the next batch: at most AddBatch
// tasks and about AddBytes of records, with distinct keys that are not in seen. It adds these keys to seen.
// entryOf returns the task of an element.
func BatchLen[T any](list []T, seen map[string]bool, entryOf func(T) Entry) int {
	size := 0
	for n, v := range list {
		e := entryOf(v)
		if n == AddBatch || seen[e.Key] || size >= AddBytes {
			return n
		}
		seen[e.Key] = true
		size += len(e.Record)
	}
	return len(list)
}
