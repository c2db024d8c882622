package rediswheel

import (
	"context"
	"slices"
	"time"
)

// recheckAfter is how long a task may wait in a worker before its claim is checked again: by then
// it may have been removed, or replaced.
const recheckAfter = 50 * time.Millisecond

// identity is a task that a worker holds: a key, and what was added under it.
type identity struct {
	key      string
	addition int64
}

// lease is a worker's hold of a task. Its fields are guarded by the holder's mu.
type lease struct {
	identity
	token   int64
	until   time.Time // until when it surely lasts; zero: it is lost
	checked time.Time // when Redis was last heard to say so
	started bool      // its call may be under way: there is nothing to check
	put     ending    // how it ended, once result is set
	result  bool      // its result is on its way to Redis
	adopted bool      // it lapsed and was claimed again by the same worker, which counted an attempt too many
}

func (l *lease) hold() Hold { return Hold{l.key, l.token, l.addition} }

// take notes the tasks of a claim, and returns those that are to be called. A task whose call is
// still under way here, or has ended well, is not: its lease had lapsed, and is taken over. One whose
// call ended otherwise is: either Redis has put it back, or its claim had lapsed before.
func (h *holder) take(c *Claim, until time.Time) []*lease {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	defer func() { h.ended = nil }()
	leases := make([]*lease, len(c.Tasks))
	for i, t := range c.Tasks {
		id := identity{t.Key, t.Addition}
		if h.ended[id] {
			continue // its success reached Redis after the claim, and ended it
		}
		if l := h.held[id]; l != nil && (!l.result || l.put == done) {
			l.adopted = l.adopted || l.token != t.Token
			l.token, l.until, l.checked = t.Token, until, now
			continue
		}
		l := &lease{identity: id, token: t.Token, until: until, checked: now}
		h.held[id] = l
		leases[i] = l
		if t.Suspect {
			h.w.suspects.hold(l, &t, min(h.w.o.Attempts, suspectAttempts))
		}
	}
	return leases
}

// drop forgets tasks that were settled.
func (h *holder) drop(batch []result) {
	h.mu.Lock()
	more := false
	for _, r := range batch {
		if h.held[r.lease.identity] == r.lease { // else it was claimed again meanwhile
			delete(h.held, r.lease.identity)
		}
		if r.end == done && h.ended != nil {
			h.ended[r.lease.identity] = true
		}
		more = h.w.suspects.end(r.lease) || more
	}
	h.mu.Unlock()
	if more {
		for _, o := range h.w.holders { // suspects may be left on any shard
			wake(o.rest.woken)
		}
	}
	if anyPutBack(batch) {
		wake(h.rest.woken)
	}
	wake(h.freed)
}

// put sends the result of a task to Redis.
func (h *holder) put(r result) {
	h.mu.Lock()
	r.lease.put, r.lease.result = r.end, true
	h.mu.Unlock()
	h.results.put(r)
}

// room is how many more tasks may be held.
func (h *holder) room() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.w.heldMax() - len(h.held)
}

// keepLeases extends the leases of what is held, three times in each, until ctx
// ends. So a callback may take longer than a lease, and only a worker that died, or
// is cut off, loses one. While Redis is away it asks again and again: leases that lapsed
// are extended if no other worker has claimed their tasks.
func (h *holder) keepLeases(ctx context.Context) {
	wait := h.w.o.Lease / 3
	again := againFirst
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = h.w.o.Lease / 3
		if err := h.extendAll(ctx); err != nil {
			wait, again = min(wait, again), min(2*again, againMax)
			continue
		}
		again = againFirst
	}
}

// extendAll extends all leases.
func (h *holder) extendAll(ctx context.Context) error {
	err := h.extend(ctx, h.list(func(*lease) bool { return true }))
	if ctx.Err() == nil {
		h.log.tell("extend", explain(err, h.w.wheel.Addr()))
	}
	return err
}

// extend extends leases, and notes which of them are lost: to another worker or with a task that
// was removed or replaced.
func (h *holder) extend(ctx context.Context, list []*lease) error {
	for leases := range slices.Chunk(list, BatchMax) {
		holds := h.holdsOf(leases)
		script, cancel := context.WithTimeout(ctx, h.w.o.Lease/3)
		sent := time.Now()
		kept, err := await(script, func() ([]bool, error) { return h.shard.Extend(script, holds, h.w.o.Lease) })
		cancel()
		if err != nil {
			return err
		}
		h.noteKept(leases, holds, kept, sent.Add(h.w.o.Lease))
	}
	return nil
}

// noteKept takes over what Redis said of leases: those that were kept last until then.
func (h *holder) noteKept(leases []*lease, holds []Hold, kept []bool, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	for i, l := range leases {
		switch {
		case l.token != holds[i].Token: // claimed again meanwhile
		case kept[i]:
			l.until, l.checked = until, now
		default:
			l.until = time.Time{}
		}
	}
}

// confirm reports whether a task is still to be called. A claim that was made or checked less than
// recheckAfter ago is taken to hold; else Redis is asked, about all that wait at
// once, until it answers, the lease lapses, or ctx ends.
func (h *holder) confirm(ctx context.Context, l *lease) bool {
	if fresh, owned := h.state(l); fresh || !owned {
		return owned
	}
	h.confirming.Lock()
	defer h.confirming.Unlock()
	for again := againFirst; ; again = min(2*again, againMax) {
		if fresh, owned := h.state(l); fresh || !owned {
			return owned
		}
		stale := h.list(func(o *lease) bool { return !o.started && time.Since(o.checked) > recheckAfter/2 })
		err := h.extend(ctx, stale)
		if err == nil {
			continue
		}
		h.log.tell("extend", explain(err, h.w.wheel.Addr()))
		select {
		case <-ctx.Done():
			return false
		case <-time.After(again):
		}
	}
}

// state reports whether a lease was checked lately, and whether it surely holds: Redis has said
// so within the lease, which began no sooner than the script that asked for it was sent. A fresh
// lease that holds is marked as started.
func (h *holder) state(l *lease) (fresh, owned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	fresh, owned = time.Since(l.checked) <= recheckAfter, time.Now().Before(l.until)
	l.started = l.started || fresh && owned
	return fresh, owned
}

// list returns the leases that are wanted.
func (h *holder) list(wanted func(*lease) bool) []*lease {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*lease, 0, len(h.held))
	for _, l := range h.held {
		if wanted(l) {
			list = append(list, l)
		}
	}
	return list
}

// holdsOf returns the claims of leases as they are now.
func (h *holder) holdsOf(leases []*lease) []Hold {
	h.mu.Lock()
	defer h.mu.Unlock()
	holds := make([]Hold, len(leases))
	for i, l := range leases {
		holds[i] = l.hold()
	}
	return holds
}
