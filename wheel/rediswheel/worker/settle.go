package worker

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// ending is the outcome of an attempt at a task.
type ending int

const (
	done       ending = iota // the task was delivered and is deleted
	retried                  // the attempt failed; the task is to be tried again
	deferred                 // the task is to be called by another worker, or by this one later
	refused                  // this worker is not allowed to call the task; another one may be
	released                 // the attempt had no result, for example because the worker stopped or had no free slot
	becameDead               // the task was given up
	tooLate                  // the attempt failed after the lease had lapsed and another worker had claimed the task; only logged
	endings
)

// message returns the log message for an ending, or an empty string if the ending is not logged.
func (e ending) message() string {
	return [endings]string{"", "failed, to be tried again", "put back", "not for this worker, put back", "", "given up",
		"failed after its lease had lapsed; not counted"}[e]
}

// result is the result of an attempt, which is to be sent to Redis. Its ClaimID is set from the lease when it is sent.
type result struct {
	engine.Failed
	lease   *lease
	end     ending
	attempt int
	host    string
	late    time.Duration
}

// outbox contains the results to be sent to Redis. Its length is limited by the number of held tasks.
type outbox struct {
	ready  chan struct{} // has capacity 1; holds a value if there may be results or the outbox is closed
	full   chan struct{} // has capacity 1; holds a value if the number of waiting results has reached the field enough
	enough int           // number of waiting results at which the next batch is sent without waiting for scriptEvery

	mu     sync.Mutex
	list   []result
	closed bool
}

func newOutbox(enough int) *outbox {
	return &outbox{ready: make(chan struct{}, 1), full: make(chan struct{}, 1), enough: enough}
}

func (o *outbox) put(r result) {
	o.mu.Lock()
	o.list = append(o.list, r)
	if len(o.list) >= o.enough {
		wake(o.full)
	}
	o.mu.Unlock()
	wake(o.ready)
}

// waitForResults waits until o.enough results are waiting to be sent or the timeout has elapsed.
func (o *outbox) waitForResults(timeout time.Duration) {
	if timeout <= 0 {
		return
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-o.full:
	}
}

// close records that no more results will be added to the outbox.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	wake(o.ready)
}

// take removes and returns up to batchMax results. If there are none, it waits once for a value in o.ready, and then
// may still return none. more is false if the outbox is closed and empty.
func (o *outbox) take() (batch []result, more bool) {
	if batch, closed := o.first(); len(batch) > 0 || closed {
		return batch, len(batch) > 0
	}
	<-o.ready
	batch, closed := o.first()
	return batch, len(batch) > 0 || !closed
}

// first removes up to batchMax results and returns them. It also reports whether the outbox is closed.
func (o *outbox) first() (batch []result, closed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := min(len(o.list), batchMax)
	batch = o.list[:n:n]
	if o.list = o.list[n:]; len(o.list) == 0 {
		o.list = nil
	}
	select {
	case <-o.full: // of the results of this batch
	default:
	}
	return batch, o.closed
}

// ended reports whether the outbox is closed.
func (o *outbox) ended() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.closed
}

// sendAllResults sends results to Redis in batches until the outbox is closed and empty. Meanwhile it extends the
// leases of the held tasks. If ctx is done first, it
// sends no more, and the leases of the remaining tasks lapse.
func (h *leaseKeeper) sendAllResults(ctx context.Context) {
	keeping, stop := context.WithCancel(ctx)
	var keeper sync.WaitGroup
	keeper.Go(func() { h.keepLeases(keeping) })
	defer keeper.Wait()
	defer stop()
	for batch, more := h.results.take(); more; batch, more = h.results.take() {
		began := time.Now()
		if len(batch) > 0 {
			h.sendUntilAcknowledged(ctx, batch)
			h.drop(batch)
		}
		if !h.results.ended() {
			h.results.waitForResults(scriptEvery - time.Since(began))
		}
	}
}

// script identifies the Redis script that a worker runs to record the results of attempts.
type script struct {
	end     ending
	counted bool // whether the attempt counts towards the maximum number of attempts; only meaningful if end is retried
	again   bool // whether the tasks are periodic; only meaningful if end is done
}

// sendUntilAcknowledged sends the results of batch until Redis has replied or ctx is done. Sending a result twice is
// harmless, because a claim ends only once.
func (h *leaseKeeper) sendUntilAcknowledged(ctx context.Context, batch []result) {
	if !slices.ContainsFunc(batch, func(r result) bool { return r.end != done || r.lease.series != nil }) { // as usual
		h.sendByScript(ctx, script{end: done}, batch)
		return
	}
	byScript := map[script][]result{}
	for _, r := range batch {
		s := script{end: r.end, again: r.end == done && r.lease.series != nil}
		s.counted = r.end == retried && !h.wasAdopted(r.lease)
		byScript[s] = append(byScript[s], r)
	}
	for s, list := range byScript {
		h.sendByScript(ctx, s, list)
	}
}

// sendByScript sends the results in list with script s, repeatedly until Redis has replied or ctx is done. If this
// worker has claimed a task again in the meantime, the result of the task is sent once more, for the new claim.
func (h *leaseKeeper) sendByScript(ctx context.Context, s script, list []result) {
	resent := false // whether the script was sent before, so that the reply may be to a repetition
	for again := retryFirst; len(list) > 0; {
		leases := make([]*lease, len(list))
		for i, r := range list {
			leases[i] = r.lease
		}
		for i, hold := range h.claimIDsOf(leases) {
			list[i].ClaimID = hold
			if s := leases[i].series; s != nil {
				s.settle(&list[i].Failed)
			}
		}
		ended, err := connect.Await(ctx, func() ([]bool, error) { return h.sendResults(ctx, s, list) })
		if ctx.Err() != nil {
			return
		}
		h.w.report(err)
		if err == nil {
			list = h.noteEnded(list, ended, resent)
			continue
		}
		resent = true
		select {
		case <-time.After(again):
		case <-ctx.Done():
		}
		again = min(2*again, retryMax)
	}
}

// noteEnded processes the reply to a script that sent list. ended[i] is whether Redis has accepted the result
// list[i]. resent is whether the script was sent more than once; Redis may then have accepted a result even if
// ended[i] is false. noteEnded logs each accepted result whose ending has a log message and, if resent is false, each
// failed attempt whose claim was no longer current. It returns the results of the tasks that this worker has claimed
// again in the meantime; they must be sent again.
func (h *leaseKeeper) noteEnded(list []result, ended []bool, resent bool) (again []result) {
	for i, r := range list {
		switch {
		case ended[i]:
			h.w.logResult(&r, r.end)
		case h.claimIDsOf([]*lease{r.lease})[0].Token != r.Token:
			again = append(again, r)
		case !resent && r.end == retried:
			h.w.logResult(&r, tooLate)
		}
	}
	return again
}

// wasAdopted reports whether Redis counted the attempt with lease l twice, because the lease lapsed and this worker
// claimed the task again during the call.
func (h *leaseKeeper) wasAdopted(l *lease) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return l.adopted
}

// sendResults runs script s for the results in list and reports, for each, whether Redis has accepted it.
func (h *leaseKeeper) sendResults(ctx context.Context, s script, list []result) ([]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, scriptWait)
	defer cancel()
	switch s.end {
	case done:
		var late rediswheel.Lateness
		var sum int64 // ms
		claims := make([]engine.ClaimID, len(list))
		for i, r := range list {
			claims[i] = r.ClaimID
			late.Note(r.late.Milliseconds())
			sum += r.late.Milliseconds()
		}
		if s.again {
			return h.shard.Again(ctx, failures(list), counts(&late, sum))
		}
		return h.shard.Ack(ctx, claims, counts(&late, sum))
	case becameDead:
		return h.w.markDead(ctx, h.shard, failures(list))
	}
	why := map[ending]string{retried: engine.Retried, deferred: engine.Deferred, refused: engine.Refused, released: engine.Released}[s.end]
	if s.end == retried && !s.counted {
		return h.shard.RetryUncounted(ctx, failures(list))
	}
	return h.shard.Later(ctx, why, failures(list))
}

// counts returns the counters of a shard to which delivered tasks add: one for each non-empty bucket of their lateness,
// and one for sum, the sum of the lateness in ms.
func counts(late *rediswheel.Lateness, sum int64) []engine.Count {
	var list []engine.Count
	for b, n := range late {
		if n > 0 {
			list = append(list, engine.Count{Field: engine.LatenessField + strconv.Itoa(b), N: n})
		}
	}
	return append(list, engine.Count{Field: engine.LateSumField, N: sum})
}

func failures(list []result) []engine.Failed {
	failed := make([]engine.Failed, len(list))
	for i, r := range list {
		failed[i] = r.Failed
	}
	return failed
}
