package worker

import (
	"slices"
	"sync"
	"time"
)

// Limits for tasks that wait in a worker.
const (
	prefetchBelow  = 20 * time.Millisecond  // average duration of callbacks below which a worker claims more tasks than it can call immediately
	prefetchRounds = 3                      // maximum number of waiting tasks per slot of the pool, if callbacks are very short
	queueWait      = 100 * time.Millisecond // time after which a claimed task whose call could not begin is put back
	sweepEvery     = 25 * time.Millisecond
	// skipFor is the duration of a period that begins when submit puts a task back because its receiver is busy or
	// does not answer. During this period the worker claims more tasks than it can call immediately, because some may
	// be put back, too.
	skipFor = time.Second
)

// pool makes the calls of a worker, at most size of them at a time. Claimed tasks wait in a queue until they can be
// called. A worker usually claims no more tasks than it can call immediately, because another worker may be able to
// call them. If callbacks are short, it claims some more, which wait in the queue.
type pool struct {
	size    int                         // maximum number of concurrent calls; Options.Concurrency
	run     func(*job)                  // function that handles a job; it must call finish or forgo
	back    func(*job, ending, putBack) // function that puts a task back into the wheel without a call
	free    func()                      // called after a call has ended, so that more tasks can be claimed
	answers func(host string)           // called with the name of a receiver that answers again after breakerFailures or more failures

	calls sync.WaitGroup

	mu       sync.Mutex
	work     chan *job // jobs for the goroutines that run them
	slots    int       // number of goroutines started to run jobs; at most size
	idle     int       // number of free slots; a slot is the permission to run one call
	reserved int       // maximum total number of tasks that the claims in flight may return
	queue    []*job
	hosts    *hosts
	took     time.Duration // moving average of the duration of callbacks; 0 if none has ended
	put      time.Time     // time at which submit last put a task back, because its receiver was busy or did not answer
	sweeping bool
}

// putBack describes how a task is put back: its wait until it may be claimed again, and the reason.
type putBack struct {
	wait   time.Duration
	reason string
	open   bool // whether the task is put back because the receiver does not answer
}

func newPool(size, perHost int) *pool {
	return &pool{size: size, idle: size, work: make(chan *job, size), hosts: newHosts(size, perHost)}
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
	} else if time.Since(p.put) < skipFor { // some will be put back at once; claim more so that others are found, too
		places += p.size / 8
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
	now := time.Now()
	switch a := p.hosts.admit(j.host, now); {
	case a.start && p.idle > 0:
		p.start(j, now)
	case a.start || a.soon:
		p.queue = append(p.queue, j)
		if !p.sweeping {
			p.sweeping = true
			time.AfterFunc(sweepEvery, p.sweep)
		}
	default:
		p.put = now
		p.back(j, deferred, p.hosts.putBack(j.host, a, now))
	}
}

func (p *pool) start(j *job, now time.Time) {
	p.idle--
	p.hosts.begin(j.host, now)
	p.calls.Add(1)
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
		p.calls.Done()
	}
}

// finish frees the slot of j after a call that took the given time, and starts waiting jobs. unanswered is whether
// the receiver failed to respond.
func (p *pool) finish(j *job, took time.Duration, unanswered bool) {
	p.mu.Lock()
	now := time.Now()
	again := p.hosts.end(j.host, took, unanswered, now)
	p.took = movingAverage(p.took, took)
	p.idle++
	p.next(now)
	p.mu.Unlock()
	if again {
		p.answers(j.host)
	}
	p.free()
}

// room returns how many more callbacks to the receiver host may begin now.
func (p *pool) room(host string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hosts.room(host, time.Now())
}

// tryNow permits an immediate callback to the receiver host, without the wait that follows unanswered callbacks. It
// is called when the receiver has answered another worker.
func (p *pool) tryNow(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts.closeBreaker(host, time.Now())
}

// forgo frees the slot of j without a call, because the task of j must no longer be called.
func (p *pool) forgo(j *job) {
	p.mu.Lock()
	now := time.Now()
	p.hosts.cancelBegin(j.host, now)
	p.idle++
	p.next(now)
	p.mu.Unlock()
	p.free()
}

// next starts waiting jobs while slots are free and the receivers of the jobs may be called. It runs whenever a call
// ends, and the queue may contain many consecutive jobs for one receiver. Therefore, if hosts.admit does not admit a
// job, next skips the following jobs for the same receiver without calling hosts.admit.
func (p *pool) next(now time.Time) {
	var waits *job // the last one that was not admitted
	for i := 0; i < len(p.queue) && p.idle > 0; {
		j := p.queue[i]
		if waits != nil && j.host == waits.host || !p.hosts.admit(j.host, now).start {
			waits = j
			i++
			continue
		}
		p.queue = slices.Delete(p.queue, i, i+1)
		p.start(j, now)
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
		if a := p.hosts.admit(j.host, now); !a.start && !a.soon {
			p.back(j, deferred, p.hosts.putBack(j.host, a, now))
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

// drain puts back the waiting tasks, waits until the running calls have ended, and ends the goroutines that run jobs.
// It is called when no more tasks are claimed.
func (p *pool) drain() {
	p.mu.Lock()
	for _, j := range p.queue {
		p.back(j, released, putBack{reason: "its worker stopped"})
	}
	p.queue = nil
	p.mu.Unlock()
	p.calls.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.work)
	p.work, p.slots = make(chan *job, p.size), 0
}
