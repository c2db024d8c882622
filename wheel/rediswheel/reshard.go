package rediswheel

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/hashtag"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
)

// Limits for the scripts that move tasks to another layout.
const (
	// moveFirst is the approximate number of tasks that the first script reads from a shard. Each subsequent
	// script reads twice as many as the one before it, up to moveMax.
	moveFirst = 16
	moveMax   = 500 // approximate maximum number of tasks read by one script
	dropMax   = 500 // maximum number of slices (sorted sets of waiting tasks) that one script deletes
)

// earlierLayoutsMax is the maximum number of earlier layouts whose IDs are stored with a wheel. A program that still
// uses an even older layout reports that the wheel was lost, and continues in the current layout.
const earlierLayoutsMax = 16

// moverTime is the time after which the lock of a move expires unless it is extended. If the process that
// moves the tasks dies, another process can continue the move after this time.
const moverTime = 30 * time.Second

// fieldDropping is the field of NAME:wheel that describes the old layout while the keys of that layout are being
// deleted. Its value has the form "LAYOUT COUNT ID": the version, the number of shards and the ID of the layout.
const fieldDropping = "dropping"

// mover moves the tasks of a wheel to another layout.
type mover struct {
	client    goredis.UniversalClient
	key       string // Redis key of the wheel's description, NAME:wheel
	lock      string // Redis key of the lock, NAME:mover
	lockValue string // value of the lock while this mover holds it
	from, to  *Wheel
	moved     func(tasks int64) // progress callback of Reshard; may be nil
	count     int64             // number of tasks moved so far
}

// Reshard moves the tasks of a wheel to a new layout of version 2 with the given number of shards, from 1 to
// ShardsMax. The number must differ from the current one unless the current layout has version 1. The wheel
// must be paused, and no task may be in flight. During the move, no task can be added, removed or claimed.
// Programs that have the wheel open continue in the new layout; programs too old to know version 2 must be
// stopped first. If moved is not nil, it is called with the number of tasks moved so far. To finish an
// interrupted move, call Reshard again with the same number.
func (w *Wheel) Reshard(ctx context.Context, shards int, moved func(tasks int64)) error {
	if err := checkShards(shards); err != nil {
		return err
	}
	m := &mover{client: w.client, key: w.name + ":wheel", lock: w.name + ":mover", lockValue: newID(), moved: moved}
	free, err := w.client.SetArgs(ctx, m.lock, m.lockValue, goredis.SetArgs{Mode: "NX", TTL: moverTime}).Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return connect.Explain(err, w.addr)
	}
	if free != "OK" {
		return w.explainLayout(fmt.Errorf("%w: another program is moving the wheel, or did so less than %v ago", ErrRefused, moverTime))
	}
	defer w.client.Del(context.WithoutCancel(ctx), m.lock)
	return w.explainLayout(m.run(ctx, w, shards))
}

func (m *mover) run(ctx context.Context, w *Wheel, shards int) error {
	d, _, err := w.describe(ctx, 0)
	if err != nil {
		return err
	}
	dropping, err := w.client.HGet(ctx, m.key, fieldDropping).Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return err
	}
	if dropping != "" {
		if err := m.drop(ctx, w, dropping); err != nil || d.count == shards {
			return err
		}
	}
	m.from = w.with(&d)
	target := description{version: hashtag.Spread, count: shards, id: newID()}
	if d.moving {
		err = m.resume(ctx, &target, shards)
	} else {
		err = m.begin(ctx, &d, &target)
	}
	if err != nil {
		return err
	}
	m.to = w.with(&target)
	if err := m.move(ctx); err != nil {
		return err
	}
	return m.finish(ctx, &d, &target)
}

// resume prepares to continue an interrupted move. It sets the ID and the number of shards of target to those of the
// layout to which the tasks were being moved. It returns an error if that layout does not have the number of shards
// given by the argument shards.
func (m *mover) resume(ctx context.Context, target *description, shards int) error {
	text, err := m.client.HGet(ctx, m.key, fieldMoving).Result()
	if err != nil {
		return err
	}
	if _, err := fmt.Sscanf(text, "%d %s", &target.count, &target.id); err != nil {
		return fmt.Errorf("field %s of %s: %.40q, expected COUNT ID", fieldMoving, m.key, text)
	}
	if target.count != shards {
		return fmt.Errorf("%w: a move to %d shards was interrupted; it must be finished first", ErrInput, target.count)
	}
	return nil
}

// begin checks that the wheel is paused and no task is in flight. It then records the move from d to target in Redis,
// and deletes the keys that mark shards as part of the old layout. From then on, scripts that add, remove or claim
// tasks return an error.
func (m *mover) begin(ctx context.Context, d, target *description) error {
	if d.version == target.version && d.count == target.count {
		return fmt.Errorf("%w: the wheel has %d shards already", ErrInput, d.count)
	}
	if !d.paused {
		return fmt.Errorf("%w: the wheel is not paused (wheelscope wheel pause)", ErrInput)
	}
	if err := m.checkIdle(ctx); err != nil {
		return err
	}
	if err := m.client.HSet(ctx, m.key, fieldMoving, fmt.Sprint(target.count, " ", target.id)).Err(); err != nil {
		return err
	}
	if err := m.from.unmark(ctx); err != nil {
		return err
	}
	err := m.checkIdle(ctx) // a claim may have been made just before
	if err == nil {
		return nil
	}
	if undo := m.client.HDel(ctx, m.key, fieldMoving).Err(); undo != nil {
		return errors.Join(err, undo)
	}
	_, undo := m.from.mark(ctx)
	return errors.Join(err, undo)
}

func (m *mover) checkIdle(ctx context.Context) error {
	st, err := m.from.Stats(ctx)
	if err == nil && st.InFlight > 0 {
		err = fmt.Errorf("%w: %d tasks are in flight; the wheel can be moved when they have ended", ErrRefused, st.InFlight)
	}
	return err
}

// move copies all tasks and counters to the new layout.
func (m *mover) move(ctx context.Context) error {
	sum, token := map[string]int64{}, int64(0)
	for _, s := range m.from.shards {
		if err := m.moveShard(ctx, s); err != nil {
			return err
		}
		stats, err := m.client.HGetAll(ctx, s.Prefix+":stats").Result()
		if err != nil {
			return err
		}
		for field, text := range stats {
			n, err := strconv.ParseInt(text, 10, 64)
			switch {
			case err != nil: // not a counter
			case field == "token":
				token = max(token, n)
			default:
				sum[field] += n
			}
		}
	}
	for i, s := range m.to.shards {
		fields := []any{"token", token} // so that no token is used twice
		if i == 0 {
			for field, n := range sum {
				fields = append(fields, field, n)
			}
		}
		if err := m.client.HSet(ctx, s.Prefix+":stats", fields...).Err(); err != nil {
			return err
		}
	}
	return nil
}

// moveShard copies the tasks of shard s to the new layout.
func (m *mover) moveShard(ctx context.Context, s Shard) error {
	cursor, size := "0", moveFirst
	for {
		r, err := s.dump(ctx, cursor, size)
		if err != nil {
			return err
		}
		cursor = r.Text()
		if err := m.put(ctx, r); err != nil {
			return err
		}
		if cursor == "0" {
			return nil
		}
		size = min(2*size, moveMax)
	}
}

// put copies the tasks in r, the reply of one dump script, to their new shards, with about addBytes of
// records per script.
func (m *mover) put(ctx context.Context, r *reply.Reader) error {
	batches, sizes := map[int][]any{}, map[int]int{}
	send := func(i int) error {
		err := m.to.shards[i].put(ctx, batches[i])
		batches[i], sizes[i] = nil, 0
		return err
	}
	for r.More() {
		key, state, at, record, claim := r.Text(), r.Text(), r.Text(), r.Text(), r.Text()
		i := m.to.shardOf(key)
		batches[i] = append(batches[i], key, state, at, record, claim)
		m.count++
		if sizes[i] += len(record); sizes[i] >= addBytes {
			if err := send(i); err != nil {
				return err
			}
		}
	}
	for i, batch := range batches {
		if len(batch) > 0 {
			if err := send(i); err != nil {
				return err
			}
		}
	}
	if m.moved != nil {
		m.moved(m.count)
	}
	return errors.Join(r.Err, m.keepLock(ctx))
}

// keepLock extends the lock of the move in Redis. It returns an error if that lock has expired or
// another program holds it.
func (m *mover) keepLock(ctx context.Context) error {
	holder, err := m.client.Get(ctx, m.lock).Result()
	if err == nil && holder == m.lockValue {
		return m.client.PExpire(ctx, m.lock, moverTime).Err()
	}
	if err == nil || errors.Is(err, goredis.Nil) {
		err = fmt.Errorf("%w: the move took too long and was stopped; it can be started again", ErrRefused)
	}
	return err
}

// finish replaces layout d by target in the wheel's description, in one transaction. It then creates the marks of the
// new shards (see Shard.mark) and deletes the keys of the old shards.
func (m *mover) finish(ctx context.Context, d, target *description) error {
	dropping := fmt.Sprint(d.version, " ", d.count, " ", d.id)
	was := append(d.was, d.id)
	was = was[max(0, len(was)-earlierLayoutsMax):]
	_, err := m.client.TxPipelined(ctx, func(p goredis.Pipeliner) error {
		p.HSet(ctx, m.key, "shards", 0, "layout", target.version, "count", target.count, fieldID, target.id,
			"was", strings.Join(was, " "), fieldDropping, dropping)
		p.HDel(ctx, m.key, fieldMoving, fieldMarked)
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := m.to.mark(ctx); err != nil {
		return err
	}
	return m.drop(ctx, m.from, dropping)
}

// drop deletes the keys of an old layout of w, and then the field fieldDropping. The argument dropping is the value
// of this field, which describes the old layout.
func (m *mover) drop(ctx context.Context, w *Wheel, dropping string) error {
	var d description
	if _, err := fmt.Sscanf(dropping, "%d %d %s", &d.version, &d.count, &d.id); err != nil || checkShards(d.count) != nil {
		return fmt.Errorf("field %s of %s: %.40q, expected LAYOUT COUNT ID", fieldDropping, m.key, dropping)
	}
	for _, s := range w.with(&d).shards {
		for more := true; more; {
			var err error
			if more, err = s.drop(ctx, dropMax); err != nil {
				return err
			}
			if err := m.keepLock(ctx); err != nil {
				return err
			}
		}
	}
	return m.client.HDel(ctx, m.key, fieldDropping).Err()
}
