package timer

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/wheelscope/wheelscope/wheel"
)

// job is one call of a callback.
type job struct {
	f    func()
	due  wheel.Tick
	who  uintptr // the identity of f; f itself is cleared when the call has ended
	runs uintptr // the goroutine that runs it; callWaits and callEnded are none
}

// Values of job.runs that are the number of no goroutine.
const (
	callWaits uintptr = 0
	callEnded uintptr = 1
)

func newJob(f func(), due wheel.Tick) job { return job{f: f, due: due, who: identity(f)} }

// identity returns a number that two function values share only if they are the same
// function and, of a closure, came from the same evaluation of it.
func identity(f func()) uintptr { return uintptr(*(*unsafe.Pointer)(unsafe.Pointer(&f))) }

// handed is a batch of calls given to an executor, until the last of them has ended.
type handed struct {
	jobs       []job
	left       atomic.Int64 // calls that have not ended
	next, prev *handed
}

// outstanding is the calls of a shard that were handed to an executor other than Inline and
// have not ended; those of Inline are in the shard's relay. It is searched by StopWait,
// Shutdown and Stats only, so that a call costs two stores and a subtraction.
type outstanding struct {
	mu    sync.Mutex
	first *handed
	spare *handed // kept for its memory
}

// handedKept bounds the batch that is kept for its memory.
const handedKept = 1 << 14

// hand records a batch, which it copies.
func (o *outstanding) hand(batch []job) *handed {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.spare
	if o.spare = nil; h == nil {
		h = &handed{}
	}
	h.jobs = append(h.jobs[:0], batch...)
	h.left.Store(int64(len(batch)))
	if h.next = o.first; h.next != nil {
		h.next.prev = h
	}
	o.first = h
	return h
}

// end records that a call of a batch has ended.
func (o *outstanding) end(h *handed, at int) {
	h.jobs[at].f = nil
	atomic.StoreUintptr(&h.jobs[at].runs, callEnded)
	if h.left.Add(-1) == 0 {
		o.remove(h)
	}
}

func (o *outstanding) remove(h *handed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if h.prev == nil {
		o.first = h.next
	} else {
		h.prev.next = h.next
	}
	if h.next != nil {
		h.next.prev = h.prev
	}
	h.next, h.prev = nil, nil
	if cap(h.jobs) <= handedKept {
		o.spare = h
	}
}

// count returns the number of calls that have not ended.
func (o *outstanding) count() (n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for h := o.first; h != nil; h = h.next {
		n += h.left.Load()
	}
	return n
}

// each calls f for the goroutine and the function of every call that has not ended.
func (o *outstanding) each(f func(runs, who uintptr)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for h := o.first; h != nil; h = h.next {
		for k := range h.jobs {
			if runs := atomic.LoadUintptr(&h.jobs[k].runs); runs != callEnded {
				f(runs, h.jobs[k].who)
			}
		}
	}
}

// eachCall calls f for the goroutine and the function of every call of the shard that has
// not ended.
func (s *shard) eachCall(f func(runs, who uintptr)) {
	s.out.each(f)
	s.relay.each(f)
}

// inCallback reports whether the caller is a callback of this wheel.
func (w *Wheel) inCallback() (inside bool) {
	here := goroutine()
	for _, s := range w.shards {
		s.eachCall(func(runs, _ uintptr) { inside = inside || runs == here })
	}
	return inside
}

// callsOf reports whether a call of the function has not ended.
func (s *shard) callsOf(who uintptr) (found bool) {
	s.eachCall(func(_, w uintptr) { found = found || w == who })
	return found
}

// Running returns the number of callbacks that run, or wait in the executor.
func (w *Wheel) Running() int {
	var n int64
	for _, s := range w.all() {
		n += s.out.count() + s.relay.count()
	}
	return int(n)
}

// Bounds of the pause between two looks at what still runs.
const (
	pauseLeast = 20 * time.Microsecond
	pauseMost  = time.Millisecond
)

// until waits until done returns true, or until ctx is done, whose error it returns then.
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
