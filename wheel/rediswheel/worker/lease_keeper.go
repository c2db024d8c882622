package worker

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// Limits for the times of a worker's scripts.
const (
	// scriptWait is the timeout of a script, including reconnects by the client. A claim that reaches Redis after its
	// timeout claims nothing; see ClaimRequest.NotAfter. This does not apply before the first reply, because a worker
	// learns the time of the Redis server from the replies.
	scriptWait = 5 * time.Second
	// scriptEvery is the minimum time between two claims of a shard while more tasks are due, unless the pool has room for
	// many, and between two batches of results, unless many are waiting. Without it, each worker would run a script for
	// each task. If it were longer, a worker with short callbacks would soon reach its maximum number of held tasks.
	scriptEvery = 4 * time.Millisecond
	// busyWait is how long a worker delays a claim if few of its slots are free, and the minimum time between two claims
	// of a shard if the second one is triggered by a notification. Without the latter, tasks that are added one by one
	// and are due immediately would cost one claim each.
	busyWait = 25 * time.Millisecond
)

// Waits before a worker runs a script again after Redis did not answer.
const (
	retryFirst = 20 * time.Millisecond  // first wait before a script is run again; each further one is twice as long, up to retryMax
	retryMax   = 500 * time.Millisecond // maximum wait before a script is run again
)

// leaseKeeper manages the tasks that a worker holds from one shard: it claims tasks, extends their leases, and sends
// their results to Redis.
type leaseKeeper struct {
	w            *Worker
	ctx          context.Context // done when no more tasks are claimed and called
	calls        sync.WaitGroup  // running calls of tasks of the shard
	wheel        *engine.Wheel   // layout of the shard
	shard        engine.Shard
	results      *outbox
	freed        chan struct{} // has capacity 1; holds a value if a result was sent or a call ended since the last receive
	waitsForFree atomic.Bool   // whether the leaseKeeper waits for a value in freed
	atOnce       atomic.Bool   // whether the next wait for the minimum interval after a notification is left out
	rest         rest

	// The fields nonce, resend, redis and at are used only by the goroutine that runs claimAll.
	nonce  int64     // number of the claim in flight or, if there is none, of the next claim to send
	resend bool      // whether the last claim must be sent again, because no reply to it was received
	redis  time.Time // time by the clock of Redis in the last reply to a claim; zero before the first reply
	at     time.Time // local time at which the last answered claim was sent; zero before the first reply

	confirming sync.Mutex // held while a goroutine asks Redis whether the claims of waiting tasks are still current

	mu    sync.Mutex
	held  map[identity]*lease
	ended map[identity]bool // tasks whose success Redis accepted since a claim was sent; nil once take has the reply
}

func newLeaseKeeper(w *Worker, s engine.Shard) *leaseKeeper {
	return &leaseKeeper{w: w, wheel: w.on, shard: s, results: newOutbox(w.o.Concurrency), freed: make(chan struct{}, 1), nonce: 1,
		rest: newRest(w.notify, s, w.o.Lease), held: map[identity]*lease{}}
}

// claimAll claims tasks until ctx is done. Then it waits up to stopWait for the reply to a claim in flight, because
// the claimed tasks would otherwise be leased although no worker calls them.
func (h *leaseKeeper) claimAll(ctx context.Context) {
	again, backlog := retryFirst, false
	var began time.Time
	for ctx.Err() == nil {
		least, wait := 1, h.w.o.Poll
		if left := scriptEvery - time.Since(began); backlog && left > 0 { // claiming few tasks at a time costs many scripts
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
		h.w.report(err)
		if err != nil {
			h.sleep(ctx, again, nil)
			again, backlog = min(2*again, retryMax), false
			continue
		}
		again, backlog = retryFirst, wait <= 0 && n > 0
		if !backlog {
			wait = max(wait, scriptEvery-time.Since(began))
			if h.w.pool.busy() {
				wait += busyWait
			}
		}
		h.sleep(ctx, wait, nil)
	}
	h.claimLost()
}

// reserve reserves room in the pool for the tasks of a claim and returns the number of tasks. If there is room for
// fewer than least tasks, it reserves none and returns 0.
func (h *leaseKeeper) reserve(least int) int {
	h.waitsForFree.Store(true) // set before the places are counted, so that a place freed afterwards wakes the leaseKeeper
	limit := min(h.room(), h.w.share(), batchMax)
	if limit < least {
		return 0
	}
	limit = h.w.pool.reserve(least, limit)
	if limit > 0 {
		h.waitsForFree.Store(false)
	}
	return limit
}

// sleep waits for the duration wait. It returns early if ctx is done, if a value can be received from freed, which may
// be nil, or after a notification from Redis.
func (h *leaseKeeper) sleep(ctx context.Context, wait time.Duration, freed chan struct{}) {
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-freed:
	case <-h.rest.woken:
		if h.atOnce.Swap(false) {
			h.rest.blind = false
			return
		}
		h.rest.waitInterval(ctx)
	case <-ctx.Done():
	}
}

// claim claims up to limit tasks, for which the caller has reserved room in the pool, submits them to the pool and
// ends the reservation. It returns the number of tasks and the wait before the next claim. If no reply is received,
// the next call to claim sends the same claim again, in order to receive the tasks that Redis may have leased.
func (h *leaseKeeper) claim(ctx context.Context, limit int) (int, time.Duration, error) {
	defer h.w.pool.release(limit)
	if h.resend { // leases may have lapsed: extend them before claiming other tasks
		if err := h.extendAll(ctx); err != nil {
			return 0, 0, err
		}
	}
	script, cancel := context.WithTimeout(context.WithoutCancel(ctx), scriptWait)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(stopWait, cancel) })()
	allowed := h.w.suspect.reserve()
	defer h.w.suspect.release(allowed)
	seen := h.wheel.Renewals()
	n, known, err := h.send(script, engine.ClaimRequest{Limit: limit, Suspects: allowed})
	if engine.Outdated(err) {
		h.resend = false
		return 0, retryFirst, h.layoutError(script, seen, err)
	}
	if err != nil {
		return 0, 0, err
	}
	return n, h.rest.next(n, known, allowed > 0, h.w.refuses()), nil
}

// send sends the claim r and submits the tasks in the reply to the pool. It returns the number of tasks and the time
// until the next task is due, which is the constant forever if no further task is known.
func (h *leaseKeeper) send(ctx context.Context, r engine.ClaimRequest) (int, time.Duration, error) {
	r.Lease = h.w.o.Lease
	r.Worker, r.Nonce, r.Resent, r.Handlers = h.w.id, h.nonce, h.resend, h.w.handlers
	sent := time.Now()
	if !h.at.IsZero() {
		r.NotAfter = h.redis.Add(sent.Sub(h.at) + scriptWait).UnixMilli()
	}
	h.resend = true
	h.mu.Lock()
	if h.ended == nil {
		h.ended = map[identity]bool{}
	}
	h.mu.Unlock()
	c, err := connect.Await(ctx, func() (engine.Claim, error) { return h.shard.ClaimFor(ctx, r) })
	if err != nil {
		return 0, 0, err
	}
	h.resend = false
	h.nonce++
	h.redis, h.at = time.UnixMilli(c.Now), sent
	h.w.logClaim(&c)
	at := time.Now()
	for i, l := range h.take(&c, sent.Add(h.w.o.Lease)) {
		if l != nil {
			h.submitClaimed(c.Tasks[i], l, c.Now, at)
		}
	}
	if c.Wait < 0 {
		return len(c.Tasks), forever, nil
	}
	return len(c.Tasks), time.Duration(c.Wait) * time.Millisecond, nil
}

// claimLost recovers the tasks of the last claim if its reply was lost: it asks Redis for them and submits them to the
// pool. The worker is about to stop using this layout, so the pool puts them back into the wheel instead of calling
// them. claimLost is called when claimAll ends.
func (h *leaseKeeper) claimLost() {
	if !h.resend {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	_, _, _ = h.send(ctx, engine.ClaimRequest{}) // without a reply the leases lapse
}

// submitClaimed submits task c, which was claimed under lease l, to the pool. If the task cannot be called, for
// example because this worker cannot read its record, submitClaimed adds a result to the outbox instead. now is the
// Unix time of the claim by the clock of Redis, in milliseconds; at is the local time of the reply.
func (h *leaseKeeper) submitClaimed(c engine.Claimed, l *lease, now int64, at time.Time) {
	task, due, err := rediswheel.ReadRecord(c.Record)
	host := receiverOf(&task)
	if err == nil && task.Periodic() {
		l.series = &series{task: task, due: time.UnixMilli(due).UTC(), now: time.UnixMilli(now).UTC(), at: at}
	}
	r := result{lease: l, end: becameDead, attempt: c.Attempts, host: host}
	switch {
	case err != nil:
		r.Reason = err.Error()
	case c.Attempts > h.w.o.attemptsOf(&task):
		r.Reason = fmt.Sprintf("attempted %d times; its worker ended in each of the last %d", c.Attempts-1, c.Lapses)
	default:
		call := Call{Key: c.Key, Task: task, Due: time.UnixMilli(due).UTC(), Attempt: c.Attempts, Late: time.Duration(now-due) * time.Millisecond}
		h.w.pool.submit(&job{keeper: h, lease: l, call: call, at: at, host: host, refusals: c.Refusals})
		return
	}
	r.Reason = connect.OneLine(r.Reason)
	h.w.failed.Add(1)
	h.put(r)
}
