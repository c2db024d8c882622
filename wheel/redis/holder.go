package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// scriptWait is how long one script of a worker may take, with the client's own
// attempts to reach Redis again.
const scriptWait = 10 * time.Second

// The waits before a worker asks a Redis again that did not answer.
const (
	againFirst = 20 * time.Millisecond
	againMax   = time.Second
)

// holder is what a worker holds of one shard: it claims tasks, keeps their leases, and
// tells Redis of the results.
type holder struct {
	w       *Worker
	wheel   *Wheel // in the layout that the shard belongs to
	shard   Shard
	results chan result   // room for all that is held, so a caller never waits
	freed   chan struct{} // one place: something was settled
	log     *teller
	rest    rest

	mu      sync.Mutex
	held    map[Hold]time.Time // until when its lease surely lasts; zero: it is lost
	suspect Hold               // the one of the worker's, while it is this shard's
}

func newHolder(w *Worker, s Shard) *holder {
	return &holder{w: w, wheel: w.on, shard: s, results: make(chan result, w.heldMax()), freed: make(chan struct{}, 1),
		log: &teller{log: w.o.Log, trouble: map[string]string{}}, rest: newRest(w.notify, s), held: map[Hold]time.Time{}}
}

// claimAll claims tasks until ctx ends, and keeps the leases of what is held. A claim
// that was sent is waited for even then: its tasks would be nobody's.
func (h *holder) claimAll(ctx context.Context) {
	again := againFirst
	for ctx.Err() == nil {
		room := h.room()
		if h.w.paused.Load() {
			h.sleep(ctx, h.w.o.Poll)
			continue
		}
		if room < h.w.heldMax()/4+1 { // few at a time cost a script each
			h.sleep(ctx, h.w.o.Poll)
			continue
		}
		wait, err := h.claim(ctx, min(room, BatchMax))
		h.log.tell("claim", explain(err, h.w.wheel.addr))
		if err != nil {
			wait, again = again, min(2*again, againMax)
		} else {
			again = againFirst
		}
		h.sleep(ctx, wait)
	}
}

// sleep waits, until ctx ends, or something is settled while the worker is full, or a
// notification comes.
func (h *holder) sleep(ctx context.Context, wait time.Duration) {
	if wait <= 0 {
		return
	}
	freed := h.freed
	if h.room() > h.w.heldMax()/4 {
		freed = nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-freed:
	case <-h.rest.woken:
		h.rest.gap(ctx)
	case <-ctx.Done():
	}
}

// claim claims up to limit tasks and passes them on. It returns the time until the next
// claim.
func (h *holder) claim(ctx context.Context, limit int) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), scriptWait)
	defer cancel()
	suspects, seen := h.w.suspects.take(), h.wheel.current.renewals.Load()
	sent := time.Now()
	c, err := h.shard.ClaimWary(ctx, limit, suspects, h.w.o.Lease)
	if err != nil || c.Suspect == 0 {
		h.w.suspects.give(suspects)
	}
	if err != nil {
		return againFirst, h.layoutError(ctx, seen, err)
	}
	at := time.Now()
	h.hold(&c, sent.Add(h.w.o.Lease))
	for _, task := range c.Tasks {
		h.pass(task, c.Now, at)
	}
	wait := forever
	if c.Wait >= 0 {
		wait = time.Duration(c.Wait) * time.Millisecond
	}
	return h.rest.next(len(c.Tasks), wait, suspects > 0), nil
}

// pass sends a claimed task to its call, or, if it can't be called, to its end.
func (h *holder) pass(c Claimed, now int64, at time.Time) {
	task, due, err := ReadRecord(c.Record)
	r := result{Failed: Failed{Hold: c.Hold}, end: buried}
	switch {
	case errors.Is(err, ErrNewer):
		r.end, r.Wait, r.Reason = deferred, h.w.o.deferWait(), err.Error()
	case err != nil:
		r.Reason = err.Error()
	case c.Attempts > h.w.o.Attempts:
		r.Reason = fmt.Sprintf("claimed %d times, and each worker died or stopped before an answer", c.Attempts-1)
	default:
		h.w.jobs <- job{h, c.Hold, Call{Key: c.Key, Task: task, Due: time.UnixMilli(due).UTC(), Attempt: c.Attempts,
			Late: time.Duration(now-due) * time.Millisecond}, at}
		return
	}
	r.Reason = oneLine(r.Reason)
	h.w.failed.Add(1)
	h.w.o.Log.Warn(r.end.told(), "key", c.Key, "reason", r.Reason)
	h.results <- r
}

// hold, drop and room keep count of what is held.
func (h *holder) hold(c *Claim, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range c.Tasks {
		h.held[t.Hold] = until
	}
	if c.Suspect > 0 {
		h.suspect = c.Tasks[c.Suspect-1].Hold
	}
}

func (h *holder) drop(batch []result) {
	h.mu.Lock()
	for _, r := range batch {
		delete(h.held, r.Hold)
		if r.Hold == h.suspect {
			h.suspect = Hold{}
			h.w.suspects.give(1)
		}
	}
	h.mu.Unlock()
	if putBack(batch) {
		wake(h.rest.woken)
	}
	select {
	case h.freed <- struct{}{}:
	default:
	}
}

func (h *holder) room() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.w.heldMax() - len(h.held)
}

// keepLeases makes the leases of what is held last, three times in each, until ctx
// ends. So a callback may take longer than a lease, and only a worker that died, or
// is cut off, loses one.
func (h *holder) keepLeases(ctx context.Context) {
	tick := time.NewTicker(h.w.o.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		list := h.list()
		if len(list) == 0 {
			h.log.tell("extend", nil) // there is nothing to fail any more
		}
		for holds := range slices.Chunk(list, BatchMax) {
			script, cancel := context.WithTimeout(ctx, h.w.o.Lease/3)
			sent := time.Now()
			kept, err := h.shard.Extend(script, holds, h.w.o.Lease)
			cancel()
			h.note(holds[:len(kept)], kept, sent.Add(h.w.o.Lease))
			if ctx.Err() == nil {
				h.log.tell("extend", explain(err, h.w.wheel.addr))
			}
		}
	}
}

// note takes over what Redis said of leases: those that were kept last until then, the
// others are lost, to another worker or with a task that was removed or replaced.
func (h *holder) note(holds []Hold, kept []bool, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, hold := range holds {
		if _, ok := h.held[hold]; !ok {
			continue // settled meanwhile
		}
		if !kept[i] {
			h.held[hold] = time.Time{}
			continue
		}
		h.held[hold] = until
	}
}

// owns says whether a claim surely holds: Redis has said so within the lease, which
// began no sooner than the script that asked for it was sent.
func (h *holder) owns(hold Hold) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Now().Before(h.held[hold])
}

func (h *holder) list() []Hold {
	h.mu.Lock()
	defer h.mu.Unlock()
	holds := make([]Hold, 0, len(h.held))
	for hold := range h.held {
		holds = append(holds, hold)
	}
	return holds
}
