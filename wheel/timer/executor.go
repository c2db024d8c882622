package timer

import (
	"runtime/debug"
	"sync"
)

// An Executor says where callbacks run. It is called by a wheel's drivers, several at
// once, and must return soon; run never panics.
type Executor interface {
	Execute(run func())
}

// ExecutorFunc is a function as an Executor: a program's own pool, for instance.
type ExecutorFunc func(run func())

// Execute calls f.
func (f ExecutorFunc) Execute(run func()) { f(run) }

// Inline runs the callbacks of a shard one after another, in order of expiry and
// without an allocation: the cheapest, for callbacks that are short. A slow one delays
// those of its shard behind it, and nothing else.
var Inline Executor = inline{}

// Goroutines runs each callback in a goroutine of its own.
var Goroutines Executor = goroutines{}

type inline struct{}

func (inline) Execute(run func()) { run() }

type goroutines struct{}

func (goroutines) Execute(run func()) { go run() }

// call runs one callback, which is counted as running, and lives through its panic. One
// whose timer was stopped meanwhile is only counted.
func (s *shard) call(j job) {
	defer s.ended()
	if j.live() {
		j.f()
	}
}

// callAll is call for a batch, from *at on, up to its end or to one that does not return:
// after a panic the caller goes on behind it.
func (s *shard) callAll(batch []job, at *int) {
	defer s.ended() // of the last
	for first := *at; *at < len(batch); {
		if *at > first {
			s.running.Add(-1) // the one before has ended
		}
		j := batch[*at]
		batch[*at] = job{} // nothing is kept alive by a callback that is over
		*at++
		if j.live() {
			j.f()
		}
	}
}

// ended reports a callback's panic, if that is how it ended.
func (s *shard) ended() {
	if v := recover(); v != nil {
		s.report(v, debug.Stack())
		return
	}
	s.running.Add(-1)
}

// report tells the program of a panic, and lives through a panic of that too.
func (s *shard) report(v any, stack []byte) {
	defer s.running.Add(-1)
	defer func() {
		if again := recover(); again != nil {
			logPanic(again, debug.Stack())
		}
	}()
	s.owner.panicked.Add(1)
	s.owner.panics(v, stack)
}

// Pool runs callbacks in at most n goroutines (n ≥ 1), in order of expiry; the rest
// wait in a queue, whose length is bounded by the timers that fired. Goroutines are
// started when there is work and end when there is none. Wheels may share a pool.
func Pool(n int) Executor { return &pool{most: max(1, n)} }

type pool struct {
	mu      sync.Mutex
	most    int
	workers int
	queue   []func()
	head    int
}

// Execute queues a callback, or starts a goroutine for it.
func (p *pool) Execute(run func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers < p.most {
		p.workers++
		go p.work(run)
		return
	}
	p.queue = append(p.queue, run)
}

// work runs callbacks until none waits. Where one ends its goroutine, another takes
// its place.
func (p *pool) work(run func()) {
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
	if p.head > len(p.queue)/2 { // what has run is dropped, at most a move for each run
		n := copy(p.queue, p.queue[p.head:])
		clear(p.queue[n:])
		p.queue, p.head = p.queue[:n], 0
	}
	return run
}
