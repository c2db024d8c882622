package rediswheel

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// Default name and limits of a wheel.
const (
	NameDefault   = "wheel"          // name of a wheel if none is given
	ShardsDefault = 16               // number of shards of a new wheel if none is given
	ShardsMax     = engine.ShardsMax // maximum number of shards of a wheel
	AddBatch      = engine.AddBatch  // maximum number of tasks that one script adds or removes
)

// names matches the valid names of wheels. They contain no character that is special to Redis or to a shell.
var names = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Options configures Open.
type Options struct {
	Name string // name of the wheel; empty means NameDefault
	// Shards is the number of shards, up to ShardsMax, of a wheel that is created; it never changes afterwards. All keys
	// of a shard are on one node of a cluster. If Shards is 0, a new wheel gets ShardsDefault, and an existing wheel of
	// any number is opened.
	Shards int
	// Existing makes Open return ErrNone if the wheel does not exist, instead of creating it. Programs that
	// only read should set it. Otherwise they may create the wheel, with a number of shards that other programs
	// do not expect.
	Existing bool
	// Log receives messages about lost data. If it is nil, they are not logged. A
	// worker of the wheel replaces it with its own logger.
	Log *slog.Logger
}

// Wheel is a timing wheel in Redis. Its methods are safe for concurrent use. If Redis loses the wheel, they create it
// again.
type Wheel struct {
	engine *engine.Wheel
	holder // for package worker
}

type holder = engine.Holder

// Item is a task for [Wheel.AddTasks], with its key and the time at which it is to be called.
type Item struct {
	Key       string
	Task      Task
	ExecuteAt time.Time
}

// Open opens a wheel, or creates it if it does not exist and o.Existing is false. The client must be
// connected to a writable Redis server of version [VersionMin] or newer, and must be closed by the caller.
// The error wraps [ErrInput] if an option is invalid, and [ErrShards] if o.Shards is not 0 and differs from
// the number of shards of the wheel.
func Open(ctx context.Context, client goredis.UniversalClient, o Options) (*Wheel, error) {
	o.Name = cmp.Or(o.Name, NameDefault)
	if !names.MatchString(o.Name) {
		return nil, fmt.Errorf("%w: name of the wheel: %.80q, expected up to 64 letters, digits, dots, dashes", ErrInput, o.Name)
	}
	if o.Shards < 0 || o.Shards > ShardsMax {
		return nil, fmt.Errorf("%w: shards: %d, expected 1 to %d", ErrInput, o.Shards, ShardsMax)
	}
	e, err := engine.Open(ctx, client, engine.Options{Name: o.Name, Shards: o.Shards, Default: ShardsDefault, Existing: o.Existing, Log: o.Log})
	if err != nil {
		return nil, err
	}
	return &Wheel{e, engine.Hold(e)}, nil
}

// Name returns the name of the wheel.
func (w *Wheel) Name() string { return w.engine.Name() }

// Addr returns the address of the Redis server. For a cluster it returns the addresses of the initial nodes,
// separated by commas.
func (w *Wheel) Addr() string { return w.engine.Addr() }

// Shards returns the number of shards of the wheel.
func (w *Wheel) Shards() int { return len(w.engine.Latest().Shards()) }

// Losses contains the numbers of certain and possible losses of data that this process has detected since it
// opened the wheel.
type Losses struct {
	Data     int64 // number of times that the wheel or some of its shards were found missing in Redis
	Restarts int64 // number of restarts and failovers of Redis; each loses data that was not yet saved or replicated
}

// Losses returns the numbers of certain and possible losses of data detected since the wheel was opened. It
// is safe for concurrent use.
func (w *Wheel) Losses() Losses {
	data, restarts := w.engine.Losses()
	return Losses{Data: data, Restarts: restarts}
}

// Now returns the time by the clock of Redis, which decides when a task is due. In a cluster it is
// the clock of one node.
func (w *Wheel) Now(ctx context.Context) (time.Time, error) {
	now, err := w.engine.Client().Time(ctx).Result()
	return now, connect.Explain(err, w.Addr())
}

// AddTask adds a task to be called at executeAt, rounded up to a whole millisecond. If executeAt is in the past, the
// task is called immediately. key must have 1 to KeyMax bytes, and executeAt must be from DueMin to DueMax. If the
// clock of this machine may be wrong, compute executeAt from [Wheel.Now]. An existing task with the same key is
// replaced, whatever its state; the new task starts with its first attempt. Tasks that many goroutines add at the same
// time are sent in batches.
//
// If ctx is done, or Redis cannot be reached or does not answer in time, the task may or may not have been added. The
// caller should add it again. If the task was called in the meantime, it is then called a second time. The error wraps
// [ErrInput] if the task or the key is invalid.
func (w *Wheel) AddTask(ctx context.Context, key string, task Task, executeAt time.Time) error {
	e, err := newEntry(key, &task, executeAt)
	if err != nil {
		return err
	}
	return w.engine.OnLayout(ctx, func(w *engine.Wheel) error { return w.Add(ctx, e) })
}

// AddTasks adds many tasks as AddTask does, in batches of at most [AddBatch]. If a task is
// invalid, the error wraps [ErrInput] and no task is added. If several tasks have the same key,
// the last one is kept. After any other error some tasks may have been added.
func (w *Wheel) AddTasks(ctx context.Context, items []Item) error {
	entries := make([]engine.Entry, len(items))
	for i := range items {
		e, err := newEntry(items[i].Key, &items[i].Task, items[i].ExecuteAt)
		if err != nil {
			return fmt.Errorf("task %d: %w", i, err)
		}
		entries[i] = e
	}
	return w.engine.OnLayout(ctx, func(w *engine.Wheel) error { return addEntries(ctx, w, entries) })
}

// addEntries adds tasks, one shard after another. If it fails, some tasks may have been added; the caller may
// add all of them again.
func addEntries(ctx context.Context, w *engine.Wheel, entries []engine.Entry) error {
	byShard := make([][]engine.Entry, len(w.Shards()))
	for _, e := range entries {
		n := w.ShardIndex(e.Key)
		byShard[n] = append(byShard[n], e)
	}
	for i, entries := range byShard {
		for len(entries) > 0 {
			n := engine.BatchLen(entries, func(e engine.Entry) engine.Entry { return e })
			if _, err := w.Shards()[i].Add(ctx, entries[:n]); err != nil {
				return err
			}
			entries = entries[n:]
		}
	}
	return nil
}

// AddIn is like AddTask for a task that is due after delay, by the clock of Redis.
func (w *Wheel) AddIn(ctx context.Context, key string, task Task, delay time.Duration) error {
	now, err := w.Now(ctx)
	if err != nil {
		return err
	}
	return w.AddTask(ctx, key, task, now.Add(delay))
}

// Reschedule makes the task with the given key due at another time, rounded up to a whole millisecond, and reports
// whether there is one. The task keeps its URL or handler and its body. A task that was retrying or dead starts again
// with its first attempt. A task in flight is not changed, and the error wraps [ErrInFlight].
func (w *Wheel) Reschedule(ctx context.Context, key string, at time.Time) (bool, error) {
	due, err := dueOf(at)
	if err != nil {
		return false, err
	}
	return w.move(ctx, key, due)
}

// RunNow is like Reschedule with the time of the clock of Redis.
func (w *Wheel) RunNow(ctx context.Context, key string) (bool, error) { return w.move(ctx, key, -1) }

// move moves a task to due, a Unix time in milliseconds, or to the time of Redis if due is negative.
func (w *Wheel) move(ctx context.Context, key string, due int64) (bool, error) {
	if err := checkKey(key); err != nil {
		return false, err
	}
	var was string
	err := w.engine.OnLayout(ctx, func(w *engine.Wheel) (err error) {
		was, err = w.Shard(key).Move(ctx, key, due)
		return err
	})
	if err == nil && was == string(InFlight) {
		err = fmt.Errorf("%w: %.80q", ErrInFlight, key)
	}
	return err == nil && was != "", err
}

func newEntry(key string, task *Task, executeAt time.Time) (engine.Entry, error) {
	if err := checkKey(key); err != nil {
		return engine.Entry{}, err
	}
	if err := task.check(); err != nil {
		return engine.Entry{}, err
	}
	due, err := dueOf(executeAt)
	if err != nil {
		return engine.Entry{}, err
	}
	if len(key) > KeyMax-len(engine.RunLayout) && task.Periodic() {
		return engine.Entry{}, fmt.Errorf("%w: key: %d bytes, expected at most %d for a periodic task", ErrInput, len(key), KeyMax-len(engine.RunLayout))
	}
	return engine.Entry{Key: key, Due: due, Record: task.Record(due)}, nil
}

// RemoveTask removes the task with the given key, in any state, and reports whether there was one. A running
// callback is not stopped. If ctx is done, or Redis cannot be reached, the task may or may not have been
// removed.
func (w *Wheel) RemoveTask(ctx context.Context, key string) (bool, error) {
	if err := checkKey(key); err != nil {
		return false, err
	}
	var removed []bool
	err := w.engine.OnLayout(ctx, func(w *engine.Wheel) (err error) {
		removed, err = w.Shard(key).Remove(ctx, []string{key})
		return err
	})
	return err == nil && removed[0], err
}
