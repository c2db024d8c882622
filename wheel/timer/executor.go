package timer

import "sync"

// An Executor says where a callback runs. It is called by a wheel's drivers, several at
// once, and must return soon; run never panics.
type Executor func(run func())

// Inline runs callbacks in the driver, one after another: the cheapest, for callbacks
// that are short. A slow one delays the timers of its shard.
func Inline(run func()) { run() }

// Goroutines runs each callback in a goroutine of its own.
func Goroutines(run func()) { go run() }

// Pool runs callbacks in at most n goroutines (n ≥ 1), in order of expiry; the rest
// wait in a queue, whose length is bounded by the timers that fired. Goroutines are
// started when there is work and end when there is none.
func Pool(n int) Executor {
	p := &pool{most: max(1, n)}
	return p.execute
}

type pool struct {
	mu      sync.Mutex
	most    int
	workers int
	queue   []func()
	head    int
}

func (p *pool) execute(run func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers < p.most {
		p.workers++
		go p.work(run)
		return
	}
	p.queue = append(p.queue, run)
}

// work runs callbacks until none waits.
func (p *pool) work(run func()) {
	for run != nil {
		run()
		run = p.next()
	}
}

// next takes the callback that has waited longest, nil where there is none and the
// worker ends.
func (p *pool) next() func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.head == len(p.queue) {
		p.queue, p.head = p.queue[:0], 0
		p.workers--
		return nil
	}
	run := p.queue[p.head]
	p.queue[p.head] = nil
	p.head++
	return run
}
