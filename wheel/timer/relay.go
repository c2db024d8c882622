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
	told  int   // … of which so many at the front were looked at already: how late they are
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
	batch, told := r.next()
	at := 0
	defer func() {
		if len(batch) > 0 {
			r.again(batch[at:])
		}
	}()
	for len(batch) > 0 {
		if told < len(batch) {
			r.shard.tellLate(batch[told:])
		}
		for at = 0; at < len(batch); {
			r.shard.callAll(batch, &at)
		}
		batch, told = r.next()
		at = 0
	}
}

// next takes what is queued; nothing: the goroutine ends.
func (r *relay) next() (batch []job, told int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	batch, told = r.queue, r.told
	r.queue, r.told, r.spare = r.spare[:0], 0, batch
	if cap(batch) > relayKeeps {
		r.spare = nil
	}
	r.busy = len(batch) > 0
	return batch, told
}

// again puts the rest of a batch back to the front and goes on in another goroutine.
func (r *relay) again(rest []job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue, r.told, r.spare = append(append([]job(nil), rest...), r.queue...), len(rest), nil
	go r.work()
}
