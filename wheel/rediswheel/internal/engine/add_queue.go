package engine

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// Limits of a script that adds tasks.
const (
	AddBatch = 256              // maximum number of tasks
	AddBytes = 1 << 20          // approximate maximum number of bytes of records; scripts that claim tasks have the same limit
	AddWait  = 10 * time.Second // timeout
)

// directMax is the maximum number of tasks that are sent one by one at a time. Up to this number that was faster than
// sending them in pipelines (of 1, 2 and 4, measured).
const directMax = 2

// addQueue adds the tasks of several goroutines to a wheel, or in a cluster to a shard. It sends one task at a time while
// few tasks are in flight, and pipelines of scripts otherwise, one for each task. Tasks that arrive while a pipeline is
// in flight go into the next one.
type addQueue struct {
	wheel *Wheel

	mu        sync.Mutex
	direct    int // number of tasks in flight that were sent directly
	waiting   []*queuedTask
	sending   bool // whether a goroutine sends pipelines
	pipelined bool // whether the last pipeline had several tasks; if so, add does not send the next task directly
}

// queuedTask is a task in an addQueue. The caller that is adding it waits for done.
type queuedTask struct {
	entry Entry
	err   error         // result of adding the task; must not be read before done is closed
	done  chan struct{} // closed when err is set
}

// add adds task e. It returns the error of the script, or ctx.Err() if ctx is done first.
func (a *addQueue) add(ctx context.Context, e Entry) error {
	a.mu.Lock()
	if !a.sending && !a.pipelined && a.direct < directMax {
		a.direct++
		a.mu.Unlock()
		_, err := connect.Await(ctx, func() (struct{}, error) { return struct{}{}, a.addDirect(ctx, e) })
		return err
	}
	p := &queuedTask{entry: e, done: make(chan struct{})}
	a.waiting = append(a.waiting, p)
	if !a.sending {
		a.sending = true
		go a.sendPipelines()
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

// addDirect adds task e in a script of its own. It runs add_new.lua and, if a task with the same key exists,
// add.lua, which is slower but replaces that task.
func (a *addQueue) addDirect(ctx context.Context, e Entry) error {
	defer func() {
		a.mu.Lock()
		a.direct--
		a.mu.Unlock()
	}()
	shard := a.wheel.Shard(e.Key)
	added, err := shard.AddNew(ctx, e)
	if !added && err == nil {
		_, err = shard.Add(ctx, []Entry{e})
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

// sendPipelines sends pipelines until no tasks are waiting. Each has its own timeout, independent of the contexts
// of the calls to add that wait for its tasks.
func (a *addQueue) sendPipelines() {
	for batch := a.next(); batch != nil; batch = a.next() {
		ctx, cancel := context.WithTimeout(context.Background(), AddWait)
		a.send(ctx, batch)
		cancel()
		for _, p := range batch {
			close(p.done)
		}
		runtime.Gosched() // lets the callers submit tasks for the next pipeline
	}
}

// send adds the tasks of batch and sets their errors. It runs add_new.lua for each and then, for each shard, add.lua
// for those whose keys exist.
func (a *addQueue) send(ctx context.Context, batch []*queuedTask) {
	calls := make([]call, len(batch))
	for i, p := range batch {
		calls[i] = a.wheel.Shard(p.entry.Key).addNewCall(p.entry)
	}
	present := map[int][]*queuedTask{}
	for i, reply := range a.wheel.runAll(ctx, calls) {
		n, err := reply.Int()
		if batch[i].err = err; err == nil && n == 0 {
			shard := a.wheel.ShardIndex(batch[i].entry.Key)
			present[shard] = append(present[shard], batch[i])
		}
	}
	if len(present) == 0 {
		return
	}
	calls = calls[:0]
	shards := slices.Collect(maps.Keys(present))
	for _, i := range shards {
		entries := make([]Entry, len(present[i]))
		for j, p := range present[i] {
			entries[j] = p.entry
		}
		calls = append(calls, a.wheel.shards[i].addCall(entries))
	}
	for i, reply := range a.wheel.runAll(ctx, calls) {
		for _, p := range present[shards[i]] {
			p.err = reply.Err()
		}
	}
}

// next removes the tasks of the next pipeline from the waiting list and returns them. If there are none, it sets
// a.sending to false and returns nil.
func (a *addQueue) next() []*queuedTask {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := BatchLen(a.waiting, func(p *queuedTask) Entry { return p.entry })
	if n == 0 {
		a.sending, a.waiting = false, nil
		return nil
	}
	a.pipelined = n > 1
	batch := a.waiting[:n:n]
	a.waiting = a.waiting[n:]
	return batch
}

// BatchLen returns the number of elements at the front of list whose tasks form the next batch: at most AddBatch
// tasks and about AddBytes of records, with distinct keys. entryOf returns the task of an element.
func BatchLen[T any](list []T, entryOf func(T) Entry) int {
	seen, size := make(map[string]bool, min(len(list), AddBatch)), 0
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
