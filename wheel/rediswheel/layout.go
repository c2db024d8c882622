package rediswheel

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/hashtag"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
)

//go:embed scripts/wheel.lua
var wheelSource string

// wheelScript works on NAME:wheel only and includes no common code.
var wheelScript = goredis.NewScript(wheelSource)

// layoutTries bounds how often one operation begins again because the layout changed.
const layoutTries = 3

// Fields of NAME:wheel that Go code writes or reads one by one; scripts/wheel.lua lists all.
const (
	fieldID     = "id"
	fieldMarked = "marked"
	fieldMoving = "moving"
	fieldPaused = "paused"
	fieldLost   = "lost"
)

// description is what NAME:wheel says of a wheel.
type description struct {
	version, count         int
	id                     string
	was                    []string // the IDs of earlier layouts
	marked, moving, paused bool
	lost                   int64
}

func readDescription(fields map[string]string) (description, error) {
	d := description{version: hashtag.Numbered, id: fields[fieldID], was: strings.Fields(fields["was"]),
		marked: fields[fieldMarked] == "1", moving: fields[fieldMoving] != "", paused: fields[fieldPaused] == "1"}
	d.lost, _ = strconv.ParseInt(fields[fieldLost], 10, 64)
	count := fields["shards"]
	if text := fields["layout"]; text != "" && text != strconv.Itoa(hashtag.Numbered) {
		if text != strconv.Itoa(hashtag.Spread) {
			return d, fmt.Errorf("%w: the wheel has layout %.20q, this program knows up to %d", ErrShards, text, hashtag.Spread)
		}
		d.version, count = hashtag.Spread, fields["count"]
	}
	var err error
	if d.count, err = strconv.Atoi(count); err != nil || d.count < 1 || d.count > ShardsMax {
		return d, fmt.Errorf("%w: the wheel has %.20q, 1 to %d were expected", ErrShards, count, ShardsMax)
	}
	return d, nil
}

// Losses counts signs of lost data that this process has seen since it opened the wheel.
type Losses struct {
	Data     int64 // times the wheel, or one of its shards, was missing
	Restarts int64 // times a node had another run_id: what it had not saved is lost
}

// current is what the successive layouts of one opened wheel have in common.
type current struct {
	newest   atomic.Pointer[Wheel]
	turn     chan struct{} // one place: who may renew the layout
	renewals atomic.Int64
	existing bool // the wheel is not to be made
	log      atomic.Pointer[slog.Logger]

	lostData, restarts atomic.Int64
}

// latest returns the wheel with the layout that was read last.
func (w *Wheel) latest() *Wheel { return w.current.newest.Load() }

// Losses may be called at any time.
func (w *Wheel) Losses() Losses {
	return Losses{Data: w.current.lostData.Load(), Restarts: w.current.restarts.Load()}
}

// lost reports a loss as an error line and counts it.
func (w *Wheel) lost(counter *atomic.Int64, text string, args ...any) {
	counter.Add(1)
	w.current.log.Load().Error(text, append([]any{"wheel", w.name, "redis", w.addr}, args...)...)
}

// restarted reports that a node has another run ID than before.
func (w *Wheel) restarted(node, id, before string) {
	w.lost(&w.current.restarts, "another Redis process answers (restart or failover): what was not saved or replicated is lost",
		"node", node, "run_id", id, "before", before)
}

// logTo has losses reported to a log.
func (w *Wheel) logTo(log *slog.Logger) { w.current.log.Store(log) }

// renewals counts how often the layout was read again. A caller that is refused something passes the count of
// before to renew.
func (w *Wheel) renewals() int64 { return w.current.renewals.Load() }

// status reports whether the wheel is paused, and whether its layout has changed.
func (w *Wheel) status(ctx context.Context) (paused, changed bool, err error) {
	values, err := w.client.HMGet(ctx, w.name+":wheel", fieldID, fieldMoving, fieldPaused).Result()
	if err != nil {
		return false, false, err
	}
	return values[2] == "1", values[0] != w.id && values[1] == nil, nil
}

// newID returns a name for a layout that no other layout has.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: see crypto/rand
	return hex.EncodeToString(b[:])
}

// describe reads the wheel's description. A wheel that is missing is made with so many
// shards, unless that is 0. made says whether it was.
func (w *Wheel) describe(ctx context.Context, count int) (d description, made bool, err error) {
	key, fields := w.name+":wheel", map[string]string{}
	if count == 0 {
		if fields, err = w.client.HGetAll(ctx, key).Result(); err != nil {
			return d, false, err
		}
	} else {
		list, err := wheelScript.Run(ctx, w.client, []string{key}, newID(), count).Slice()
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
	if len(fields) == 0 || fields["shards"] == "" {
		return d, false, fmt.Errorf("%w: %q, made by its first worker or task", ErrNone, w.name)
	}
	d, err = readDescription(fields)
	return d, made, err
}

// with returns the wheel in another layout.
func (w *Wheel) with(d *description) *Wheel {
	next := &Wheel{name: w.name, addr: w.addr, client: w.client, eviction: w.eviction, id: d.id, version: d.version,
		current: w.current}
	flying := new(atomic.Int64)
	for _, prefix := range hashtag.Prefixes(w.name, d.version, d.count) {
		s := Shard{Redis: w.client, Prefix: prefix, Layout: d.id}
		next.shards = append(next.shards, s)
		next.adders = append(next.adders, &adder{shard: s, flying: flying, sending: map[string]bool{}})
	}
	return next
}

// errMoving is the answer while tasks are moved between layouts.
var errMoving = fmt.Errorf("%w: the wheel is being moved to another number of shards (wheelscope wheel reshard goes on with a move that was interrupted)", ErrRefused)

// layoutRefused says whether a script refused the layout of its caller: the shard lacks
// the mark of it. See common.lua.
func layoutRefused(err error) bool {
	return err != nil && strings.HasPrefix(strings.TrimPrefix(err.Error(), "ERR "), "LAYOUT ")
}

// onLayout runs f on the wheel as it is now, and again if a shard refuses the layout.
func (w *Wheel) onLayout(ctx context.Context, f func(*Wheel) error) error {
	for range layoutTries {
		now := w.latest()
		seen := w.current.renewals.Load()
		err := f(now)
		if !layoutRefused(err) {
			return explain(err, w.addr)
		}
		if _, err = now.renew(ctx, seen); err != nil {
			return w.explainLayout(err)
		}
	}
	return w.explainLayout(fmt.Errorf("%w: the layout of wheel %q changes again and again", ErrRefused, w.name))
}

// explainLayout leaves alone what is explained already.
func (w *Wheel) explainLayout(err error) error {
	if errors.Is(err, ErrRefused) {
		return fmt.Errorf("%w (Redis at %s)", err, w.addr)
	}
	return explain(err, w.addr)
}

// refreshed returns the wheel in its present layout, for readers, whose scripts no shard
// refuses. Without an answer it returns the layout that was read last.
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

// renew reads the wheel's description again, after a shard refused the layout of w or
// the description was seen to differ, and returns the wheel to go on with. seen is the
// number of renewals before that. A wheel or a shard that is missing is reported as lost
// and made again, so that no task is added where nothing looks for it.
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
	if d.moving {
		return nil, errMoving
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

// report writes what a renewal found to the log, and puts the missing marks on the shards.
func (w *Wheel) report(ctx context.Context, next *Wheel, d *description, made bool) error {
	marked, err := next.mark(ctx)
	if err != nil {
		return err
	}
	shards := len(next.shards)
	switch {
	case made:
		w.lost(&w.current.lostData, "Redis has lost the wheel and its tasks; it was made again", "shards", shards)
	case next != w && !slices.Contains(d.was, w.id):
		w.lost(&w.current.lostData, "Redis has lost the wheel and its tasks; another program has made it again", "shards", shards)
	case next != w:
		w.current.log.Load().Info("the wheel has been moved to another layout", "wheel", w.name, "shards", shards)
	case len(marked) > 0 && d.marked:
		w.lost(&w.current.lostData, "Redis has lost a part of the wheel, and the tasks in it", "shards lost", fmt.Sprint(marked))
	}
	if made || next == w && len(marked) > 0 && d.marked {
		return w.client.HIncrBy(ctx, w.name+":wheel", fieldLost, 1).Err()
	}
	return nil
}

// mark puts the mark of the wheel's layout on every shard, and returns the numbers of
// those that lacked it.
func (w *Wheel) mark(ctx context.Context) ([]int, error) {
	set := make([]*goredis.BoolCmd, len(w.shards))
	_, err := w.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, s := range w.shards {
			set[i] = p.SetNX(ctx, s.mark(), 1, 0)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// The layout may have changed meanwhile, and its marks been removed before these were put.
	key := w.name + ":wheel"
	now, err := w.client.HMGet(ctx, key, fieldID, fieldMoving).Result()
	if err != nil {
		return nil, err
	}
	if now[0] != w.id || now[1] != nil {
		return nil, errors.Join(w.unmark(ctx), errMoving)
	}
	var missing []int
	for i, cmd := range set {
		if cmd.Val() {
			missing = append(missing, i)
		}
	}
	return missing, w.client.HSet(ctx, key, fieldMarked, 1).Err()
}

// unmark removes the marks: from then on no script that changes a shard runs for clients
// of this layout, but those that end claims.
func (w *Wheel) unmark(ctx context.Context) error {
	_, err := w.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for _, s := range w.shards {
			p.Del(ctx, s.mark())
		}
		return nil
	})
	return err
}
