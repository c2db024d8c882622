package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// wheelScript reads the description of a wheel, the hash NAME:wheel, and creates it if it is missing. Unlike
// most scripts, it does not begin with common.lua.
var wheelScript = goredis.NewScript(source("wheel"))

// Format is the version of all that is stored in Redis for a wheel: keys, values and their meaning. Programs with
// another format do not open the wheel.
const Format = "1"

// ShardsMax is the maximum number of shards of a wheel.
const ShardsMax = 64

// layoutTries is the maximum number of times that OnLayout runs an operation if the layout is outdated each
// time.
const layoutTries = 3

// Fields of the hash NAME:wheel, the description of a wheel, that Go code reads or writes individually.
// scripts/wheel.lua lists all fields.
const (
	fieldID     = "id"
	fieldMarked = "marked"
	fieldPaused = "paused"
	fieldLost   = "lost"
)

// Description is the content of NAME:wheel, the hash that describes a wheel: its layout and its state.
type Description struct {
	Shards int    // number of shards
	ID     string // changes when a lost wheel is created again
	Marked bool   // whether all shards have been marked with the ID; a mark that is missing after that means lost data
	Paused bool
	Lost   int64 // number of losses of data that any process has detected
}

func readDescription(fields map[string]string) (Description, error) {
	d := Description{ID: fields[fieldID], Marked: fields[fieldMarked] == "1", Paused: fields[fieldPaused] == "1"}
	d.Lost, _ = strconv.ParseInt(fields[fieldLost], 10, 64)
	if version := fields["format"]; version != Format {
		return d, fmt.Errorf("%w: the wheel has format %.20q, this program has %s; use programs of one version", connect.ErrFormat, version, Format)
	}
	count := fields["shards"]
	var err error
	if d.Shards, err = strconv.Atoi(count); err != nil || d.Shards < 1 || d.Shards > ShardsMax {
		return d, fmt.Errorf("%w: the wheel has %.20q shards, expected 1 to %d", connect.ErrShards, count, ShardsMax)
	}
	return d, nil
}

// Options are rediswheel.Options with the defaults filled in.
type Options struct {
	Name     string
	Shards   int // 0 means any number, and ShardsDefault for a new wheel
	Default  int // number of shards of a new wheel if Shards is 0
	Existing bool
	Log      *slog.Logger
}

// Wheel is an opened wheel in one layout. A layout consists of the ID of the wheel, its number of shards and the names
// of their keys. Two Wheel values are equal if they belong to the same opened wheel and the same layout. The fields of a
// Wheel never change: when the layout in Redis changes, or the wheel is created again after Redis has lost it, there is
// another Wheel for the new layout, which Latest returns. The methods are safe for concurrent use.
type Wheel struct {
	name    string
	addr    string
	client  goredis.UniversalClient
	id      string // ID of the wheel on Redis; a lost wheel is created again with another ID
	shards  []Shard
	adds    []*addQueue // one, or one for each shard of a cluster, whose nodes fail independently
	current *current

	eviction string // maxmemory policy under which Redis may evict tasks; empty if it does not evict tasks
}

// Holder is embedded by rediswheel.Wheel, so that [Of] finds its engine although programs outside do not.
type Holder struct{ wheel *Wheel }

// Hold returns a Holder of w.
func Hold(w *Wheel) Holder { return Holder{w} }

func (h Holder) engine() *Wheel { return h.wheel }

// Of returns the engine of a rediswheel.Wheel.
func Of(h interface{ engine() *Wheel }) *Wheel { return h.engine() }

// Open opens the wheel that o describes, or creates it if it is missing and o.Existing is false.
func Open(ctx context.Context, client goredis.UniversalClient, o Options) (*Wheel, error) {
	w := &Wheel{name: o.Name, addr: connect.Address(client), client: client}
	info, err := connect.Info(ctx, client)
	if err == nil {
		err = connect.CheckVersion(info["redis_version"])
	}
	if err != nil {
		return nil, connect.Explain(err, w.addr)
	}
	w.eviction = connect.Eviction(info)
	if w, err = w.openLayout(ctx, o); err != nil {
		return nil, w.Explain(err)
	}
	return w, nil
}

// openLayout reads the layout of the wheel from Redis, or creates the wheel if it is missing and o.Existing
// is false. It returns a Wheel with that layout, or w and an error.
func (w *Wheel) openLayout(ctx context.Context, o Options) (*Wheel, error) {
	w.current = &current{turn: make(chan struct{}, 1), existing: o.Existing}
	w.current.log.Store(cmp.Or(o.Log, slog.New(slog.DiscardHandler)))
	count := cmp.Or(o.Shards, o.Default)
	if o.Existing {
		count = 0
	}
	d, _, err := w.describe(ctx, count)
	switch {
	case err != nil:
		return w, err
	case o.Shards != 0 && o.Shards != d.Shards:
		return w, fmt.Errorf("%w: wheel %q has %d, expected %d", connect.ErrShards, w.name, d.Shards, o.Shards)
	}
	next := w.with(&d)
	if !o.Existing && !d.Marked {
		if _, err := next.mark(ctx, d.Paused); err != nil {
			return w, err
		}
	}
	next.current.newest.Store(next)
	return next, nil
}

// Name returns the name of the wheel.
func (w *Wheel) Name() string { return w.name }

// Addr returns the address of Redis, for error messages and logs.
func (w *Wheel) Addr() string { return w.addr }

// Client returns the client that the wheel was opened with.
func (w *Wheel) Client() goredis.UniversalClient { return w.client }

// Shards returns the shards of the layout. The caller must not change the slice.
func (w *Wheel) Shards() []Shard { return w.shards }

// Shard returns the shard that stores the task with the given key.
func (w *Wheel) Shard(key string) Shard { return w.shards[w.ShardIndex(key)] }

// RunLayout is what follows the key of a periodic task in the key of a run that has failed for good.
const RunLayout = "@2006-01-02T15:04:05.000Z"

// ShardIndex returns the index of the shard that stores the task with the given key. A run of a periodic task that has
// failed for good is in the shard of that task.
func (w *Wheel) ShardIndex(key string) int {
	if len(w.shards) == 1 {
		return 0
	}
	if at := len(key) - len(RunLayout); at > 0 && key[at] == '@' && key[len(key)-1] == 'Z' {
		key = key[:at]
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return int(h.Sum64() % uint64(len(w.shards)))
}

// Add adds task e, in a batch with those that other goroutines add at the same time. It returns ctx.Err() if ctx is
// done first.
func (w *Wheel) Add(ctx context.Context, e Entry) error {
	return w.adds[w.ShardIndex(e.Key)%len(w.adds)].add(ctx, e)
}

// Eviction returns the maxmemory policy under which Redis may evict tasks, or an empty string if it does not evict
// tasks.
func (w *Wheel) Eviction() string { return w.eviction }

// current is the state shared by all Wheel values of an opened wheel. There is one Wheel value for each layout
// that has been read from Redis.
type current struct {
	newest   atomic.Pointer[Wheel] // Wheel for the layout that was last read; returned by Latest
	turn     chan struct{}         // channel of capacity 1, used as a lock while the layout is renewed
	renewals atomic.Int64          // number of times Renew has read the layout
	existing bool                  // value of Options.Existing; if true, Renew does not create a missing wheel again
	log      atomic.Pointer[slog.Logger]

	lostData, restarts atomic.Int64
}

// Latest returns the Wheel for the layout last read from Redis by any goroutine.
func (w *Wheel) Latest() *Wheel { return w.current.newest.Load() }

// Losses returns how often data was found missing, and how often Redis was restarted or replaced, since the wheel was
// opened.
func (w *Wheel) Losses() (data, restarts int64) {
	return w.current.lostData.Load(), w.current.restarts.Load()
}

// LogTo sets the logger for messages about lost data.
func (w *Wheel) LogTo(log *slog.Logger) { w.current.log.Store(log) }

// Restarted logs and counts the restart or replacement of the Redis process at address node. runID is the new run ID, a
// random ID that a Redis process gets when it starts, and oldRunID is the old one, or empty if node is a new address.
func (w *Wheel) Restarted(node, runID, oldRunID string) {
	w.lost(&w.current.restarts, "another Redis process answers (restart or failover): what was not saved or replicated is lost",
		"node", node, "run_id", runID, "before", oldRunID)
}

// Status reports whether the wheel is paused, and whether the layout in Redis differs from that of w.
func (w *Wheel) Status(ctx context.Context) (paused, changed bool, err error) {
	values, err := w.client.HMGet(ctx, w.name+":wheel", fieldID, fieldPaused).Result()
	if err != nil {
		return false, false, err
	}
	return values[1] == "1", values[0] != w.id, nil
}

// Describe reads the description of the wheel from Redis. The error wraps connect.ErrNone if there is none.
func (w *Wheel) Describe(ctx context.Context) (Description, error) {
	d, _, err := w.describe(ctx, 0)
	return d, connect.Explain(err, w.addr)
}

// SetPaused pauses or resumes the wheel. A shard of a paused wheel refuses claims.
func (w *Wheel) SetPaused(ctx context.Context, paused bool) error {
	key, err := w.name+":wheel", error(nil)
	if paused {
		err = w.client.HSet(ctx, key, fieldPaused, 1).Err()
	} else {
		err = w.client.HDel(ctx, key, fieldPaused).Err()
	}
	if err == nil {
		_, err = w.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
			for _, s := range w.shards {
				p.SetXX(ctx, s.mark(), markValue(paused), 0)
			}
			return nil
		})
	}
	if errors.Is(err, goredis.Nil) { // a mark is missing; the next script reports the loss
		err = nil
	}
	return connect.Explain(err, w.addr)
}

// Outdated reports whether err, the error of a script, means that Redis refused the script because the shard lacks
// the key that marks it as part of the caller's layout. See common.lua.
func Outdated(err error) bool {
	return err != nil && strings.HasPrefix(strings.TrimPrefix(err.Error(), "ERR "), "LAYOUT ")
}

// Renewals returns the number of times the layout has been reread since the wheel was opened. A worker calls it before
// an operation, and passes the result to Renew if Redis refuses the operation.
func (w *Wheel) Renewals() int64 { return w.current.renewals.Load() }

// lost increments counter and logs text at level Error, with args and the name and address of the
// wheel as attributes. It is called for each certain or possible loss of data.
func (w *Wheel) lost(counter *atomic.Int64, text string, args ...any) {
	counter.Add(1)
	w.current.log.Load().Error(text, append([]any{"wheel", w.name, "redis", w.addr}, args...)...)
}

// newID returns a unique ID for a layout.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: see crypto/rand
	return hex.EncodeToString(b[:])
}

// describe reads the description of the wheel from Redis. If the wheel is missing and count is 0, describe
// returns an error that wraps ErrNone. If count is not 0, it creates the missing wheel with count shards and
// returns made == true.
func (w *Wheel) describe(ctx context.Context, count int) (d Description, made bool, err error) {
	key, fields := w.name+":wheel", map[string]string{}
	if count == 0 {
		if fields, err = w.client.HGetAll(ctx, key).Result(); err != nil {
			return d, false, err
		}
	} else {
		list, err := wheelScript.Run(ctx, w.client, []string{key}, newID(), count, Format).Slice()
		if err != nil {
			return d, false, err
		}
		r := &Reader{List: list}
		for len(r.List) > 1 {
			fields[r.Text()] = r.Text()
		}
		if made = r.Int() == 1; r.Err != nil {
			return d, false, r.Err
		}
	}
	if len(fields) == 0 {
		return d, false, fmt.Errorf("%w: %q, created by its first worker or task", connect.ErrNone, w.name)
	}
	d, err = readDescription(fields)
	return d, made, err
}

// with returns a new Wheel value for the same opened wheel, in the layout that d describes.
func (w *Wheel) with(d *Description) *Wheel {
	next := &Wheel{name: w.name, addr: w.addr, client: w.client, eviction: w.eviction, id: d.ID, current: w.current}
	queues := 1
	if _, cluster := w.client.(*goredis.ClusterClient); cluster {
		queues = d.Shards
	}
	for range queues {
		next.adds = append(next.adds, &addQueue{wheel: next})
	}
	for _, prefix := range Prefixes(w.name, d.Shards) {
		next.shards = append(next.shards, Shard{Redis: w.client, Prefix: prefix, Layout: d.ID})
	}
	return next
}

// OnLayout calls f with the wheel in its latest layout. If a shard refuses a script of f because that layout is
// outdated, OnLayout reads the layout again and repeats the call, up to layoutTries calls in all.
func (w *Wheel) OnLayout(ctx context.Context, f func(*Wheel) error) error {
	for range layoutTries {
		now := w.Latest()
		seen := w.current.renewals.Load()
		err := f(now)
		if !Outdated(err) {
			return connect.Explain(err, w.addr)
		}
		if _, err = now.Renew(ctx, seen); err != nil {
			return w.Explain(err)
		}
	}
	return w.Explain(fmt.Errorf("%w: the layout of wheel %q keeps changing", connect.ErrRefused, w.name))
}

// Explain converts err to a one-line error for users, as connect.Explain does. If err already wraps connect.ErrRefused,
// Explain only adds the address of Redis.
func (w *Wheel) Explain(err error) error {
	if errors.Is(err, connect.ErrRefused) {
		return fmt.Errorf("%w (Redis at %s)", err, w.addr)
	}
	return connect.Explain(err, w.addr)
}

// Refreshed reads the ID of the current layout from Redis and returns the Wheel value for that layout. If this
// fails, it returns the Wheel value for the layout that was last read. Methods that do not call OnLayout call
// Refreshed first, because scripts that only read tasks do not detect an outdated layout.
func (w *Wheel) Refreshed(ctx context.Context) *Wheel {
	now, seen := w.Latest(), w.current.renewals.Load()
	id, err := w.client.HGet(ctx, w.name+":wheel", fieldID).Result()
	if err != nil || id == now.id {
		return now
	}
	if next, err := now.Renew(ctx, seen); err == nil {
		return next
	}
	return now
}

// Renew rereads the description of the wheel and returns the Wheel value to use from now on. It is called when an
// operation has found that the layout of w is outdated. The argument seen is the value of current.renewals before
// that operation. If another goroutine has renewed the layout since then, Renew returns the Wheel value that the
// goroutine has stored. If a shard is missing in Redis, Renew reports the loss and creates the shard again, so
// that tasks are not added where no worker looks for them. It does the same for a missing wheel, unless
// current.existing is set.
func (w *Wheel) Renew(ctx context.Context, seen int64) (*Wheel, error) {
	c := w.current
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if newest := w.Latest(); newest != w || c.renewals.Load() != seen {
		return newest, nil
	}
	count := len(w.shards)
	if c.existing {
		count = 0
	}
	d, made, err := w.describe(ctx, count)
	if err != nil {
		return nil, err
	}
	next := w
	if d.ID != w.id {
		next = w.with(&d)
	}
	if err := w.report(ctx, next, &d, made); err != nil {
		return nil, err
	}
	c.newest.Store(next)
	c.renewals.Add(1)
	return next, nil
}

// report completes Renew. It marks the shards of next as part of their layout, and logs and counts a loss of data. next is the Wheel value to use from now on: w if the layout is the same, or a new
// one. d is the description of the wheel, and made is whether Renew has created the wheel in Redis.
func (w *Wheel) report(ctx context.Context, next *Wheel, d *Description, made bool) error {
	marked, err := next.mark(ctx, d.Paused)
	if err != nil {
		return err
	}
	shards := len(next.shards)
	switch {
	case made:
		w.lost(&w.current.lostData, "Redis has lost the wheel and its tasks; it was made again", "shards", shards)
	case next != w:
		w.lost(&w.current.lostData, "Redis has lost the wheel and its tasks; another program has made it again", "shards", shards)
	case len(marked) > 0 && d.Marked:
		w.lost(&w.current.lostData, "Redis has lost a part of the wheel, and the tasks in it", "shards lost", fmt.Sprint(marked))
	}
	if made || next == w && len(marked) > 0 && d.Marked {
		return w.client.HIncrBy(ctx, w.name+":wheel", fieldLost, 1).Err()
	}
	return nil
}

// markValue returns the value of the marks of a wheel.
func markValue(paused bool) string {
	if paused {
		return "paused"
	}
	return "1"
}

// mark marks every shard as part of the layout of w by creating the key that Shard.mark returns. A shard without
// this key refuses the scripts in guarded, which add, remove, claim or retry tasks. mark returns the indexes of the
// shards that lacked the key. If Redis has lost the wheel in the meantime, mark removes the keys again and
// returns an error.
func (w *Wheel) mark(ctx context.Context, paused bool) ([]int, error) {
	set := make([]*goredis.BoolCmd, len(w.shards))
	_, err := w.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, s := range w.shards {
			set[i] = p.SetNX(ctx, s.mark(), markValue(paused), 0)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	key := w.name + ":wheel"
	now, err := w.client.HGet(ctx, key, fieldID).Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return nil, err
	}
	if now != w.id {
		return nil, errors.Join(w.unmark(ctx), fmt.Errorf("%w: it has lost wheel %q again meanwhile", connect.ErrRefused, w.name))
	}
	var missing []int
	for i, cmd := range set {
		if cmd.Val() {
			missing = append(missing, i)
		}
	}
	return missing, w.client.HSet(ctx, key, fieldMarked, 1).Err()
}

// unmark deletes the keys that mark the shards as part of the layout of w.
func (w *Wheel) unmark(ctx context.Context) error {
	_, err := w.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for _, s := range w.shards {
			p.Del(ctx, s.mark())
		}
		return nil
	})
	return err
}
