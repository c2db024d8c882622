package rediswheel

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"regexp"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// Default name and limits of a wheel.
const (
	NameDefault   = "wheel" // name of a wheel if none is given
	ShardsDefault = 16      // number of shards of a new wheel if none is given
	ShardsMax     = 64      // maximum number of shards of a wheel
	AddBatch      = 256     // maximum number of tasks that one script adds or removes
)

// addBytes is the approximate maximum number of bytes of records that one script adds. Scripts that claim
// tasks have the same limit.
const addBytes = 1 << 20

// addWait is the timeout of a script that adds a batch of tasks.
const addWait = 10 * time.Second

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

// Wheel is a timing wheel in Redis. Its methods are safe for concurrent use.
//
// The fields of a Wheel never change. They describe one layout of the wheel. When the layout in Redis changes,
// or the wheel is created again after Redis has lost it, the package creates another Wheel for the new layout.
// From then on the methods of the older Wheel values use the new one.
type Wheel struct {
	name      string
	addr      string
	client    goredis.UniversalClient
	id        string // ID of the wheel on Redis; a lost wheel is created again with another ID
	shards    []Shard
	addQueues []*addQueue
	current   *current

	eviction string // maxmemory policy under which Redis may evict tasks; empty if it does not evict tasks
}

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
	w := &Wheel{name: o.Name, addr: connect.Address(client), client: client}
	info, err := connect.Info(ctx, client)
	if err == nil {
		err = connect.CheckVersion(info["redis_version"])
	}
	if err != nil {
		return nil, connect.Explain(err, w.addr)
	}
	w.eviction = connect.Eviction(info)
	w, err = w.openLayout(ctx, o)
	if err != nil {
		return nil, w.explainLayout(err)
	}
	return w, nil
}

// openLayout reads the layout of the wheel from Redis, or creates the wheel if it is missing and o.Existing
// is false. It returns a Wheel with that layout, or w and an error.
func (w *Wheel) openLayout(ctx context.Context, o Options) (*Wheel, error) {
	w.current = &current{turn: make(chan struct{}, 1), existing: o.Existing}
	w.current.log.Store(cmp.Or(o.Log, slog.New(slog.DiscardHandler)))
	count := cmp.Or(o.Shards, ShardsDefault)
	if o.Existing {
		count = 0
	}
	d, _, err := w.describe(ctx, count)
	switch {
	case err != nil:
		return w, err
	case o.Shards != 0 && o.Shards != d.count:
		return w, fmt.Errorf("%w: wheel %q has %d, expected %d", ErrShards, w.name, d.count, o.Shards)
	}
	next := w.with(&d)
	if !o.Existing && !d.marked {
		if _, err := next.mark(ctx, d.paused); err != nil {
			return w, err
		}
	}
	next.current.newest.Store(next)
	return next, nil
}

// Name returns the name of the wheel.
func (w *Wheel) Name() string { return w.name }

// Addr returns the address of the Redis server. For a cluster it returns the addresses of the initial nodes,
// separated by commas.
func (w *Wheel) Addr() string { return w.addr }

// Shards returns the shards of the wheel in the layout that was last read from Redis.
func (w *Wheel) Shards() []Shard { return w.latest().shards }

// Now returns the time by the clock of Redis, which decides when a task is due. In a cluster it is
// the clock of one node.
func (w *Wheel) Now(ctx context.Context) (time.Time, error) {
	now, err := w.client.Time(ctx).Result()
	return now, connect.Explain(err, w.addr)
}

// shardOf returns the index of the shard that stores the task with the given key.
func (w *Wheel) shardOf(key string) int {
	if len(w.shards) == 1 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return int(h.Sum64() % uint64(len(w.shards)))
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
	return w.onLayout(ctx, func(w *Wheel) error { return w.addQueues[w.shardOf(key)].add(ctx, e) })
}

// AddTasks adds many tasks as AddTask does, in batches of at most [AddBatch]. If a task is
// invalid, the error wraps [ErrInput] and no task is added. If several tasks have the same key,
// the last one is kept. After any other error some tasks may have been added.
func (w *Wheel) AddTasks(ctx context.Context, items []Item) error {
	entries := make([]Entry, len(items))
	for i := range items {
		e, err := newEntry(items[i].Key, &items[i].Task, items[i].ExecuteAt)
		if err != nil {
			return fmt.Errorf("task %d: %w", i, err)
		}
		entries[i] = e
	}
	return w.onLayout(ctx, func(w *Wheel) error { return w.addEntries(ctx, entries) })
}

// addEntries adds tasks, one shard after another. If it fails, some tasks may have been added; the caller may
// add all of them again.
func (w *Wheel) addEntries(ctx context.Context, entries []Entry) error {
	byShard := make([][]Entry, len(w.shards))
	for _, e := range entries {
		n := w.shardOf(e.Key)
		byShard[n] = append(byShard[n], e)
	}
	for i, entries := range byShard {
		for len(entries) > 0 {
			seen := make(map[string]bool, min(len(entries), AddBatch))
			n := batchLen(entries, seen, func(e Entry) Entry { return e })
			if _, err := w.shards[i].Add(ctx, entries[:n]); err != nil {
				return err
			}
			entries = entries[n:]
		}
	}
	return nil
}

func newEntry(key string, task *Task, executeAt time.Time) (Entry, error) {
	if err := checkKey(key); err != nil {
		return Entry{}, err
	}
	if err := task.check(); err != nil {
		return Entry{}, err
	}
	due, err := dueOf(executeAt)
	if err != nil {
		return Entry{}, err
	}
	return Entry{key, due, task.Record(due)}, nil
}

// RemoveTask removes the task with the given key, in any state, and reports whether there was one. A running
// callback is not stopped. If ctx is done, or Redis cannot be reached, the task may or may not have been
// removed.
func (w *Wheel) RemoveTask(ctx context.Context, key string) (bool, error) {
	if err := checkKey(key); err != nil {
		return false, err
	}
	var removed []bool
	err := w.onLayout(ctx, func(w *Wheel) (err error) {
		removed, err = w.shards[w.shardOf(key)].Remove(ctx, []string{key})
		return err
	})
	return err == nil && removed[0], err
}
