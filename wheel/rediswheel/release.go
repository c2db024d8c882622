package rediswheel

import (
	"context"
	"maps"
	"sync"
	"time"
)

const (
	deferredKept = 2 * backAtOpen        // after which tasks that were put back have come back by themselves
	releaseAgain = 50 * time.Millisecond // before tasks are released if enough are due
)

// deferrals is the receivers because of which this worker has put tasks of a shard back. When such a receiver may
// have more callbacks again, its tasks are released: their wait, of up to backAtOpen, is over. The tasks that
// other workers have put back are released with them.
//
// Only this makes a wait shorter. What is not released, because its worker is gone or Redis did not answer,
// becomes due when its wait is over.
type deferrals struct {
	mu    sync.Mutex
	hosts map[string]deferral
}

// deferral is what is known of the tasks of one receiver that were put back.
type deferral struct {
	last    time.Time // when the last was put back
	answers bool      // the receiver answers again, which other workers do not know yet
}

// note notes that a task was put back because of a receiver; an empty host: for another reason.
func (d *deferrals) note(host string) {
	if host == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hosts == nil {
		d.hosts = map[string]deferral{}
	}
	d.hosts[host] = deferral{time.Now(), d.hosts[host].answers}
}

// any reports whether tasks wait for their receiver.
func (d *deferrals) any() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.hosts) > 0
}

// answered notes that a receiver answers again.
func (d *deferrals) answered(host string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one, ok := d.hosts[host]; ok {
		one.answers = true
		d.hosts[host] = one
	}
}

// list returns the receivers that tasks wait for.
func (d *deferrals) list() map[string]deferral {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.hosts, func(_ string, one deferral) bool { return time.Since(one.last) > deferredKept })
	return maps.Clone(d.hosts)
}

// released notes what a release has done: whether tasks are left, and other workers know that the receiver answers.
func (d *deferrals) released(host string, left bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one := d.hosts[host]; left {
		d.hosts[host] = deferral{last: one.last}
	} else {
		delete(d.hosts, host)
	}
}

// receiverAnswers notes that a receiver answers again.
func (w *Worker) receiverAnswers(host string) {
	for _, h := range w.holders {
		h.deferred.answered(host)
	}
}

// release makes tasks due whose receiver may have more callbacks, no more of them than that. It is called by the
// goroutine that puts tasks back: what was put back before a receiver answered is among them.
func (h *holder) release(ctx context.Context) {
	if h.w.paused.Load() {
		return
	}
	for host, one := range h.deferred.list() {
		room := h.w.pool.room(host)
		if room == 0 {
			continue
		}
		shards := len(h.w.holders)
		most := min((room+shards-1)/shards, BatchMax)
		script, cancel := context.WithTimeout(ctx, scriptWait)
		r, err := await(script, func() (Release, error) {
			return h.shard.Release(script, host, most, one.answers, reasonBusy, reasonOpen)
		})
		cancel()
		if err != nil {
			return // it is tried again after the next results
		}
		h.deferred.released(host, r.Left > 0)
		if r.Left > 0 && r.Released > 0 {
			wake(h.results.ready)
		} else if r.Left > 0 {
			time.AfterFunc(releaseAgain, func() { wake(h.results.ready) })
		}
	}
}
