package rediswheel

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// bulkWaiting is the maximum number of complete batches per shard that wait to be sent.
const bulkWaiting = 2

// BulkOptions configures a Bulk. With the zero value, a task replaces an existing task with the
// same key.
type BulkOptions struct {
	IfAbsent bool // whether to keep an existing task with the same key instead of replacing it
}

// Bulk adds many tasks in batches, to all shards concurrently. Tasks with the same key are added in the order
// of the calls. A Bulk is not safe for concurrent use.
type Bulk struct {
	wheel  *engine.Wheel // in the layout in which the Bulk began
	o      BulkOptions
	ctx    context.Context // cancelled with the first error from a shard as the cause
	cancel context.CancelCauseFunc
	lists  []bulkList
	sender sync.WaitGroup

	added, present atomic.Int64
}

// bulkList collects the next batch of tasks for one shard.
type bulkList struct {
	batch []engine.Stored
	keys  map[string]bool      // keys of the tasks in batch
	bytes int                  // total length of the records of the tasks in batch
	send  chan []engine.Stored // passes complete batches to sendAll
}

// NewBulk returns a Bulk that adds tasks to w. It adds no more tasks once ctx is done. The caller must call
// Close.
func (w *Wheel) NewBulk(ctx context.Context, o BulkOptions) *Bulk {
	e := w.engine.Refreshed(ctx)
	b := &Bulk{wheel: e, o: o, lists: make([]bulkList, len(e.Shards()))}
	b.ctx, b.cancel = context.WithCancelCause(ctx)
	for i, s := range e.Shards() {
		send := make(chan []engine.Stored, bulkWaiting)
		b.lists[i] = bulkList{keys: map[string]bool{}, send: send}
		b.sender.Go(func() { b.sendAll(s, send) })
	}
	return b
}

// Add puts a task into the next batch; for the valid ranges of the arguments, see [Wheel.AddTask]. If the error
// wraps [ErrInput], the task is invalid and is left out. After any other error, no more tasks are added, and
// Close returns the same error.
func (b *Bulk) Add(key string, task Task, executeAt time.Time) error {
	e, err := newEntry(key, &task, executeAt)
	if err != nil {
		return err
	}
	return b.put(engine.Stored{Entry: e, State: string(Waiting), At: e.Due})
}

// Restore adds the task described by i, for example a task exported from another wheel, including the state, the number
// of attempts and the reason for the last failure. A task that was in flight is added as a task that is waiting for a
// retry and due at i.Due. Restore returns the same errors as Add.
func (b *Bulk) Restore(i Info) error {
	e, err := newEntry(i.Key, &i.Task, i.Due)
	if err != nil {
		return err
	}
	at, err := dueOf(i.At)
	if err != nil {
		return err
	}
	if i.Attempts < 0 || i.Attempts > AttemptsMax {
		return fmt.Errorf("%w: attempts: %d, expected 0 to %d", ErrInput, i.Attempts, AttemptsMax)
	}
	t := engine.Stored{Entry: e, State: string(i.State), At: at, Attempts: i.Attempts, Reason: connect.OneLine(i.Reason)}
	switch i.State {
	case Waiting, Retrying, Dead:
	case InFlight:
		t.State, t.At = string(Retrying), e.Due
	default:
		return fmt.Errorf("%w: State: %.40q, expected waiting, in-flight, retrying or dead", ErrInput, i.State)
	}
	return b.put(t)
}

func (b *Bulk) put(t engine.Stored) error {
	l := &b.lists[b.wheel.ShardIndex(t.Key)]
	if l.keys[t.Key] || len(l.batch) == engine.AddBatch || l.bytes >= engine.AddBytes {
		if err := b.flush(l); err != nil {
			return err
		}
	}
	l.batch = append(l.batch, t)
	l.keys[t.Key] = true
	l.bytes += len(t.Record)
	return nil
}

// flush passes the batch of l to the goroutine that sends batches to the shard of l, and starts a new batch. If b has
// stopped because of an error or because its context is done, flush returns the cause instead.
func (b *Bulk) flush(l *bulkList) error {
	if len(l.batch) == 0 {
		return nil
	}
	select {
	case l.send <- l.batch:
	case <-b.ctx.Done():
		return context.Cause(b.ctx)
	}
	l.batch, l.bytes = make([]engine.Stored, 0, engine.AddBatch), 0
	clear(l.keys)
	return nil
}

// Close sends the remaining tasks and waits for the replies. It returns the number of tasks that are known
// to have been added, and the number of tasks that were left out because their keys already existed. If err
// is not nil, more tasks may have been added.
func (b *Bulk) Close() (added, present int, err error) {
	for i := range b.lists {
		_ = b.flush(&b.lists[i]) // the error is also the cause of b.ctx
		close(b.lists[i].send)
	}
	b.sender.Wait()
	err = context.Cause(b.ctx)
	b.cancel(nil)
	return int(b.added.Load()), int(b.present.Load()), err
}

// sendAll sends batches to shard s until the channel is closed. An error cancels b.ctx; the remaining batches
// of all shards are then discarded.
func (b *Bulk) sendAll(s engine.Shard, batches <-chan []engine.Stored) {
	for batch := range batches {
		if b.ctx.Err() != nil {
			continue
		}
		if err := b.sendBatch(s, batch); err != nil {
			b.cancel(connect.Explain(err, b.wheel.Addr()))
		}
	}
}

func (b *Bulk) sendBatch(s engine.Shard, batch []engine.Stored) error {
	ctx, cancel := context.WithTimeout(b.ctx, engine.AddWait)
	defer cancel()
	plain := !b.o.IfAbsent
	for i := range batch {
		plain = plain && batch[i].State == string(Waiting)
	}
	if plain {
		entries := make([]engine.Entry, len(batch))
		for i := range batch {
			entries[i] = batch[i].Entry
		}
		_, err := s.Add(ctx, entries)
		if err == nil {
			b.added.Add(int64(len(batch)))
		}
		return err
	}
	flags, err := s.Restore(ctx, !b.o.IfAbsent, batch)
	for _, added := range flags {
		if added {
			b.added.Add(1)
		} else {
			b.present.Add(1)
		}
	}
	return err
}

// AddTaskIfAbsent is like AddTask, but adds the task only if there is no task with the same key, in
// whatever state. It reports whether it added the task.
func (w *Wheel) AddTaskIfAbsent(ctx context.Context, key string, task Task, executeAt time.Time) (added bool, err error) {
	e, err := newEntry(key, &task, executeAt)
	if err != nil {
		return false, err
	}
	err = w.engine.OnLayout(ctx, func(w *engine.Wheel) (err error) {
		added, err = w.Shard(key).AddNew(ctx, e)
		return err
	})
	return added && err == nil, err
}
