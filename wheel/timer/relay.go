package timer

import (
	"sync"
	"sync/atomic"
)

// relayKeeps is how many jobs the memory of a batch may hold to be kept for the next.
const relayKeeps = 1 << 14

// relay runs the callbacks of a shard one after another, in a goroutine that begins
// when there is work and ends when there is none. The driver goes on meanwhile: a slow
// callback delays callbacks, never the wheel.
type relay struct {
	shard *shard
	at    atomic.Int64 // the next job of the batch: the one before it runs

	mu    sync.Mutex
	busy  bool
	runs  uintptr // the goroutine that runs the batch
	batch []job
	queue []job // bounded by the timers that fired
	noted int   // so many at the front of the queue are in the lateness figures already
	spare []job
}

// take queues a batch, which it copies.
func (r *relay) take(batch []job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = append(r.queue, batch...)
	if !r.busy {
		r.busy = true
		go r.work()
	}
}

// work runs what is queued until nothing is. A callback that ends its goroutine
// (runtime.Goexit) ends only itself: another goroutine goes on behind it.
func (r *relay) work() {
	batch, noted := r.next()
	defer func() {
		if len(batch) > 0 {
			r.again(batch[r.at.Load():])
		}
	}()
	for len(batch) > 0 {
		if noted < len(batch) {
			r.shard.noteLate(batch[noted:])
		}
		for r.at.Load() < int64(len(batch)) {
			r.callAll(batch)
		}
		batch, noted = r.next()
	}
}

// callAll runs a batch from at on, up to its end or to a call that does not return: after a
// panic the caller goes on behind it.
func (r *relay) callAll(batch []job) {
	defer r.shard.recovered()
	for at := r.at.Load(); at < int64(len(batch)); at++ {
		f := batch[at].f
		batch[at].f = nil // nothing is kept alive by a callback that is over
		r.at.Store(at + 1)
		r.shard.owner.invoke(f)
	}
}

// next takes what is queued; nothing: the goroutine ends.
func (r *relay) next() (batch []job, noted int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	batch, noted = r.queue, r.noted
	r.queue, r.noted, r.spare = r.spare[:0], 0, batch
	if cap(batch) > relayKeeps {
		r.spare = nil
	}
	r.batch, r.runs = batch, goroutine()
	r.at.Store(0)
	r.busy = len(batch) > 0
	return batch, noted
}

// again puts the rest of a batch back to the front and goes on in another goroutine.
func (r *relay) again(rest []job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue, r.noted, r.spare = append(append([]job(nil), rest...), r.queue...), len(rest), nil
	r.batch = nil
	r.at.Store(0)
	go r.work()
}

// begun returns the index of the job that runs, or of the first if none does. The lock is
// held.
func (r *relay) begun() int64 { return max(0, r.at.Load()-1) }

// count returns the number of calls that have not ended.
func (r *relay) count() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(len(r.queue)+len(r.batch)) - min(r.begun(), int64(len(r.batch)))
}

// each calls f for the goroutine and the function of every call that has not ended.
func (r *relay) each(f func(runs, who uintptr)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun, running := r.begun(), r.at.Load() > 0
	for k := begun; k < int64(len(r.batch)); k++ {
		if running && k == begun {
			f(r.runs, r.batch[k].who)
		} else {
			f(callWaits, r.batch[k].who)
		}
	}
	for k := range r.queue {
		f(callWaits, r.queue[k].who)
	}
}
