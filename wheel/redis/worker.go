package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

// Bounds and defaults of a worker.
const (
	ConcurrencyDefault = 64
	ConcurrencyMax     = 4096
	AttemptsDefault    = 44 // with the waits between them, about a day
	AttemptsMax        = 1000
	RedirectsDefault   = 3
	RedirectsMax       = 10
	BatchMax           = 500 // tasks of one script

	LeaseDefault        = 30 * time.Second
	LeaseMin            = 500 * time.Millisecond
	CallbackTimeDefault = 10 * time.Second
	RetryDefault        = time.Second
	RetryMaxDefault     = time.Hour
	PollDefault         = 100 * time.Millisecond
	GraceDefault        = 10 * time.Second

	deferWait  = 30 * time.Second // before a task that a worker can't call is claimed again
	settleWait = 5 * time.Second  // for Redis to hear of the last results
)

// WorkerOptions say how a worker works. The zero value of each is its default.
type WorkerOptions struct {
	Concurrency  int           // callbacks at a time
	Lease        time.Duration // after which a task of a dead worker is taken over
	CallbackTime time.Duration // of one attempt
	Redirects    int           // that a callback may follow; negative: none
	Attempts     int           // after which a task is given up
	Retry        time.Duration // before the second attempt, about; doubled with each
	RetryMax     time.Duration // at most between two attempts
	DeadMax      int64         // dead tasks of the wheel that are kept, the newest; negative: all
	Poll         time.Duration // the longest between two looks for tasks
	Grace        time.Duration // for callbacks under way when the worker is to stop
	AllowPrivate bool          // callbacks to private, link-local and loopback addresses
	Handlers     map[string]Handler
	Log          *slog.Logger // nil: nothing is told
}

// fill puts the defaults in and says what can't be.
func (o *WorkerOptions) fill() error {
	o.Concurrency = cmp.Or(o.Concurrency, ConcurrencyDefault)
	o.Attempts = cmp.Or(o.Attempts, AttemptsDefault)
	o.Redirects = max(cmp.Or(o.Redirects, RedirectsDefault), 0)
	o.Lease = cmp.Or(o.Lease, LeaseDefault)
	o.CallbackTime = cmp.Or(o.CallbackTime, CallbackTimeDefault)
	o.Retry = cmp.Or(o.Retry, RetryDefault)
	o.RetryMax = cmp.Or(o.RetryMax, RetryMaxDefault)
	o.DeadMax = cmp.Or(o.DeadMax, DeadMaxDefault)
	o.Poll = cmp.Or(o.Poll, PollDefault)
	o.Grace = cmp.Or(o.Grace, GraceDefault)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	switch {
	case o.Concurrency < 1 || o.Concurrency > ConcurrencyMax:
		return fmt.Errorf("%w: concurrency: %d, expected 1 to %d", ErrInput, o.Concurrency, ConcurrencyMax)
	case o.Attempts < 1 || o.Attempts > AttemptsMax:
		return fmt.Errorf("%w: attempts: %d, expected 1 to %d", ErrInput, o.Attempts, AttemptsMax)
	case o.Redirects > RedirectsMax:
		return fmt.Errorf("%w: redirects: %d, expected at most %d", ErrInput, o.Redirects, RedirectsMax)
	case o.DeadMax > DeadMaxMax:
		return fmt.Errorf("%w: dead-max: %d, expected at most %d", ErrInput, o.DeadMax, int64(DeadMaxMax))
	case o.Lease < LeaseMin:
		return fmt.Errorf("%w: lease: %v, expected %v or longer", ErrInput, o.Lease, LeaseMin)
	case min(o.CallbackTime, o.Retry, o.RetryMax, o.Poll, o.Grace) < time.Millisecond:
		return fmt.Errorf("%w: a time of the worker is under 1ms", ErrInput)
	}
	return nil
}

// Worker delivers the tasks of a wheel. Any number of workers may serve one wheel,
// on any number of machines.
type Worker struct {
	wheel *Wheel
	o     WorkerOptions
	http  *http.Client
	jobs  chan job // room for all that its shards may hold, so sending never waits

	suspects            suspects
	calls, done, failed atomic.Int64
	ran                 atomic.Bool
	dropped             dropLog
}

// job is a claimed task on its way to a callback.
type job struct {
	holder *holder
	hold   Hold
	call   Call
	at     time.Time // when the claim was answered: call.Late is as of then
}

// NewWorker makes a worker of a wheel; [Worker.Run] sets it to work.
func NewWorker(wheel *Wheel, o WorkerOptions) (*Worker, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	w := &Worker{wheel: wheel, o: o, http: newClient(&o)}
	w.jobs = make(chan job, w.heldMax()*len(wheel.shards))
	w.suspects = make(suspects, 1)
	w.suspects.give(1)
	w.dropped = dropLog{log: o.Log, max: o.DeadMax}
	return w, nil
}

// heldMax is how many tasks of a shard the worker may hold at a time. All shards together
// hold those under way, and as many that wait for them, so that no callback waits for a
// claim and other workers find something to do; of each shard at least one.
func (w *Worker) heldMax() int { return max(1, 2*w.o.Concurrency/len(w.wheel.shards)) }

// Run delivers tasks until ctx ends. Then it claims no more, gives back what it has
// not begun, waits up to Grace for callbacks under way, and returns nil. While Redis
// is away it keeps trying, and tells once that it is. It can be run once.
func (w *Worker) Run(ctx context.Context) error {
	if w.ran.Swap(true) {
		return errors.New("a worker can be run once")
	}
	defer w.http.CloseIdleConnections()
	defer w.dropped.flush()
	if rule := w.wheel.eviction; rule != "" {
		w.o.Log.Warn("Redis drops tasks when its memory is full: its maxmemory-policy is " + rule + ", noeviction was expected")
	}
	calling, hurry := context.WithCancel(context.WithoutCancel(ctx)) // ends when Grace does
	defer hurry()
	settling, abandon := context.WithCancel(context.WithoutCancel(ctx)) // ends settleWait later
	defer abandon()
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(w.o.Grace, hurry)
		time.AfterFunc(w.o.Grace+settleWait, abandon)
	})()
	w.deliver(ctx, calling, settling)
	return nil
}

// deliver runs the stages in which a task goes through a worker: each ends when the
// one before it has, so nothing on its way is left behind.
func (w *Worker) deliver(ctx, calling, settling context.Context) {
	var claimers, callers, finishers sync.WaitGroup
	holders := make([]*holder, len(w.wheel.shards))
	for i, s := range w.wheel.shards {
		h := newHolder(w, s)
		holders[i] = h
		claimers.Go(func() { h.claimAll(ctx) })
		finishers.Go(func() { h.settleAll(settling) })
	}
	for range w.o.Concurrency {
		callers.Go(func() { w.callAll(ctx, calling) })
	}
	claimers.Wait()
	close(w.jobs)
	callers.Wait()
	for _, h := range holders {
		close(h.results)
	}
	finishers.Wait()
}

// callAll makes the calls that are waiting, one after another. What is not to be called
// any more it gives back: that does nothing to a task that is another's by now.
func (w *Worker) callAll(ctx, calling context.Context) {
	for j := range w.jobs {
		if why := j.forgone(ctx); why != "" {
			j.holder.results <- result{Failed: Failed{Hold: j.hold, Reason: why}, end: released}
			continue
		}
		j.call.Late += time.Since(j.at)
		w.calls.Add(1)
		err := w.do(calling, j.call)
		stopped := err != nil && calling.Err() != nil
		j.holder.results <- w.judge(&j, err, stopped)
	}
}

// forgone says why a job is not to be called any more, or nothing.
func (j *job) forgone(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return "its worker stopped"
	case !j.holder.owns(j.hold):
		return "its lease lapsed before its turn"
	}
	return ""
}

// judge says what becomes of a task after an attempt.
func (w *Worker) judge(j *job, err error, stopped bool) result {
	r := result{Failed: Failed{Hold: j.hold}, late: max(j.call.Late, 0)}
	if err == nil {
		w.done.Add(1)
		return r
	}
	r.Reason = oneLine(err.Error())
	switch {
	case stopped:
		r.end, r.Reason = released, "its worker stopped in the middle of the call"
		return r
	case errors.Is(err, errUnknown):
		r.end, r.Wait = deferred, w.o.deferWait()
	case errors.Is(err, ErrPrivate), j.call.Attempt >= w.o.Attempts:
		r.end = buried
	default:
		r.end, r.Wait = retried, Backoff(w.o.Retry, w.o.RetryMax, j.call.Attempt, rand.N)
	}
	w.failed.Add(1)
	w.o.Log.Warn(r.end.told(), "key", j.hold.Key, "attempt", j.call.Attempt, "reason", r.Reason)
	return r
}

// Totals is what a worker has done since it began.
type Totals struct {
	Calls, Done, Failed int64
}

// Totals counts the worker's calls. It may be called at any time.
func (w *Worker) Totals() Totals {
	return Totals{w.calls.Load(), w.done.Load(), w.failed.Load()}
}

// deferWait is how long a task stays away from a worker that can't call it.
func (o *WorkerOptions) deferWait() time.Duration { return min(deferWait, o.RetryMax) }

// oneLine makes a reason that fits in a line, in valid UTF-8, of characters that can be
// seen: what a callback answers must not steer the terminal that shows it.
func oneLine(text string) string {
	text = strings.Map(visible, strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?"))
	if len(text) > reasonMax {
		text = strings.ToValidUTF8(text[:reasonMax], "") + "…"
	}
	return text
}

// visible is a character, or ? if it is none that is printed.
func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}
