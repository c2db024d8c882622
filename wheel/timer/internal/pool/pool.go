// Package pool runs functions in a bounded number of goroutines, which start when there is work and
// end when there is none. It is the executor that timer.Pool returns.
package pool

import "sync"

// queueKept is the minimum capacity, in callbacks, to which Pool.trim reduces the queue.
const queueKept = 1 << 10

// Pool runs callbacks in a bounded number of goroutines. It is safe for concurrent use.
type Pool struct {
	mu      sync.Mutex
	most    int      // maximum number of goroutines
	workers int      // number of running goroutines
	queue   []func() // callbacks that wait, from index head on
	head    int
}

// New returns a pool of at most n goroutines, or at most one if n is less than 1.
func New(n int) *Pool { return &Pool{most: max(1, n)} }

// Execute starts a goroutine that calls run or, if the maximum number of goroutines is running, adds run to the queue
// of callbacks.
func (p *Pool) Execute(run func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers < p.most {
		p.workers++
		go p.work(run)
		return
	}
	p.queue = append(p.queue, run)
}

// work calls run, and then the queued callbacks until none is left. If a callback ends its goroutine
// (runtime.Goexit), another goroutine replaces it.
func (p *Pool) work(run func()) {
	defer func() {
		if run != nil {
			go p.work(p.next())
		}
	}()
	for run != nil {
		run()
		run = p.next()
	}
}

// next removes and returns the callback that has waited longest. It returns nil if there is none;
// the calling goroutine then ends.
func (p *Pool) next() func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.head == len(p.queue) {
		p.workers--
		return nil
	}
	run := p.queue[p.head]
	p.queue[p.head] = nil
	p.head++
	if p.head > len(p.queue)/2 {
		p.trim()
	}
	return run
}

// trim removes the entries at the front of the queue that are no longer used, because Pool.next has taken their
// callbacks. It releases most of the queue's memory if few callbacks are left. Pool.next calls trim when more than half
// of the entries are unused, so trim moves at most one entry for each callback that was taken. p.mu must be held.
func (p *Pool) trim() {
	waiting := p.queue[p.head:]
	if c := cap(p.queue); c > queueKept && len(waiting) < c/8 {
		p.queue = append(make([]func(), 0, max(c/4, queueKept)), waiting...)
	} else {
		n := copy(p.queue, waiting)
		clear(p.queue[n:])
		p.queue = p.queue[:n]
	}
	p.head = 0
}
