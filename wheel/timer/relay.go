package timer

import "sync"

// relayKeeps is how many jobs the memory of a batch may hold to be kept for the next.
const relayKeeps = 1 << 14

// relay runs the callbacks of a shard one after another, in a goroutine that begins
// when there is work and ends when there is none. The driver goes on meanwhile: a slow
// callback delays callbacks, never channels.
type relay struct {
	shard *shard

	mu    sync.Mutex
	busy  bool
	queue []job // bounded by the timers that fired
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
	batch, at := r.next(), 0
	defer func() {
		if len(batch) > 0 {
			r.again(batch[at:])
		}
	}()
	for len(batch) > 0 {
		r.shard.tellLate(batch)
		for at = 0; at < len(batch); {
			f := batch[at].f
			batch[at] = job{} // nothing is kept alive by a callback that is over
			at++
			r.shard.call(f)
		}
		batch, at = r.next(), 0
	}
}

// next takes what is queued; nothing: the goroutine ends.
func (r *relay) next() []job {
	r.mu.Lock()
	defer r.mu.Unlock()
	batch := r.queue
	r.queue, r.spare = r.spare[:0], batch
	if cap(batch) > relayKeeps {
		r.spare = nil
	}
	r.busy = len(batch) > 0
	return batch
}

// again puts the rest of a batch back to the front and goes on in another goroutine.
func (r *relay) again(rest []job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue, r.spare = append(append([]job(nil), rest...), r.queue...), nil
	go r.work()
}
