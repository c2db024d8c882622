package rediswheel

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Times of a worker's scripts.
const (
	// scriptWait is how long one script may take, with the client's own attempts to reach
	// Redis again.
	scriptWait = 10 * time.Second
	// claimWait is how long a claim may take. One that reaches Redis later does nothing.
	claimWait = 5 * time.Second
	// claimEvery is the least time between two claims, while not all that is due is taken: else a
	// worker would run a script for each task, and each other worker too.
	claimEvery    = 4 * time.Millisecond
	claimEveryMax = 8 * time.Millisecond // where other workers take most of the tasks
	// busyWait is how much later than others a worker claims that has few slots left.
	busyWait = 25 * time.Millisecond
	// stopWait is how long a claim under way is waited for when the worker is to stop.
	stopWait = time.Second
)

// The waits before a worker asks a Redis again that did not answer.
const (
	againFirst = 20 * time.Millisecond
	againMax   = 500 * time.Millisecond
)

// holder is what a worker holds of one shard: it claims tasks, keeps their leases, and
// sends the results to Redis.
type holder struct {
	w       *Worker
	wheel   *Wheel // in the layout that the shard belongs to
	shard   Shard
	results *outbox
	freed   chan struct{} // one place: something was settled, or a slot is free
	hungry  atomic.Bool   // it waits for that
	log     *teller
	rest    rest

	deferred deferrals

	nonce int64 // of the claim under way, or the last; of claimAll alone, as the next three
	again bool  // that claim's answer did not come
	redis time.Time
	at    time.Time // when the clock of Redis showed redis, at the latest

	confirming sync.Mutex // one asks for all that wait

	mu    sync.Mutex
	held  map[identity]*lease
	ended map[identity]bool // tasks that ended well since the claim under way was sent; nil: there is none
}

func newHolder(w *Worker, s Shard) *holder {
	return &holder{w: w, wheel: w.on, shard: s, results: newOutbox(), freed: make(chan struct{}, 1), nonce: 1,
		log: &teller{log: w.o.Log, trouble: map[string]string{}}, rest: newRest(w.notify, s), held: map[identity]*lease{}}
}

// await runs a script, and waits for it until ctx ends. A client of go-redis waits until ctx's
// deadline, but not until its end.
func await[T any](ctx context.Context, run func() (T, error)) (reply T, err error) {
	type result struct {
		reply T
		err   error
	}
	ended := make(chan result, 1)
	go func() {
		reply, err := run()
		ended <- result{reply, err}
	}()
	select {
	case r := <-ended:
		return r.reply, r.err
	case <-ctx.Done():
		return reply, ctx.Err()
	}
}

// claimAll claims tasks until ctx ends. A claim that was sent is waited for even then, for a
// moment: its tasks would be leased to no worker.
func (h *holder) claimAll(ctx context.Context) {
	again, every, backlog := againFirst, claimEvery, false
	var began time.Time
	for ctx.Err() == nil {
		least, wait := 1, h.w.o.Poll
		if left := claimEvery - time.Since(began); backlog && left > 0 { // few at a time cost a script each
			least, wait = min(h.w.share(), h.w.o.Concurrency/4+1), left
		}
		if h.w.paused.Load() {
			h.sleep(ctx, wait, nil)
			continue
		}
		limit := h.reserve(least)
		if limit == 0 {
			h.sleep(ctx, wait, h.freed)
			continue
		}
		began = time.Now()
		n, wait, err := h.claim(ctx, limit)
		h.log.tell("claim", explain(err, h.w.wheel.Addr()))
		if err != nil {
			h.sleep(ctx, again, nil)
			again, backlog = min(2*again, againMax), false
			continue
		}
		again, backlog = againFirst, wait <= 0 && n > 0
		if n > 1 {
			every = claimEvery
		} else {
			every = min(every*5/4, claimEveryMax)
		}
		if !backlog {
			wait = max(wait, every-time.Since(began))
			if h.w.pool.busy() {
				wait += busyWait
			}
		}
		h.sleep(ctx, wait, nil)
	}
	h.claimLost()
}

// reserve reserves places for the tasks of a claim.
func (h *holder) reserve(least int) int {
	h.hungry.Store(true) // before the places are counted: what is freed from here on wakes it
	limit := min(h.room(), h.w.share(), BatchMax)
	if limit < least {
		return 0
	}
	limit = h.w.pool.reserve(least, limit)
	if limit > 0 {
		h.hungry.Store(false)
	}
	return limit
}

// sleep waits, until ctx ends, or something comes on freed, or a notification comes.
func (h *holder) sleep(ctx context.Context, wait time.Duration, freed chan struct{}) {
	if wait <= 0 {
		return
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

// claim claims up to limit tasks, for which there are places, and passes them on. It returns how
// many came, and the time until the next claim. A claim whose answer does not come is sent again by
// the next call, and gives the same tasks.
func (h *holder) claim(ctx context.Context, limit int) (int, time.Duration, error) {
	defer h.w.pool.release(limit)
	if h.again { // leases may have lapsed: the holder extends its own before it claims others
		if err := h.extendAll(ctx); err != nil {
			return 0, 0, err
		}
	}
	script, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimWait)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(stopWait, cancel) })()
	allowed, out := h.w.suspects.take()
	defer h.w.suspects.gave(allowed)
	seen := h.wheel.renewals()
	n, known, err := h.send(script, ClaimRequest{Limit: limit, Suspects: allowed, Out: out})
	if layoutRefused(err) {
		h.again = false
		return 0, againFirst, h.layoutError(script, seen, err)
	}
	if err != nil {
		return 0, 0, err
	}
	return n, h.rest.next(n, known, allowed > 0), nil
}

// send sends a claim. It returns how many tasks came, and the time until more is due.
func (h *holder) send(ctx context.Context, r ClaimRequest) (int, time.Duration, error) {
	r.Lease, r.Attempts = h.w.o.Lease, min(h.w.o.Attempts, suspectAttempts)
	r.Worker, r.Nonce, r.Again, r.Handlers = h.w.id, h.nonce, h.again, h.w.handlers
	sent := time.Now()
	if !h.at.IsZero() {
		r.NotAfter = h.redis.Add(sent.Sub(h.at) + claimWait).UnixMilli()
	}
	h.again = true
	h.mu.Lock()
	if h.ended == nil {
		h.ended = map[identity]bool{}
	}
	h.mu.Unlock()
	c, err := await(ctx, func() (Claim, error) { return h.shard.ClaimFor(ctx, r) })
	if err != nil {
		return 0, 0, err
	}
	h.again = false
	h.nonce++
	h.redis, h.at = time.UnixMilli(c.Now), sent
	at := time.Now()
	for i, l := range h.take(&c, sent.Add(h.w.o.Lease)) {
		if l != nil {
			h.pass(c.Tasks[i], l, c.Now, at)
		}
	}
	if c.Wait < 0 {
		return len(c.Tasks), forever, nil
	}
	return len(c.Tasks), time.Duration(c.Wait) * time.Millisecond, nil
}

// claimLost asks for the tasks of a claim whose answer did not come before the worker was to stop,
// so that they are given back.
func (h *holder) claimLost() {
	if !h.again {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	_, _, _ = h.send(ctx, ClaimRequest{}) // without an answer they lapse
}

// pass sends a claimed task to its call, or, if it can't be called, to its end.
func (h *holder) pass(c Claimed, l *lease, now int64, at time.Time) {
	task, due, err := ReadRecord(c.Record)
	r := result{lease: l, end: buried, attempt: c.Attempts}
	switch {
	case errors.Is(err, ErrNewer):
		r.end, r.Wait, r.Reason = deferred, h.w.o.deferWait(), err.Error()
	case err != nil:
		r.Reason = err.Error()
	case c.Lapses >= lapsesMax:
		r.Reason = fmt.Sprintf("its worker ended %d times while it was called", c.Lapses)
		r.host = hostOf(&task)
	case c.Attempts > h.w.o.attemptsOf(&task):
		r.Reason = fmt.Sprintf("claimed %d times, and each worker died or stopped before an answer", c.Attempts-1)
		r.host = hostOf(&task)
	default:
		call := Call{Key: c.Key, Task: task, Due: time.UnixMilli(due).UTC(), Attempt: c.Attempts, Late: time.Duration(now-due) * time.Millisecond}
		h.w.pool.submit(&job{holder: h, lease: l, call: call, at: at, host: hostOf(&task), refusals: c.Refusals})
		return
	}
	r.Reason = oneLine(r.Reason)
	h.w.failed.Add(1)
	h.put(r)
}
