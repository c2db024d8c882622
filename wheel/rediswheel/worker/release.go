package worker

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

const (
	deferredKept = 2 * openWaitMax       // time for which a receiver is remembered after its last task was put back
	releaseAgain = 50 * time.Millisecond // wait before another release if tasks still wait for a receiver and the last release made none of them due
)

// deferrals is the set of receivers that were unavailable when this worker put back tasks of a shard. As soon as such a
// receiver may have more callbacks, its tasks are released: they become due before their wait, of up to openWaitMax,
// has passed. This includes tasks that other workers have put back.
//
// A release only shortens waits. A task that is not released, because its worker has died or Redis
// did not answer, becomes due after its wait.
type deferrals struct {
	mu    sync.Mutex
	hosts map[string]deferral
}

// deferral describes the tasks of one receiver that this worker has put back.
type deferral struct {
	last    time.Time // time at which the last task was put back
	answers bool      // whether the receiver answers again and other workers have not been notified of that yet
}

// note records that a task was put back because the receiver host was not available. It does nothing if host is empty.
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

// any reports whether there may be tasks that wait for some receiver.
func (d *deferrals) any() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.hosts) > 0
}

// answered records that the receiver host answers again, so that its tasks can be released.
func (d *deferrals) answered(host string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one, ok := d.hosts[host]; ok {
		one.answers = true
		d.hosts[host] = one
	}
}

// list returns a copy of the receivers that tasks wait for, by name. It first removes those whose tasks are all due.
func (d *deferrals) list() map[string]deferral {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.hosts, func(_ string, one deferral) bool { return time.Since(one.last) > deferredKept })
	return maps.Clone(d.hosts)
}

// released records that tasks of the receiver host were made due and that other workers were notified. left is whether
// other tasks still wait for the receiver; if not, the receiver is forgotten.
func (d *deferrals) released(host string, left bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one := d.hosts[host]; left {
		d.hosts[host] = deferral{last: one.last}
	} else {
		delete(d.hosts, host)
	}
}

// receiverAnswers records, for all shards, that the receiver host answers again.
func (w *Worker) receiverAnswers(host string) {
	for _, h := range w.leaseKeepers {
		h.deferred.answered(host)
	}
}

// release makes tasks due that were put back because of a receiver to which more callbacks may begin now. The number of
// these tasks is at most the number of such callbacks, divided by the number of shards and rounded up. release must run
// on the goroutine that sends results, so that it finds every task that was put back before the receiver answered.
func (h *leaseKeeper) release(ctx context.Context) {
	if h.w.paused.Load() {
		return
	}
	for host, one := range h.deferred.list() {
		room := h.w.pool.room(host)
		if room == 0 {
			continue
		}
		shards := len(h.w.leaseKeepers)
		most := min((room+shards-1)/shards, BatchMax)
		script, cancel := context.WithTimeout(ctx, scriptWait)
		r, err := await(script, func() (rediswheel.Release, error) {
			return h.shard.Release(script, host, most, one.answers, reasonBusy, reasonOpen)
		})
		cancel()
		if err != nil {
			return // the next results try again
		}
		h.deferred.released(host, r.Left > 0)
		if r.Left > 0 && r.Released > 0 {
			wake(h.results.ready)
		} else if r.Left > 0 {
			time.AfterFunc(releaseAgain, func() { wake(h.results.ready) })
		}
	}
}
