package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/signature"
	"golang.org/x/time/rate"
)

// Bounds and defaults of a worker.
const (
	ConcurrencyDefault = 64
	ConcurrencyMax     = 4096
	AttemptsDefault    = 44 // default of Options.Attempts; with the default waits, these attempts take about a day
	RedirectsDefault   = 3

	LeaseDefault        = 30 * time.Second
	LeaseMin            = 500 * time.Millisecond
	DurationMax         = 365 * 24 * time.Hour // maximum of every duration of Options
	CallbackTimeDefault = 10 * time.Second
	RetryDefault        = time.Second
	RetryMaxDefault     = time.Hour
	PollDefault         = 100 * time.Millisecond
	GraceDefault        = 10 * time.Second

	lastResultsWait = time.Second             // time after Options.Grace for sending the last results to Redis
	stopWait        = lastResultsWait * 2 / 5 // maximum time for which a stopping worker waits for a claim or a handler, and again for what follows
	refusedWait     = 50 * time.Millisecond   // approximate wait before a refused task may be claimed again
	refusedFast     = 16                      // number of refusals in a row after which each further one doubles the wait; before that its worker lets others claim first
	refusedRecent   = time.Second             // time for which a worker that refused a task lets others claim first; more than a few of the first waits
	refusalsMax     = AttemptsDefault         // maximum number of consecutive refusals of a task, by any workers; the next one marks the task dead
	logEvery        = 10 * time.Second        // default of Options.LogEvery
)

// batchMax is the maximum number of tasks that one script claims or acknowledges.
const batchMax = engine.AddBatch

// Options configures a worker. The zero value of a field means its default.
type Options struct {
	Concurrency  int           // maximum number of callbacks that run at a time
	PerHost      int           // maximum number of callbacks to one receiver at a time; 0 means half of Concurrency
	Lease        time.Duration // duration of a lease; when a lease has lapsed, another worker may claim the task
	CallbackTime time.Duration // timeout of one attempt
	Redirects    int           // maximum number of redirects that a callback follows; negative means none
	Attempts     int           // maximum number of attempts; a task that fails in the last one is dead
	Retry        time.Duration // approximate wait before the second attempt; doubled before each further one
	RetryMax     time.Duration // maximum wait between two attempts
	DeadMax      int64         // maximum number of dead tasks of the wheel; if there are more, the oldest are deleted; negative means no limit
	// Poll is the interval at which tasks are claimed from an idle shard. While the worker receives notifications
	// from Redis, the intervals may be longer than Poll.
	Poll         time.Duration
	Grace        time.Duration  // maximum time for which running callbacks may continue after the worker is stopped
	AllowPrivate bool           // whether callbacks to private, link-local and loopback addresses are allowed
	AllowNets    []netip.Prefix // private networks to which callbacks are allowed even if AllowPrivate is false
	Handlers     map[string]Handler
	Default      Handler      // handler of tasks whose handler is not in Handlers; nil means that such tasks wait for another worker
	Client       *http.Client // makes the callbacks; nil means one that checks addresses and redirects as the other options say

	PermanentStatus []int              // HTTP statuses after which a task is not retried; nil means PermanentStatusDefault
	Secrets         []signature.Secret // secrets with which callbacks are signed; if empty, callbacks are not signed

	Log      *slog.Logger  // logger of the worker; if nil, nothing is logged
	LogEvery time.Duration // minimum time between two log lines about the same cause; 0 means 10 s
}

// Check returns an error that wraps [rediswheel.ErrInput] and names the option if a value of o is invalid. [New] returns
// the same error.
func (o *Options) Check() error {
	filled := *o
	return filled.fill()
}

// fill sets the defaults and returns an error if a value is invalid.
func (o *Options) fill() error {
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
	o.LogEvery = cmp.Or(o.LogEvery, logEvery)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	switch {
	case o.Concurrency < 1 || o.Concurrency > ConcurrencyMax:
		return fmt.Errorf("%w: concurrency: %d, expected 1 to %d", rediswheel.ErrInput, o.Concurrency, ConcurrencyMax)
	case o.PerHost < 0 || o.PerHost > o.Concurrency:
		return fmt.Errorf("%w: per-host: %d, expected 1 to the concurrency, %d", rediswheel.ErrInput, o.PerHost, o.Concurrency)
	case o.Attempts < 1 || o.Attempts > rediswheel.AttemptsMax:
		return fmt.Errorf("%w: attempts: %d, expected 1 to %d", rediswheel.ErrInput, o.Attempts, rediswheel.AttemptsMax)
	}
	for _, d := range []struct {
		name         string
		value, least time.Duration
	}{{"lease", o.Lease, LeaseMin}, {"callback-time", o.CallbackTime, time.Millisecond}, {"retry", o.Retry, time.Millisecond},
		{"retry-max", o.RetryMax, time.Millisecond}, {"poll", o.Poll, time.Millisecond}, {"grace", o.Grace, time.Millisecond},
		{"log-every", o.LogEvery, time.Millisecond}} {
		if d.value < d.least || d.value > DurationMax {
			return fmt.Errorf("%w: %s: %v, expected %v to %v", rediswheel.ErrInput, d.name, d.value, d.least, DurationMax)
		}
	}
	o.PerHost = cmp.Or(o.PerHost, (o.Concurrency+1)/2)
	return o.fillReceivers()
}

// Worker delivers the tasks of a wheel. Any number of workers may serve one wheel, on any number of machines. The
// methods of a Worker may be called concurrently.
type Worker struct {
	wheel    *engine.Wheel // layout with which the wheel was opened
	o        Options
	id       string // unique ID of the worker
	http     *http.Client
	handlers []string // names of Options.Handlers, sorted
	pool     *pool
	suspect  suspect
	horizon  time.Duration // lateness above which a task is given up if its receiver does not answer: the sum of the waits between all attempts, without their random reductions

	// on is the layout of the wheel that the worker uses. The fields keepers, change and notify belong to it, and
	// are replaced by useLayout. Calls that began in an earlier layout may still run.
	on      *engine.Wheel
	keepers atomic.Pointer[[]*leaseKeeper] // one for each shard of the layout; each manages the tasks claimed from its shard
	change  context.CancelFunc             // called by renew when the layout is outdated; delivery then ends in this layout and continues in the new one
	notify  *notifier
	paused  atomic.Bool
	refused atomic.Int64 // Unix time in nanoseconds at which the worker last refused a task, because it may not call the address

	wrap                []func(Handler) Handler // see Use
	calls, done, failed atomic.Int64
	handled             sync.Map // name of a handler -> *handlerTotals
	ran                 atomic.Bool
	failures            [endings]failureLog
	trouble             rate.Sometimes // limits the log lines about errors of Redis
	away                atomic.Bool    // whether the last line about Redis was an error
	takenOver           atomic.Int64   // number of tasks taken over that are not logged yet
	dropped             drops
	recent              recentLate
	beats               heartbeats
}

// job is a claimed task and the call that the worker is to make for it.
type job struct {
	keeper   *leaseKeeper
	lease    *lease
	call     Call
	at       time.Time   // time of the reply to the claim; call.Late was computed for this time
	host     string      // name of the receiver, as returned by receiverOf
	end      func(error) // ends the call for the receiver; see admission
	refusals int         // number of earlier refusals of the task
}

// New returns a worker for wheel. Call [Worker.Run] to start it. If an option is invalid, the error
// wraps [rediswheel.ErrInput].
func New(wheel *rediswheel.Wheel, o Options) (*Worker, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	w := &Worker{wheel: engine.Of(wheel), o: o, id: fmt.Sprintf("%016x", rand.Uint64())}
	w.http = cmp.Or(o.Client, newClient(&o))
	w.handlers = slices.Sorted(maps.Keys(o.Handlers))
	if o.Default != nil {
		w.handlers = append(w.handlers, "") // of all tasks; see claim.lua
	}
	for failed := 1; failed < o.Attempts; failed++ {
		w.horizon += Backoff(o.Retry, o.RetryMax, failed, func(time.Duration) time.Duration { return 0 })
	}
	w.dropped.log.Interval, w.trouble.Interval = o.LogEvery, o.LogEvery
	for i := range w.failures {
		w.failures[i].Interval = o.LogEvery
	}
	w.pool = newPool(o.Concurrency, o.PerHost)
	w.pool.back, w.pool.free = w.putBack, w.slotFree
	w.useLayout(w.wheel.Latest())
	return w, nil
}

// share returns the maximum number of tasks that one claim of a shard requests. It is smaller if there are more shards,
// so that one claim whose reply is delayed does not reserve all the room in the pool.
func (w *Worker) share() int { return max(1, 2*w.o.Concurrency/len(*w.keepers.Load())) }

// heldMax returns the maximum number of tasks of a shard that the worker holds at a time: tasks that wait for a slot
// (see prefetchRounds), are being called, or have ended although Redis has not yet accepted their results.
func (w *Worker) heldMax() int { return (1 + prefetchRounds + 2) * w.o.Concurrency }

// Use wraps all handlers of w, so that wrap can log, measure or change their calls. Of several functions the one that was
// given first is the outermost. Use must be called before [Worker.Run].
func (w *Worker) Use(wrap ...func(Handler) Handler) { w.wrap = append(w.wrap, wrap...) }

// slotFree is called by the pool after a call has ended. It wakes the lease keepers that wait for a slot.
func (w *Worker) slotFree() {
	for _, h := range *w.keepers.Load() {
		if h.waitsForFree.Load() {
			wake(h.freed)
		}
	}
}

// Run delivers tasks until ctx is done. Then it stops claiming tasks, puts back those that it has not started, waits up
// to [Options.Grace] for running callbacks, and returns nil at most a second later. While Redis cannot be reached, Run
// keeps trying and logs the outage once. A second call to Run returns an error.
func (w *Worker) Run(ctx context.Context) error {
	if w.ran.Swap(true) {
		return errors.New("the worker was already run")
	}
	defer w.http.CloseIdleConnections()
	defer w.logDropped()
	defer w.startBeats(ctx)()
	if rule := w.wheel.Eviction(); rule != "" {
		w.o.Log.Warn("Redis drops tasks when its memory is full: its maxmemory-policy is " + rule + ", expected noeviction")
	}
	callCtx, hurry := context.WithCancel(context.WithoutCancel(ctx)) // cancelled after Grace
	defer hurry()
	sendCtx, abandon := context.WithCancel(context.WithoutCancel(ctx)) // cancelled lastResultsWait later
	defer abandon()
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(w.o.Grace, hurry)
		time.AfterFunc(w.o.Grace+lastResultsWait, abandon)
	})()
	w.pool.run = func(j *job) { w.attempt(callCtx, j) }
	w.serve(ctx, sendCtx)
	return nil
}

// deliver claims tasks of the layout that the worker uses, calls them and sends their results until ctx is done. It
// returns when no more tasks are claimed and those that wait for a slot were put back. The calls that run then, and the
// sending of their results, end in the group running. No more results are sent when sendCtx is done.
func (w *Worker) deliver(ctx, sendCtx context.Context, running *sync.WaitGroup) {
	var claimers sync.WaitGroup
	keepers := *w.keepers.Load()
	for _, h := range keepers {
		claimers.Go(func() { h.claimAll(ctx) })
		running.Go(func() { h.sendAllResults(sendCtx) })
	}
	claimers.Wait()
	w.pool.clear()
	for _, h := range keepers {
		running.Go(func() {
			h.calls.Wait()
			h.results.close()
		})
	}
}

// attempt makes the call for job j and stops it when callCtx is done. If no more tasks are claimed in the layout of j,
// or the task must no longer be called, attempt puts the task back, which has no effect if another worker has claimed it.
func (w *Worker) attempt(callCtx context.Context, j *job) {
	if why := j.skipReason(j.keeper.ctx); why != "" {
		w.pool.forgo(j)
		w.putBack(j, released, putBack{reason: why})
		return
	}
	j.call.Late += time.Since(j.at)
	w.calls.Add(1)
	count := w.countersOf(&j.call.Task)
	count.calls.Add(1)
	began := time.Now()
	err := w.do(callCtx, j.call)
	took, stopped := time.Since(began), err != nil && callCtx.Err() != nil
	w.pool.finish(j, took, !stopped && isNoResponse(err))
	if err == nil {
		count.done.Add(1)
	} else if !stopped {
		count.failed.Add(1)
	}
	j.keeper.put(w.resultOf(j, err, stopped))
}

// skipReason returns the reason why the task of j must no longer be called, or an empty string if it may be called.
func (j *job) skipReason(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return "its worker stopped"
	case !j.keeper.confirm(ctx, j.lease):
		return "its claim ended before its turn"
	}
	return ""
}

// putBack puts back a task that was not called. e is the outcome of the attempt, and p contains the wait and the
// reason. The task is given up instead if its receiver does not answer, it was attempted before, and it is more than
// Worker.horizon late.
func (w *Worker) putBack(j *job, e ending, p putBack) {
	r := result{lease: j.lease, end: e, attempt: j.call.Attempt, host: j.host}
	r.Wait, r.Reason = p.wait, p.reason
	if p.open && j.call.Attempt > 1 && j.call.Late > w.horizon {
		r.end, r.Reason = becameDead, "its receiver gave no answer for the time of all attempts"
		w.failed.Add(1)
	}
	j.keeper.put(r)
}

// resultOf returns the result of an attempt at j that ended with err, or succeeded if err is nil. stopped is true if
// the call was cancelled because the worker stops; the task is then put back.
func (w *Worker) resultOf(j *job, err error, stopped bool) result {
	r := result{lease: j.lease, attempt: j.call.Attempt, host: j.host, late: max(j.call.Late, 0)}
	if err == nil {
		w.done.Add(1)
		w.recent.note(r.late, time.Now())
		return r
	}
	r.Reason = connect.OneLine(err.Error())
	switch {
	case stopped:
		r.end, r.Reason = released, "its worker stopped in the middle of the call"
		return r
	case errors.Is(err, ErrPrivate) && j.refusals < refusalsMax:
		r.end, r.Wait = refused, Backoff(refusedWait, w.o.RetryMax, max(j.refusals-refusedFast, 0)+1, rand.N)
		w.refused.Store(time.Now().UnixNano())
	case errors.Is(err, ErrPrivate), w.permanent(err), j.call.Attempt >= w.o.attemptsOf(&j.call.Task):
		r.end = becameDead
	default:
		r.end, r.Wait = retried, w.retryWait(err, j.call.Attempt)
	}
	w.failed.Add(1)
	return r
}

// failureLog limits the log lines about attempts with one ending.
type failureLog struct {
	rate.Sometimes
	n atomic.Int64 // number of attempts since the last line
}

// logResult logs r, the result of an attempt that ended as kind, or counts it for a later line if another one was logged
// less than Options.LogEvery ago.
func (w *Worker) logResult(r *result, kind ending) {
	message := kind.message()
	if message == "" {
		return
	}
	l := &w.failures[kind]
	l.n.Add(1)
	l.Do(func() {
		w.o.Log.Warn(message, "key", r.lease.key, "where", r.host, "attempt", r.attempt, "reason", r.Reason, "times", l.n.Swap(0))
	})
}

// logClaim logs what is unusual about c: tasks that were taken over because their leases have lapsed, those of watchEvery
// in one line, and a foreign value.
func (w *Worker) logClaim(c *engine.Claim) {
	if c.Lapsed > 0 && w.takenOver.Add(c.Lapsed) == c.Lapsed {
		time.AfterFunc(watchEvery, func() {
			w.o.Log.Warn("tasks taken over whose leases have lapsed: their workers ended or were cut off", "tasks", w.takenOver.Swap(0))
		})
	}
	if c.Foreign != "" {
		w.o.Log.Warn("a value in Redis that this program did not write, removed or replaced", "value", connect.OneLine(c.Foreign))
	}
}

// report logs err, the error of a script, unless another one was logged less than Options.LogEvery ago. If err is nil
// and an error was logged, report logs that Redis answers again.
func (w *Worker) report(err error) {
	if err == nil {
		if w.away.Load() && w.away.Swap(false) {
			w.o.Log.Info("Redis answers again")
		}
		return
	}
	w.trouble.Do(func() {
		w.away.Store(true)
		w.o.Log.Error(connect.OneLine(connect.Explain(err, w.wheel.Addr()).Error()) + "; the worker keeps trying")
	})
}

// Totals contains the number of calls that a worker has made since it started, the number of those that
// succeeded, and the number of failures. Failed also counts tasks that could not be called.
type Totals struct {
	Calls, Done, Failed int64
}

// Totals returns the totals of w. It is safe for concurrent use.
func (w *Worker) Totals() Totals {
	return Totals{w.calls.Load(), w.done.Load(), w.failed.Load()}
}

// handlerTotals are the totals of one handler.
type handlerTotals struct{ calls, done, failed atomic.Int64 }

// countersOf returns the totals to which a call of task t belongs.
func (w *Worker) countersOf(t *rediswheel.Task) *handlerTotals {
	name := t.Handler
	if _, ok := w.o.Handlers[name]; !ok && name != "" {
		name = "default" // names come from the tasks: there may be any number
	}
	if c, ok := w.handled.Load(name); ok {
		return c.(*handlerTotals)
	}
	c, _ := w.handled.LoadOrStore(name, new(handlerTotals))
	return c.(*handlerTotals)
}

// HandlerTotals returns the totals of w by the name of the handler: "" for callbacks, and "default" for
// [Options.Default]. It is safe for concurrent use.
func (w *Worker) HandlerTotals() map[string]Totals {
	all := map[string]Totals{}
	w.handled.Range(func(name, c any) bool {
		h := c.(*handlerTotals)
		all[name.(string)] = Totals{h.calls.Load(), h.done.Load(), h.failed.Load()}
		return true
	})
	return all
}

// refuses reports whether the worker has recently refused a task because it is not allowed to call its address. If so,
// it claims later than others, so that they can claim the refused task first.
func (w *Worker) refuses() bool {
	return time.Since(time.Unix(0, w.refused.Load())) < refusedRecent
}
