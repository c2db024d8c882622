package rediswheel

import (
	"sync"
	"time"
)

// Bounds of what waits in a worker.
const (
	prefetchBelow  = 20 * time.Millisecond  // the time of a callback up to which tasks are claimed ahead
	prefetchRounds = 2                      // for each slot so many at most, fewer if they would begin after prefetchBelow
	queueWait      = 100 * time.Millisecond // after which a task that is not called is given back
	sweepEvery     = 25 * time.Millisecond
	skipFor        = time.Second // after a task was put back because of its receiver, more are claimed
)

// pool is the slots in which a worker makes its calls, and the tasks that wait for one. Only tasks
// that a slot is free for are claimed, and some ahead if callbacks are short: what waits here
// could be called by another worker.
type pool struct {
	size    int
	run     func(*job)                  // makes a call
	back    func(*job, ending, putBack) // puts a task back
	free    func()                      // says that slots are free
	answers func(host string)           // says that a receiver answers again

	calls sync.WaitGroup

	mu       sync.Mutex
	work     chan *job // calls that begin
	slots    int       // goroutines that make them
	idle     int       // slots
	reserved int       // places for the answers of claims under way
	queue    []*job
	hosts    *hosts
	took     time.Duration // smoothed time of a callback
	put      time.Time     // when a task was last put back because of its receiver
	sweeping bool
}

// putBack is how a task is put back: after a wait, with a reason.
type putBack struct {
	wait   time.Duration
	reason string
	open   bool // because its receiver gives no answer
}

func newPool(size, perHost int) *pool {
	return &pool{size: size, idle: size, work: make(chan *job, size), hosts: newHosts(size, perHost)}
}

// reserve reserves places for up to most tasks, or none if there are fewer than least.
// Once they were submitted, or none came, the places are given back by release.
func (p *pool) reserve(least, most int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	places := p.idle - len(p.queue) - p.reserved
	if p.took > 0 && p.took < prefetchBelow {
		places += p.size * int(min(prefetchBelow/p.took, prefetchRounds))
	} else if time.Since(p.put) < skipFor { // some will be put back at once, and keep no others from being found
		places += p.size / 8
	}
	n := min(most, places)
	if n < max(least, 1) {
		return 0
	}
	p.reserved += n
	return n
}

// busy reports whether few slots are left, so that another worker had better take what comes.
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

// submit takes a claimed task: it is called, waits, or is put back.
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
	p.work <- j // has room: no more than size calls are made at a time
	if p.size-p.idle > p.slots {
		p.slots++
		go p.slot(p.work)
	}
}

// slot makes calls, one after the other. A new goroutine for each would have to grow its stack each time.
func (p *pool) slot(work <-chan *job) {
	for j := range work {
		p.run(j)
		p.calls.Done()
	}
}

// finish gives a slot back after a call.
func (p *pool) finish(j *job, took time.Duration, unanswered bool) {
	p.mu.Lock()
	now := time.Now()
	again := p.hosts.end(j.host, took, unanswered, now)
	p.took = smooth(p.took, took)
	p.idle++
	p.next(now)
	p.mu.Unlock()
	if again {
		p.answers(j.host)
	}
	p.free()
}

// room returns how many more callbacks of a receiver may run.
func (p *pool) room(host string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hosts.room(host, time.Now())
}

// tryNow lets a callback try a receiver at once that gave no answer.
func (p *pool) tryNow(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts.tryNow(host, time.Now())
}

// forgo gives a slot back without a call.
func (p *pool) forgo(j *job) {
	p.mu.Lock()
	now := time.Now()
	p.hosts.forgo(j.host, now)
	p.idle++
	p.next(now)
	p.mu.Unlock()
	p.free()
}

// next starts what waits, as far as there are slots.
func (p *pool) next(now time.Time) {
	left := p.queue[:0]
	for i, j := range p.queue {
		if p.idle == 0 {
			left = append(left, p.queue[i:]...)
			break
		}
		if p.hosts.admit(j.host, now).start {
			p.start(j, now)
			continue
		}
		left = append(left, j)
	}
	clear(p.queue[len(left):])
	p.queue = left
}

// sweep gives back what has waited too long: another worker may have a slot for it.
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

// drain gives back what waits, waits for the calls that are under way, and ends the slots.
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
