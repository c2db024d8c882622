package timer

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/goroutine"
)

// job is a single call to a callback.
type job struct {
	f    func()
	due  wheel.Tick
	who  uintptr // identity of f (see function identity), which is kept when f is cleared
	runs uintptr // goroutine.ID of the goroutine that runs f; callWaits before f begins, callEnded after it has ended
}

// Values of job.runs that are not the number of a goroutine.
const (
	callWaits uintptr = 0
	callEnded uintptr = math.MaxUint
)

func newJob(f func(), due wheel.Tick) job { return job{f: f, due: due, who: identity(f)} }

// identity returns a number that identifies f. StopWait uses it to find the calls of a timer's function. Two function
// values have the same identity only if they are the same function or the same closure.
func identity(f func()) uintptr { return uintptr(*(*unsafe.Pointer)(unsafe.Pointer(&f))) }

// dueBatch is a batch of calls for an executor, or a single call of the function set by WithOnLate. It stays in
// outstanding.all until all its calls have ended.
type dueBatch struct {
	jobs  []job
	start func()       // runs the next call of the batch; each invocation runs one call
	begun atomic.Int64 // number of calls that start has begun
	left  atomic.Int64 // number of calls that have not ended
	at    int          // index of the batch in outstanding.all
}

// outstanding is the set of calls of a shard that have not ended: those that were passed to an executor other than
// Inline, and those of the function set by WithOnLate. (The calls of Inline are in the shard's callbackQueue.) The set
// is a list of batches, because calls begin and end often, but only methods such as StopWait and Shutdown search them.
// The driver locks outstanding.mu while it holds shard.mu, so outstanding.mu may only be held briefly: a method that
// examines calls copies the list and unlocks outstanding.mu first.
type outstanding struct {
	shard   *shard
	mu      sync.Mutex
	all     []*dueBatch
	spares  []*dueBatch // batches that are kept for reuse; their contents are cleared
	readers int         // number of goroutines that examine batches; while not 0, finished batches are not kept for reuse
}

// Bounds of the batches that are kept for reuse.
const (
	batchCapKept   = 1 << 12 // maximum capacity, in callbacks, of a batch that is kept for reuse
	freeBatchesMax = 4
)

// prepare allocates a spare batch if there is none, so that outstanding.hand need not allocate for up to advanceBudget
// calls. shard.mu must not be held, because an allocation may have to wait for the garbage collector.
func (o *outstanding) prepare() {
	o.mu.Lock()
	none := len(o.spares) == 0
	o.mu.Unlock()
	if !none {
		return
	}
	h := o.made(advanceBudget)
	o.mu.Lock()
	o.spares = append(o.spares, h)
	o.mu.Unlock()
}

// made returns a new, empty batch with capacity for n calls.
func (o *outstanding) made(n int) *dueBatch {
	h := &dueBatch{jobs: make([]job, 0, n)}
	h.start = func() { o.shard.call(h, int(h.begun.Add(1)-1)) }
	return h
}

// hand copies batch to a dueBatch, new or spare, adds the dueBatch to o.all, and returns it.
func (o *outstanding) hand(batch []job) *dueBatch {
	o.mu.Lock()
	defer o.mu.Unlock()
	var h *dueBatch
	if last := len(o.spares) - 1; last < 0 {
		h = o.made(len(batch))
	} else {
		h, o.spares[last] = o.spares[last], nil
		o.spares = o.spares[:last]
	}
	h.jobs = append(h.jobs, batch...)
	h.left.Store(int64(len(batch)))
	h.begun.Store(0)
	h.at = len(o.all)
	o.all = append(o.all, h)
	return h
}

// end records that the call h.jobs[at] has ended.
func (o *outstanding) end(h *dueBatch, at int) {
	h.jobs[at].f = nil
	atomic.StoreUintptr(&h.jobs[at].runs, callEnded)
	if h.left.Add(-1) == 0 {
		o.remove(h)
	}
}

func (o *outstanding) remove(h *dueBatch) {
	o.mu.Lock()
	defer o.mu.Unlock()
	last := len(o.all) - 1
	moved := o.all[last]
	o.all[h.at], moved.at = moved, h.at
	o.all[last] = nil
	o.all = o.all[:last]
	if cap(h.jobs) <= batchCapKept && len(o.spares) < freeBatchesMax && o.readers == 0 {
		h.jobs = h.jobs[:0]
		o.spares = append(o.spares, h)
	}
}

// count returns the number of calls that have not ended.
func (o *outstanding) count() (n int64) {
	all := o.read()
	defer o.readEnd()
	for _, h := range all {
		n += h.left.Load()
	}
	return n
}

// each calls f with the fields job.runs and job.who of every call that has not ended.
func (o *outstanding) each(f func(runs, who uintptr)) {
	all := o.read()
	defer o.readEnd()
	for _, h := range all {
		for k := range h.jobs {
			if runs := atomic.LoadUintptr(&h.jobs[k].runs); runs != callEnded {
				f(runs, h.jobs[k].who)
			}
		}
	}
}

// read returns a copy of o.all. The batches in it are not reused until readEnd is called.
func (o *outstanding) read() []*dueBatch {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.readers++
	return slices.Clone(o.all)
}

func (o *outstanding) readEnd() {
	o.mu.Lock()
	o.readers--
	o.mu.Unlock()
}

// eachCall calls f for every call of the shard that has not ended. runs is the goroutine.ID of the goroutine that runs
// the call, or callWaits if the call has not begun; who is the identity of its function (see identity).
func (s *shard) eachCall(f func(runs, who uintptr)) {
	s.out.each(f)
	s.callbacks.each(f)
}

// inCallback reports whether it is called from a callback of this wheel.
func (w *Wheel) inCallback() (inside bool) {
	here := goroutine.ID()
	for _, s := range w.shards {
		s.eachCall(func(runs, _ uintptr) { inside = inside || runs == here })
	}
	return inside
}

// callsOf reports whether any call to the function with the identity who (see identity) is running or has yet to begin.
func (s *shard) callsOf(who uintptr) (found bool) {
	s.eachCall(func(_, w uintptr) { found = found || w == who })
	return found
}

// Running returns the number of callbacks that are running, or waiting in the executor. It includes calls of the
// function set by [WithOnLate].
func (w *Wheel) Running() int {
	var n int64
	for _, s := range w.all() {
		n += s.out.count() + s.callbacks.count()
	}
	return int(n)
}

// Shortest and longest pause between two checks in function until.
const (
	pauseLeast = 20 * time.Microsecond
	pauseMost  = time.Millisecond
)

// until polls done at intervals of up to 1 ms, until it returns true. If ctx is done first, until returns ctx.Err().
func until(ctx context.Context, done func() bool) error {
	for pause := pauseLeast; !done(); pause = min(2*pause, pauseMost) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	return nil
}
