package worker

import (
	"context"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// recheckAfter is the time after which the claim of a task that waits in a worker must be checked again, because the
// task may have been removed or replaced in the meantime.
const recheckAfter = 50 * time.Millisecond

// identity identifies a task that a worker holds, by its key and by ClaimID.Addition, a number that changes when a task
// with this key is added again.
type identity struct {
	key      string
	addition int64
}

// lease is a worker's claim of a task. It is guarded by leaseKeeper.mu.
type lease struct {
	identity
	token   int64
	until   time.Time // earliest time at which the lease may lapse; zero if the task was removed, replaced or claimed by another worker
	checked time.Time // time at which Redis last confirmed the claim
	started bool      // whether the call may be running, so that the claim is no longer checked
	outcome ending    // outcome of the attempt; only valid if result is true
	result  bool      // whether the attempt has ended and its result is in the outbox or being sent to Redis
	series  *series   // nil if the task is not periodic
	adopted bool      // whether the lease lapsed and the same worker claimed the task again, so that an extra attempt was counted
}

// series is what a worker needs to know about a run of a periodic task to settle it.
type series struct {
	task rediswheel.Task
	due  time.Time
	now  time.Time // time of the claim by the clock of Redis
	at   time.Time // the same by the clock of this machine
}

// settle sets the fields of f about the next run.
func (s *series) settle(f *engine.Failed) {
	once := s.task
	once.Every, once.Cron, once.Zone, once.CatchUp = 0, "", "", false
	f.Next = s.task.NextRun(s.due, s.now.Add(time.Since(s.at))).UnixMilli()
	f.DeadKey, f.DeadRecord = rediswheel.DeadKey(f.Key, s.due), once.Record(s.due.UnixMilli())
}

func (l *lease) claimID() engine.ClaimID {
	return engine.ClaimID{Key: l.key, Token: l.token, Addition: l.addition}
}

// take records the tasks of claim c, whose leases last until the given time. It returns one element for each task of
// c: a new lease, or nil if the task is not to be called. The element is nil if this worker has already completed the
// task successfully. It is also nil if the worker still holds the task after an earlier claim, and the attempt has not
// ended or has succeeded; the existing lease then takes over the new claim.
func (h *leaseKeeper) take(c *engine.Claim, until time.Time) []*lease {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	defer func() { h.ended = nil }()
	leases := make([]*lease, len(c.Tasks))
	for i, t := range c.Tasks {
		id := identity{t.Key, t.Addition}
		if h.ended[id] {
			continue // its success reached Redis after the claim, and ended the task
		}
		if l := h.held[id]; l != nil && (!l.result || l.outcome == done) {
			l.adopted = l.adopted || l.token != t.Token
			l.token, l.until, l.checked = t.Token, until, now
			continue
		}
		l := &lease{identity: id, token: t.Token, until: until, checked: now}
		h.held[id] = l
		leases[i] = l
		if t.Suspect() {
			h.w.suspect.take(l)
		}
	}
	return leases
}

// drop removes the tasks of batch, whose results were sent to Redis, from h.held, and wakes the goroutines of claimAll
// that may now claim more.
func (h *leaseKeeper) drop(batch []result) {
	h.mu.Lock()
	next := false
	for _, r := range batch {
		if h.held[r.lease.identity] == r.lease { // otherwise it was claimed again in the meantime
			delete(h.held, r.lease.identity)
		}
		if r.end == done && h.ended != nil {
			h.ended[r.lease.identity] = true
		}
		next = h.w.suspect.end(r.lease) || next
	}
	h.mu.Unlock()
	if next { // suspects of other shards are found by polling; see rest.next
		h.atOnce.Store(true)
		wake(h.rest.woken)
	}
	if containsPutBack(batch) {
		wake(h.rest.woken)
	}
	wake(h.freed)
}

// put adds result r to the results that are to be sent to Redis.
func (h *leaseKeeper) put(r result) {
	h.mu.Lock()
	r.lease.outcome, r.lease.result = r.end, true
	h.mu.Unlock()
	h.results.put(r)
}

// room returns how many more tasks of the shard the worker may hold; see Worker.heldMax.
func (h *leaseKeeper) room() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.w.heldMax() - len(h.held)
}

// keepLeases extends the leases of the held tasks, at intervals of a third of their duration, until ctx is done. A
// callback may therefore take longer than a lease, and a worker loses its leases only if it dies or is cut off from
// Redis. While Redis cannot be reached, keepLeases keeps trying. It also extends leases that have lapsed if no other
// worker has claimed their tasks.
func (h *leaseKeeper) keepLeases(ctx context.Context) {
	wait := h.w.o.Lease / 3
	again := retryFirst
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = h.w.o.Lease / 3
		if err := h.extendAll(ctx); err != nil {
			wait, again = min(wait, again), min(2*again, retryMax)
			continue
		}
		again = retryFirst
	}
}

// extendAll extends the leases of all held tasks.
func (h *leaseKeeper) extendAll(ctx context.Context) error {
	err := h.extend(ctx, h.list(func(*lease) bool { return true }))
	if ctx.Err() == nil {
		h.w.report(err)
	}
	return err
}

// extend extends the leases in list. It marks a lease as lost if its task was removed, replaced or claimed by another
// worker.
func (h *leaseKeeper) extend(ctx context.Context, list []*lease) error {
	for leases := range slices.Chunk(list, batchMax) {
		claims := h.claimIDsOf(leases)
		script, cancel := context.WithTimeout(ctx, h.w.o.Lease/3)
		sent := time.Now()
		kept, err := connect.Await(script, func() ([]bool, error) { return h.shard.Extend(script, claims, h.w.o.Lease) })
		cancel()
		if err != nil {
			return err
		}
		h.recordExtension(leases, claims, kept, sent.Add(h.w.o.Lease))
	}
	return nil
}

// recordExtension records the reply of a script that extended leases. claims[i] is the claim that was sent to extend
// leases[i]. If kept[i] is true, the lease was extended and lasts until the given time. If kept[i] is false, the lease
// is lost. A lease whose task has been claimed again since the script was sent is left unchanged.
func (h *leaseKeeper) recordExtension(leases []*lease, claims []engine.ClaimID, kept []bool, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	for i, l := range leases {
		switch {
		case l.token != claims[i].Token: // claimed again meanwhile
		case kept[i]:
			l.until, l.checked = until, now
		default:
			l.until = time.Time{}
		}
	}
}

// confirm reports whether the task of lease l is still to be called. It must be used just before the call. A claim that
// Redis confirmed at most recheckAfter ago is assumed to be current. Otherwise confirm asks Redis about the claims of
// all waiting tasks together, and repeats this until Redis answers, the lease lapses or ctx is done.
func (h *leaseKeeper) confirm(ctx context.Context, l *lease) bool {
	if fresh, owned := h.state(l); fresh || !owned {
		return owned
	}
	h.confirming.Lock()
	defer h.confirming.Unlock()
	for again := retryFirst; ; again = min(2*again, retryMax) {
		if fresh, owned := h.state(l); fresh || !owned {
			return owned
		}
		stale := h.list(func(o *lease) bool { return !o.started && time.Since(o.checked) > recheckAfter/2 })
		err := h.extend(ctx, stale)
		if err == nil {
			continue
		}
		h.w.report(err)
		select {
		case <-ctx.Done():
			return false
		case <-time.After(again):
		}
	}
}

// state returns the state of lease l, and marks l as started if both results are true. fresh is whether Redis confirmed
// the claim at most recheckAfter ago. owned is whether the lease has certainly not lapsed: l.until is computed from the
// time at which the worker sent the request for the lease, so the lease does not end earlier in Redis.
func (h *leaseKeeper) state(l *lease) (fresh, owned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	fresh, owned = time.Since(l.checked) <= recheckAfter, time.Now().Before(l.until)
	l.started = l.started || fresh && owned
	return fresh, owned
}

// list returns the held leases for which wanted returns true.
func (h *leaseKeeper) list(wanted func(*lease) bool) []*lease {
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

// claimIDsOf returns the IDs of the current claims of leases, in the same order.
func (h *leaseKeeper) claimIDsOf(leases []*lease) []engine.ClaimID {
	h.mu.Lock()
	defer h.mu.Unlock()
	claims := make([]engine.ClaimID, len(leases))
	for i, l := range leases {
		claims[i] = l.claimID()
	}
	return claims
}
