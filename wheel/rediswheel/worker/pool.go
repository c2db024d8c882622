package worker

import (
	"slices"
	"sync"
	"time"
)

// Limits for tasks that wait in a worker.
const (
	prefetchBelow  = 20 * time.Millisecond  // average duration of callbacks below which a worker claims more tasks than it can call immediately
	prefetchRounds = 3                      // limit of waiting tasks per slot; fewer if their calls exceed prefetchBelow
	queueWait      = 100 * time.Millisecond // time after which a claimed task whose call could not begin is put back
	sweepEvery     = queueWait / 4
)

// pool makes the calls of a worker. Each call takes one of size slots while it runs. Claimed tasks wait for a slot in a
// queue. A worker usually claims no more tasks than it has free slots, because another worker may have free slots for
// them. If callbacks are short, it claims some more.
type pool struct {
	size int                         // maximum number of concurrent calls; Options.Concurrency
	run  func(*job)                  // function that handles a job; it must call finish or forgo
	back func(*job, ending, putBack) // function that puts a task back into the wheel without a call
	free func()                      // called after a call has ended, so that more tasks can be claimed

	mu       sync.Mutex
	work     chan *job // jobs for the goroutines that run them
	slots    int       // number of goroutines that have been started to run jobs; at most size
	idle     int       // number of free slots: calls that can begin now
	reserved int       // maximum total number of tasks that the claims in flight may return
	queue    []*job
	hosts    *receivers
	took     time.Duration // moving average of the duration of callbacks; 0 if none has ended
	sweeping bool
}

// putBack describes how a task is put back: its wait until it may be claimed again, and the reason.
type putBack struct {
	wait   time.Duration
	reason string
	open   bool // whether the task is put back because the receiver does not answer
}

func newPool(size, perHost int) *pool {
	return &pool{size: size, idle: size, work: make(chan *job, size), hosts: newReceivers(perHost)}
}

// reserve reserves room for the tasks of a claim and returns the number of tasks, which is at most limit. If there is
// room for fewer than least tasks, it reserves none and returns 0. The caller must call release after it has
// submitted the tasks.
func (p *pool) reserve(least, limit int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	places := p.idle - len(p.queue) - p.reserved
	if p.took > 0 && p.took < prefetchBelow {
		places += p.size * int(min(prefetchBelow/p.took, prefetchRounds))
	}
	n := min(limit, places)
	if n < max(least, 1) {
		return 0
	}
	p.reserved += n
	return n
}

// busy reports whether other workers should claim before this one, because few slots of this worker are free
// and its callbacks are not short (see prefetchBelow).
func (p *pool) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.idle < p.size/4 && (p.took == 0 || p.took >= prefetchBelow)
}

func (p *pool) release(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reserved -= n
}

// submit starts the call for the claimed task j, queues the task until a slot is free, or puts it back if its receiver
// is busy or does not answer.
func (p *pool) submit(j *job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle > 0 {
		a := p.hosts.admit(j.host, time.Now())
		if a.reason == "" {
			p.start(j, a)
			return
		}
		if !a.soon {
			p.back(j, deferred, a.putBack())
			return
		}
	}
	p.queue = append(p.queue, j)
	if !p.sweeping {
		p.sweeping = true
		time.AfterFunc(sweepEvery, p.sweep)
	}
}

// putBack returns how a task is put back that was not admitted.
func (a *admission) putBack() putBack {
	return putBack{wait: putBackWait(), reason: a.reason, open: a.reason == reasonOpen}
}

func (p *pool) start(j *job, a admission) {
	p.idle--
	j.end = a.end
	j.keeper.calls.Add(1)
	p.work <- j // does not block: at most size calls run at a time
	if p.size-p.idle > p.slots {
		p.slots++
		go p.slot(p.work)
	}
}

// slot runs the jobs from the channel work, one after another, until work is closed. It has a goroutine of its own: if
// each job had a new goroutine, every one of these goroutines would have to grow its stack.
func (p *pool) slot(work <-chan *job) {
	for j := range work {
		p.run(j)
		j.keeper.calls.Done()
	}
}

// finish frees the slot of j after a call that took the given time, and starts waiting jobs. unanswered is whether
// the receiver failed to respond.
func (p *pool) finish(j *job, took time.Duration, unanswered bool) {
	p.mu.Lock()
	p.took = movingAverage(p.took, took)
	p.mu.Unlock()
	var err error
	if unanswered {
		err = errNoAnswer
	}
	p.vacate(j, err)
}

// vacate frees the slot of j and starts waiting jobs. err is the result of the call for the circuit breaker of the
// receiver.
func (p *pool) vacate(j *job, err error) {
	p.mu.Lock()
	j.end(err)
	p.idle++
	p.next(time.Now())
	p.mu.Unlock()
	p.free()
}

// forgo frees the slot of j without a call, because the task of j must no longer be called.
func (p *pool) forgo(j *job) { p.vacate(j, errNotCalled) }

// next starts waiting jobs while slots are free and the receivers of the jobs may be called. It runs whenever a call
// ends, and the queue may contain many consecutive jobs for one receiver. Therefore, if a receiver may not be called,
// next skips the following jobs for the same receiver.
func (p *pool) next(now time.Time) {
	var waits *job // the last one that was not admitted
	for i := 0; i < len(p.queue) && p.idle > 0; {
		j := p.queue[i]
		if waits != nil && j.host == waits.host {
			i++
			continue
		}
		a := p.hosts.admit(j.host, now)
		if a.reason != "" {
			waits = j
			i++
			continue
		}
		p.queue = slices.Delete(p.queue, i, i+1)
		p.start(j, a)
	}
}

// sweep puts back tasks that have waited in the queue for longer than queueWait, because another worker may have a free
// slot for them. A timer calls it every sweepEvery while tasks wait.
func (p *pool) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.next(now)
	left := p.queue[:0]
	for _, j := range p.queue {
		if now.Sub(j.at) < queueWait {
			left = append(left, j)
			continue
		}
		if p.idle > 0 { // otherwise next has started it
			p.back(j, deferred, putBack{wait: putBackWait(), reason: reasonBusy})
		} else {
			p.back(j, released, putBack{reason: "its worker had no slot free in time"})
		}
	}
	clear(p.queue[len(left):])
	p.queue = left
	if p.sweeping = len(p.queue) > 0; p.sweeping {
		time.AfterFunc(sweepEvery, p.sweep)
	}
}

// clear puts back the waiting tasks. It is called when no more tasks are claimed.
func (p *pool) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, j := range p.queue {
		p.back(j, released, putBack{reason: "its worker stopped"})
	}
	p.queue = nil
}

// close ends the goroutines that run jobs, when all calls have ended.
func (p *pool) close() { close(p.work) }
