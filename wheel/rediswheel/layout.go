package rediswheel

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/hashtag"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/layout"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
)

//go:embed scripts/wheel.lua
var wheelSource string

// wheelScript reads the description of a wheel, the hash NAME:wheel, and creates it if it is missing. Unlike
// most scripts, it does not begin with common.lua.
var wheelScript = goredis.NewScript(wheelSource)

// format is the version of all that is stored in Redis for a wheel: keys, values and their meaning. Programs with
// another format do not open the wheel.
const format = "1"

// layoutTries is the maximum number of times that onLayout runs an operation if the layout is outdated each
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

// description is the content of NAME:wheel, the hash that describes a wheel: its layout and its state.
type description struct {
	count  int    // number of shards
	id     string // changes when a lost wheel is created again
	marked bool   // whether all shards have been marked with the ID; a mark that is missing after that means lost data
	paused bool
	lost   int64 // number of losses of data that any process has detected
}

func readDescription(fields map[string]string) (description, error) {
	d := description{id: fields[fieldID], marked: fields[fieldMarked] == "1", paused: fields[fieldPaused] == "1"}
	d.lost, _ = strconv.ParseInt(fields[fieldLost], 10, 64)
	if version := fields["format"]; version != format {
		return d, fmt.Errorf("%w: the wheel has format %.20q, this program has %s; use programs of one version", ErrFormat, version, format)
	}
	count := fields["shards"]
	var err error
	if d.count, err = strconv.Atoi(count); err != nil || d.count < 1 || d.count > ShardsMax {
		return d, fmt.Errorf("%w: the wheel has %.20q shards, expected 1 to %d", ErrShards, count, ShardsMax)
	}
	return d, nil
}

// Losses contains the numbers of certain and possible losses of data that this process has detected since it
// opened the wheel.
type Losses struct {
	Data     int64 // number of times that the wheel or some of its shards were found missing in Redis
	Restarts int64 // number of restarts and failovers of Redis; each loses data that was not yet saved or replicated
}

// current is the state shared by all Wheel values of an opened wheel. There is one Wheel value for each layout
// that has been read from Redis.
type current struct {
	newest   atomic.Pointer[Wheel] // Wheel for the layout that was last read; returned by latest
	turn     chan struct{}         // channel of capacity 1, used as a lock while the layout is renewed
	renewals atomic.Int64          // number of times renew has read the layout
	existing bool                  // value of Options.Existing; if true, renew does not create a missing wheel again
	log      atomic.Pointer[slog.Logger]

	lostData, restarts atomic.Int64
}

// latest returns the Wheel for the layout last read from Redis by any goroutine.
func (w *Wheel) latest() *Wheel { return w.current.newest.Load() }

// Losses returns the numbers of certain and possible losses of data detected since the wheel was opened. It
// is safe for concurrent use.
func (w *Wheel) Losses() Losses {
	return Losses{Data: w.current.lostData.Load(), Restarts: w.current.restarts.Load()}
}

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
func (w *Wheel) describe(ctx context.Context, count int) (d description, made bool, err error) {
	key, fields := w.name+":wheel", map[string]string{}
	if count == 0 {
		if fields, err = w.client.HGetAll(ctx, key).Result(); err != nil {
			return d, false, err
		}
	} else {
		list, err := wheelScript.Run(ctx, w.client, []string{key}, newID(), count, format).Slice()
		if err != nil {
			return d, false, err
		}
		r := &reply.Reader{List: list}
		for len(r.List) > 1 {
			fields[r.Text()] = r.Text()
		}
		if made = r.Int() == 1; r.Err != nil {
			return d, false, r.Err
		}
	}
	if len(fields) == 0 {
		return d, false, fmt.Errorf("%w: %q, created by its first worker or task", ErrNone, w.name)
	}
	d, err = readDescription(fields)
	return d, made, err
}

// with returns a new Wheel value for the same opened wheel, in the layout that d describes.
func (w *Wheel) with(d *description) *Wheel {
	next := &Wheel{name: w.name, addr: w.addr, client: w.client, eviction: w.eviction, id: d.id, current: w.current}
	flying := new(atomic.Int64)
	for _, prefix := range hashtag.Prefixes(w.name, d.count) {
		s := Shard{Redis: w.client, Prefix: prefix, Layout: d.id}
		next.shards = append(next.shards, s)
		next.addQueues = append(next.addQueues, &addQueue{shard: s, directInFlight: flying, sending: map[string]bool{}})
	}
	return next
}

// onLayout calls f with the wheel in its latest layout. If a shard refuses a script of f because that layout is
// outdated, onLayout reads the layout again and repeats the call, up to layoutTries calls in all.
func (w *Wheel) onLayout(ctx context.Context, f func(*Wheel) error) error {
	for range layoutTries {
		now := w.latest()
		seen := w.current.renewals.Load()
		err := f(now)
		if !layout.Refused(err) {
			return connect.Explain(err, w.addr)
		}
		if _, err = now.renew(ctx, seen); err != nil {
			return w.explainLayout(err)
		}
	}
	return w.explainLayout(fmt.Errorf("%w: the layout of wheel %q keeps changing", ErrRefused, w.name))
}

// explainLayout converts err to a one-line error for users, as connect.Explain does. If err already wraps ErrRefused,
// explainLayout only adds the address of Redis.
func (w *Wheel) explainLayout(err error) error {
	if errors.Is(err, ErrRefused) {
		return fmt.Errorf("%w (Redis at %s)", err, w.addr)
	}
	return connect.Explain(err, w.addr)
}

// refreshed reads the ID of the current layout from Redis and returns the Wheel value for that layout. If this
// fails, it returns the Wheel value for the layout that was last read. Methods that do not call onLayout call
// refreshed first, because scripts that only read tasks do not detect an outdated layout.
func (w *Wheel) refreshed(ctx context.Context) *Wheel {
	now, seen := w.latest(), w.current.renewals.Load()
	id, err := w.client.HGet(ctx, w.name+":wheel", fieldID).Result()
	if err != nil || id == now.id {
		return now
	}
	if next, err := now.renew(ctx, seen); err == nil {
		return next
	}
	return now
}

// renew rereads the description of the wheel and returns the Wheel value to use from now on. It is called when an
// operation has found that the layout of w is outdated. The argument seen is the value of current.renewals before
// that operation. If another goroutine has renewed the layout since then, renew returns the Wheel value that the
// goroutine has stored. If a shard is missing in Redis, renew reports the loss and creates the shard again, so
// that tasks are not added where no worker looks for them. It does the same for a missing wheel, unless
// current.existing is set.
func (w *Wheel) renew(ctx context.Context, seen int64) (*Wheel, error) {
	c := w.current
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if newest := w.latest(); newest != w || c.renewals.Load() != seen {
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
	if d.id != w.id {
		next = w.with(&d)
	}
	if err := w.report(ctx, next, &d, made); err != nil {
		return nil, err
	}
	c.newest.Store(next)
	c.renewals.Add(1)
	return next, nil
}

// report completes renew. It marks the shards of next as part of their layout, and logs and counts a loss of data. next is the Wheel value to use from now on: w if the layout is the same, or a new
// one. d is the description of the wheel, and made is whether renew has created the wheel in Redis.
func (w *Wheel) report(ctx context.Context, next *Wheel, d *description, made bool) error {
	marked, err := next.mark(ctx, d.paused)
	if err != nil {
		return err
	}
	shards := len(next.shards)
	switch {
	case made:
		w.lost(&w.current.lostData, "Redis has lost the wheel and its tasks; it was made again", "shards", shards)
	case next != w:
		w.lost(&w.current.lostData, "Redis has lost the wheel and its tasks; another program has made it again", "shards", shards)
	case len(marked) > 0 && d.marked:
		w.lost(&w.current.lostData, "Redis has lost a part of the wheel, and the tasks in it", "shards lost", fmt.Sprint(marked))
	}
	if made || next == w && len(marked) > 0 && d.marked {
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
		return nil, errors.Join(w.unmark(ctx), fmt.Errorf("%w: it has lost wheel %q again meanwhile", ErrRefused, w.name))
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
