package timer

import (
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/wheelscope/wheelscope/wheel"
)

// An Executor determines where callbacks run. Execute must call run once, usually in another
// goroutine, and should return quickly: the goroutine of a shard that advances its wheel calls it. A wheel may call
// Execute concurrently. Each call to run runs one callback, in order of expiry within a shard.
type Executor interface {
	Execute(run func())
}

// Inline runs the callbacks of a shard one after another, in order of expiry. It has the lowest cost of all executors
// and is meant for short callbacks. A slow callback delays only the later callbacks of its shard, never the wheel.
var Inline Executor = inline{}

// Goroutines runs callbacks concurrently, so that one that blocks never delays another. Short callbacks that are due
// together share goroutines.
var Goroutines Executor = goroutines{}

type inline struct{}

func (inline) Execute(run func()) { run() }

type goroutines struct{}

func (goroutines) Execute(run func()) { go run() }

// spareMax is the maximum capacity, in callbacks, of a batch that is kept for reuse.
const spareMax = 2 * advanceBudget

// yieldEvery is the number of callbacks that a goroutine runs before it yields the processor. Without this limit,
// other goroutines of the program that become ready might have to wait for milliseconds.
const yieldEvery = 1 << 6

// callbacks is the queue of a shard's callbacks that have not begun. The driver adds them in batches.
type callbacks struct {
	shard  *shard
	serial bool   // whether one goroutine runs all of them, one after another
	one    func() // the method value runOne

	mu      sync.Mutex
	batches []batch // in order of expiry
	next    int     // index in batches[0].calls of the next callback
	starts  bool    // whether a goroutine that runs work has been started and has taken no callback; if serial, whether there is one at all
	spare   batch   // empty batch that is kept for reuse
}

// batch is the callbacks of the timers that fired in one turn of the driver.
type batch struct {
	calls []func()
	dues  []dueCount // number of timers by due tick
}

type dueCount struct {
	due wheel.Tick
	n   int64
}

// add adds the function f of a timer that was due at the given tick.
func (b *batch) add(f func(), due wheel.Tick) {
	b.calls = append(b.calls, f)
	if k := len(b.dues) - 1; k >= 0 && b.dues[k].due == due {
		b.dues[k].n++
		return
	}
	b.dues = append(b.dues, dueCount{due, 1})
}

// push adds b, which must have calls, to the queue. The caller must not use b afterwards; it may use the empty batch that
// push returns. If start is true, push starts a goroutine that runs the calls, unless there is one.
func (c *callbacks) push(b batch, start bool) (spare batch) {
	c.mu.Lock()
	c.batches = append(c.batches, b)
	spare, c.spare = c.spare, batch{}
	start = start && !c.starts
	if start {
		c.starts = true
	}
	c.mu.Unlock()
	if start {
		c.start()
	}
	return spare
}

func (c *callbacks) start() {
	if c.serial {
		go c.workSerially()
	} else {
		go c.work()
	}
}

// take removes the next callback from the queue. It returns nil if there is none. c.mu must be held.
func (c *callbacks) take() func() {
	if len(c.batches) == 0 {
		return nil
	}
	b := c.batches[0]
	if c.next == 0 {
		c.shard.noteLate(b.dues)
	}
	f := b.calls[c.next]
	b.calls[c.next] = nil // the queue must not keep the function alive
	if c.next++; c.next == len(b.calls) {
		c.batches[0], c.next = batch{}, 0
		c.batches = c.batches[1:]
		if cap(b.calls) <= spareMax {
			c.spare = batch{b.calls[:0], b.dues[:0]}
		}
	}
	return f
}

// work runs callbacks until none is left. If callbacks wait when it begins one, which may block, it makes sure that
// another goroutine is about to run the next.
func (c *callbacks) work() {
	for n := 0; ; n++ {
		if n > 0 && n%yieldEvery == 0 {
			runtime.Gosched()
		}
		c.mu.Lock()
		if n == 0 {
			c.starts = false
		}
		f := c.take()
		start := !c.starts && len(c.batches) > 0
		if start {
			c.starts = true
		}
		c.mu.Unlock()
		if f == nil {
			return
		}
		if start {
			go c.work()
		}
		c.run(f)
	}
}

// workSerially runs callbacks until none is left. If a callback ends the goroutine (runtime.Goexit), another goroutine
// continues with the next.
func (c *callbacks) workSerially() {
	ended := false
	defer func() {
		if !ended {
			go c.workSerially()
		}
	}()
	for n := 1; ; n++ {
		if n%yieldEvery == 0 {
			runtime.Gosched()
		}
		c.mu.Lock()
		f := c.take()
		if f == nil {
			c.starts = false
		}
		c.mu.Unlock()
		if f == nil {
			ended = true
			return
		}
		c.run(f)
	}
}

// runOne runs the next callback. Executors other than Inline and Goroutines call it.
func (c *callbacks) runOne() {
	c.mu.Lock()
	f := c.take()
	c.mu.Unlock()
	if f != nil {
		c.run(f)
	}
}

// run runs the callback f, through the hook set by WithCallbackHook if there is one.
func (c *callbacks) run(f func()) {
	defer c.ended()
	if hook := c.shard.owner.hook; hook != nil {
		hook(f)
		return
	}
	f()
}

// ended is deferred by run. If a function was set by WithOnPanic, ended recovers from a panic of the callback and calls
// that function.
func (c *callbacks) ended() {
	defer c.shard.running.Add(-1)
	w := c.shard.owner
	if w.panics == nil {
		return
	}
	if v := recover(); v != nil {
		w.panicked.Add(1)
		w.panics(v, debug.Stack())
	}
}

// Running returns the number of callbacks that are running, or waiting in the executor. It includes calls of the
// function set by [WithOnLate].
func (w *Wheel) Running() int {
	var n int64
	for _, s := range w.all() {
		n += s.running.Load()
	}
	return int(n)
}
