package timer

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/wheelscope/wheelscope/wheel/timer/internal/goroutine"
)

// Limits for the capacity of a queuePart, in calls.
const (
	queueCapMin  = 64
	queueCapKept = advanceBudget // maximum capacity, in calls, of a queuePart that is kept for reuse
)

// callbackQueue runs the callbacks of a shard one after another, in a goroutine that starts when there is work and
// ends when there is none. The driver does not wait for this goroutine, so a slow callback delays the later callbacks
// of the shard but never the wheel.
//
// The queue is a list of parts, so it grows without copying calls. The driver locks callbackQueue.mu while it holds
// shard.mu, so callbackQueue.mu may only be held briefly: a method that examines the calls of several parts unlocks
// callbackQueue.mu after each part.
type callbackQueue struct {
	shard *shard
	at    atomic.Int64 // index in part.jobs of the next call to run; the call before it, if there is one, is running

	mu    sync.Mutex
	busy  bool
	runs  uintptr    // goroutine.ID of the goroutine that runs the calls; only valid while busy is true
	part  *queuePart // part whose calls are being run; nil means none
	queue []*queuePart
	spare *queuePart // empty part that is kept for reuse; nil means none
}

// queuePart is one part of a callbackQueue: calls in the order in which they were queued.
type queuePart struct {
	jobs   []job
	number uint64 // sequence number of the part: 1 more than that of the previous part; used by callbackQueue.eachFrom
	noted  int    // number of leading elements of jobs whose lateness was already recorded (see shard.noteLate)
}

// prepare allocates a spare part if there is none, so that callbackQueue.take need not allocate for a batch of up to
// advanceBudget calls. shard.mu must not be held, because an allocation may have to wait for the garbage collector.
func (r *callbackQueue) prepare() {
	r.mu.Lock()
	none := r.spare == nil
	r.mu.Unlock()
	if !none {
		return
	}
	p := &queuePart{jobs: make([]job, 0, queueCapKept)}
	r.mu.Lock()
	r.spare = p
	r.mu.Unlock()
}

// take appends a copy of batch to the queue. If no goroutine is running the queue, take starts one.
func (r *callbackQueue) take(batch []job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.last()
	if last == nil || cap(last.jobs)-len(last.jobs) < len(batch) {
		last = r.add(len(batch))
	}
	last.jobs = append(last.jobs, batch...)
	if !r.busy {
		r.busy = true
		go r.work()
	}
}

// last returns the part that was queued last, or nil if the queue is empty. r.mu must be held.
func (r *callbackQueue) last() *queuePart {
	if len(r.queue) == 0 {
		return nil
	}
	return r.queue[len(r.queue)-1]
}

// add appends an empty part with a capacity of at least n calls to the queue, and returns it. r.mu must be held.
func (r *callbackQueue) add(n int) *queuePart {
	number := uint64(1)
	if last := r.last(); last != nil {
		number += last.number
	} else if r.part != nil {
		number += r.part.number
	}
	p := r.spare
	if r.spare = nil; p == nil || cap(p.jobs) < n {
		p = &queuePart{jobs: make([]job, 0, max(n, queueCapMin))}
	}
	p.number = number
	r.queue = append(r.queue, p)
	return p
}

// work runs calls until the queue is empty. If a callback ends its goroutine (runtime.Goexit),
// another goroutine continues with the next call.
func (r *callbackQueue) work() {
	p := r.next()
	defer func() {
		if p != nil {
			go r.work()
		}
	}()
	for p != nil {
		if p.noted < len(p.jobs) {
			r.shard.noteLate(p.jobs[p.noted:])
			p.noted = len(p.jobs)
		}
		for r.at.Load() < int64(len(p.jobs)) {
			r.callAll(p.jobs)
		}
		if p = r.next(); p != nil {
			runtime.Gosched() // parts may be many: lets other goroutines run in between
		}
	}
}

// callAll runs the calls jobs[r.at:] one after another. If a call panics, callAll recovers and
// returns; work then calls it again for the remaining calls.
func (r *callbackQueue) callAll(jobs []job) {
	defer r.shard.recovered()
	for at := r.at.Load(); at < int64(len(jobs)); at++ {
		f := jobs[at].f
		jobs[at].f = nil // a callback that has ended must not keep its function alive
		r.at.Store(at + 1)
		r.shard.owner.invoke(f)
	}
}

// next returns the part whose calls r.work runs next: the rest of the current part or, if nothing is left of it, the
// next part of the queue. It returns nil if there is none; r.work then returns.
func (r *callbackQueue) next() *queuePart {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.part; p != nil {
		if at := r.at.Load(); at < int64(len(p.jobs)) {
			p.jobs, p.noted = p.jobs[at:], len(p.jobs)-int(at)
		} else {
			r.part = nil
			r.keep(p)
		}
	}
	if r.part == nil && len(r.queue) > 0 {
		r.part, r.queue[0] = r.queue[0], nil
		r.queue = r.queue[1:]
	}
	r.runs, r.busy = goroutine.ID(), r.part != nil
	r.at.Store(0)
	return r.part
}

// keep saves the finished part p for reuse, unless it is too large or another part is already kept. r.mu must be held.
func (r *callbackQueue) keep(p *queuePart) {
	if r.spare == nil && cap(p.jobs) <= queueCapKept {
		p.jobs, p.noted = p.jobs[:0], 0
		r.spare = p
	}
}

// begun returns the index in part.jobs of the running call, or 0 if no call of part has begun. r.mu must be held.
func (r *callbackQueue) begun() int64 { return max(0, r.at.Load()-1) }

// count returns the number of calls that are running or wait in the queue.
func (r *callbackQueue) count() (n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.part != nil {
		n = int64(len(r.part.jobs)) - r.begun()
	}
	for _, p := range r.queue {
		n += int64(len(p.jobs))
	}
	return n
}

// each calls f for every call that has not ended. runs is the goroutine.ID of the goroutine that runs the call, or
// callWaits if the call has not begun; who is the identity of its function. Calls queued meanwhile may be missed.
func (r *callbackQueue) each(f func(runs, who uintptr)) {
	for number, end := r.numbers(); number <= end; {
		number = r.eachFrom(number, f)
	}
}

// numbers returns the sequence numbers of the first and the last part, or 1 and 0 if there is none.
func (r *callbackQueue) numbers() (first, last uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first = 1
	if p := r.last(); p != nil {
		first, last = r.queue[0].number, p.number
	}
	if p := r.part; p != nil {
		first, last = p.number, max(last, p.number)
	}
	return first, last
}

// eachFrom finds the first part whose sequence number is at least the given number, and calls f, as callbackQueue.each
// does, for every call of this part that has not ended. It returns the number to pass to the next call to eachFrom, or
// math.MaxUint64 if it finds no part.
func (r *callbackQueue) eachFrom(number uint64, f func(runs, who uintptr)) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.part; p != nil && p.number >= number {
		begun, running := r.begun(), r.at.Load() > 0
		for k := begun; k < int64(len(p.jobs)); k++ {
			runs := callWaits
			if running && k == begun {
				runs = r.runs
			}
			f(runs, p.jobs[k].who)
		}
		return p.number + 1
	}
	if len(r.queue) == 0 {
		return math.MaxUint64
	}
	p := r.queue[min(uint64(len(r.queue)-1), max(number, r.queue[0].number)-r.queue[0].number)]
	for k := range p.jobs {
		f(callWaits, p.jobs[k].who)
	}
	return max(number, p.number) + 1
}
