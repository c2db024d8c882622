package timer

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/wheelscope/wheelscope/wheel/timer/internal/goroutine"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/pool"
)

// An Executor determines where callbacks run. Execute must call run once, usually in another
// goroutine, and must return quickly. A wheel may call Execute concurrently. run never panics.
type Executor interface {
	Execute(run func())
}

// Inline runs the callbacks of a shard one after another, in order of expiry and without allocating. It has the lowest
// cost of all executors and is meant for short callbacks. A slow callback delays only the later callbacks of its shard.
var Inline Executor = inline{}

// Goroutines runs each callback in a goroutine of its own.
var Goroutines Executor = goroutines{}

type inline struct{}

func (inline) Execute(run func()) { run() }

type goroutines struct{}

func (goroutines) Execute(run func()) { go run() }

// call runs the callback h.jobs[at], recovers if it panics, and records that it has ended.
func (s *shard) call(h *dueBatch, at int) {
	defer s.ended(h, at)
	j := &h.jobs[at]
	atomic.StoreUintptr(&j.runs, goroutine.ID())
	s.owner.invoke(j.f)
}

// invoke calls the callback f, through the hook set by WithCallbackHook if there is one.
func (w *Wheel) invoke(f func()) {
	if w.hook != nil {
		w.hook(f)
		return
	}
	f()
}

// ended is deferred by call. It recovers from a panic of h.jobs[at], reports it, and records that this call has ended.
func (s *shard) ended(h *dueBatch, at int) {
	if v := recover(); v != nil {
		defer s.out.end(h, at) // the function set by WithOnPanic may end the goroutine
		s.report(v, debug.Stack())
		return
	}
	s.out.end(h, at)
}

// recovered recovers from a callback's panic, if there is one, and reports it. It must be deferred.
func (s *shard) recovered() {
	if v := recover(); v != nil {
		s.report(v, debug.Stack())
	}
}

// report counts a panic and passes it to the function set by [WithOnPanic]. If that function panics too, report logs
// the second panic.
func (s *shard) report(v any, stack []byte) {
	defer func() {
		if again := recover(); again != nil {
			logPanic(again, debug.Stack())
		}
	}()
	s.owner.panicked.Add(1)
	s.owner.panics(v, stack)
}

// Pool returns an executor that runs callbacks in at most n goroutines (n ≥ 1), in order of expiry.
// Further callbacks wait in a queue of unlimited length. Goroutines are started when there is work
// and end when there is none. Wheels may share a pool.
func Pool(n int) Executor { return pool.New(n) }
