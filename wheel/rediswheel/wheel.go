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
)

// Bounds and defaults of a wheel.
const (
	NameDefault = "wheel"
	ShardsMax   = 64
	AddBatch    = 256 // tasks of one script, for adding and removing
)

// addBytes are those of the records of one script, about, as a claim's.
const addBytes = 1 << 20

// addWait is how long a batch of tasks that several callers add may take.
const addWait = 10 * time.Second

// names are what a wheel may be called: nothing that Redis or a shell reads
// otherwise.
var names = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Options say which wheel to open.
type Options struct {
	Name string // NameDefault if empty
	// Shards is the number of parts, each on one node, if the wheel is new: 1 if 0.
	// For a wheel that exists 0 takes the number it has.
	Shards int
	// Existing opens a wheel that is there, and makes none: for who only looks, and
	// must not fix the number of shards of a wheel that somebody is about to make.
	Existing bool
	// Log receives an error line if the wheel's data is found to be lost; nil: none. A
	// worker on the wheel uses its own log for that.
	Log *slog.Logger
}

// Wheel is a wheel on Redis. Its methods may be called by several goroutines.
//
// The fields of a Wheel never change. If the layout of the wheel in Redis changes, or
// Redis loses the wheel and it is made again, methods go on with [Wheel.latest].
type Wheel struct {
	name    string
	addr    string
	client  goredis.UniversalClient
	id      string // of the layout
	version int    // of the layout
	shards  []Shard
	adders  []*adder
	current *current

	eviction string // by what rule Redis may drop tasks, or nothing
}

// Item is a task to be added with others.
type Item struct {
	Key       string
	Task      Task
	ExecuteAt time.Time
}

// Open opens a wheel, or makes it unless that is ruled out, on a client that stays the caller's to close. It
// needs a Redis of [VersionMin] or newer that takes writes.
func Open(ctx context.Context, client goredis.UniversalClient, o Options) (*Wheel, error) {
	if o.Name == "" {
		o.Name = NameDefault
	}
	if !names.MatchString(o.Name) {
		return nil, fmt.Errorf("%w: name of the wheel: %.80q, expected up to 64 letters, digits, dots, dashes", ErrInput, o.Name)
	}
	if o.Shards < 0 || o.Shards > ShardsMax {
		return nil, fmt.Errorf("%w: shards: %d, expected 1 to %d", ErrInput, o.Shards, ShardsMax)
	}
	w := &Wheel{name: o.Name, addr: addressOf(client), client: client}
	info, err := infoOf(ctx, client)
	if err == nil {
		err = versionError(info["redis_version"])
	}
	if err != nil {
		return nil, explain(err, w.addr)
	}
	w.eviction = evictionOf(info)
	w, err = w.agree(ctx, o)
	if err != nil {
		return nil, w.explainLayout(err)
	}
	return w, nil
}

// agree reads or sets the number of shards: the first to open a wheel decides it. It
// returns the wheel in its layout, or w with an error.
func (w *Wheel) agree(ctx context.Context, o Options) (*Wheel, error) {
	w.current = &current{turn: make(chan struct{}, 1), existing: o.Existing}
	w.current.log.Store(cmp.Or(o.Log, slog.New(slog.DiscardHandler)))
	count := max(o.Shards, 1)
	if o.Existing {
		count = 0
	}
	d, _, err := w.describe(ctx, count)
	switch {
	case err != nil:
		return w, err
	case o.Shards != 0 && o.Shards != d.count:
		return w, fmt.Errorf("%w: wheel %q has %d, %d asked for", ErrShards, w.name, d.count, o.Shards)
	case d.moving && !o.Existing:
		return w, errMoving
	}
	next := w.with(&d)
	if !o.Existing && !d.marked {
		if _, err := next.mark(ctx); err != nil {
			return w, err
		}
	}
	next.current.newest.Store(next)
	return next, nil
}

// Name is the wheel's name.
func (w *Wheel) Name() string { return w.name }

// Addr is where its Redis is; of a cluster, the nodes it was found by.
func (w *Wheel) Addr() string { return w.addr }

// Shards returns its parts, in the layout that was read last.
func (w *Wheel) Shards() []Shard { return w.latest().shards }

// Now is the time by the clock of Redis, which alone says when a task is due; of a cluster, by
// that of one node.
func (w *Wheel) Now(ctx context.Context) (time.Time, error) {
	now, err := w.client.Time(ctx).Result()
	return now, explain(err, w.addr)
}

// shardOf is the number of the shard a key lies in.
func (w *Wheel) shardOf(key string) int {
	if len(w.shards) == 1 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return int(h.Sum64() % uint64(len(w.shards)))
}

// AddTask adds a task to be called at executeAt, kept to the ms, rounded up; one in
// the past runs at once. Where this machine's clock may be wrong, [Wheel.Now] is what a wait is
// to be added to. A task of the same key, wherever it stands, is replaced: time,
// body, attempts. Tasks that several goroutines add meanwhile go in one script.
//
// If ctx ends, or Redis can't be reached or gives no answer in time, the task may have been
// added or not; adding it again is right in both cases, and the caller's to do: a task that
// was added and called meanwhile is then called again. What is wrong with the task itself is told
// as [ErrInput].
func (w *Wheel) AddTask(ctx context.Context, key string, task Task, executeAt time.Time) error {
	e, err := newEntry(key, &task, executeAt)
	if err != nil {
		return err
	}
	return w.onLayout(ctx, func(w *Wheel) error { return w.adders[w.shardOf(key)].add(ctx, e) })
}

// AddTasks adds many tasks, as AddTask does, in batches of [AddBatch] at most. The first
// mistake in one of them is told before any is added. Of two with the same key the
// later stays.
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

// addEntries adds tasks shard by shard. If it fails, some may have been added: adding
// them again does no harm.
func (w *Wheel) addEntries(ctx context.Context, entries []Entry) error {
	byShard := make([][]Entry, len(w.shards))
	for _, e := range entries {
		n := w.shardOf(e.Key)
		byShard[n] = append(byShard[n], e)
	}
	for i, entries := range byShard {
		for len(entries) > 0 {
			seen := make(map[string]bool, min(len(entries), AddBatch))
			n := fitting(entries, seen, func(e Entry) Entry { return e })
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

// RemoveTask removes a task by its key, at any distance and in any state, and says
// whether there was one. A callback under way is not stopped. If ctx ends, or Redis can't
// be reached, it may have been removed or not.
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
