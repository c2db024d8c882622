package wheeltest

import (
	"bytes"
	"runtime"
	"time"
)

// life lists the properties that concern Close, memory, clocks and long idle times.
var life = []Property{
	{
		Name: "closed", Rule: "after Close nothing fires, every method returns, and AfterFunc gives an error or a timer that never fires",
		Seen: "RussellLuo, ouqiang, xiaoxuxiansheng block for ever", closes: true, body: closed,
	},
	{
		Name: "goroutines", Rule: "Close ends every goroutine that the wheel started",
		body: goroutines,
	},
	{
		Name: "memory", Rule: "what a stopped timer held can be collected, though its due time is far away",
		Seen: "RussellLuo/timingwheel #49, tokio #8252", body: memory,
	},
	{
		Name: "wall clock", Rule: "a step of the wall clock moves no timer",
		Seen: "RussellLuo, antlabs", needs: has[WallStepper], body: wallClock,
	},
	{
		Name: "idle, then busy", Rule: "a wheel that had nothing to do for long fires what is armed next when it is due",
		body: idleThenBusy,
	},
}

func closed(x *checker) {
	s, stopped := x.after(x.ahead(20)), x.after(x.ahead(20))
	x.pass(x.units(2))
	if !x.returns("Close", x.w.Close) {
		return
	}
	late := &testTimer{x: x, name: "armed after Close"}
	calls := map[string]func(){
		"Stop after Close":         func() { x.w.Stop(stopped.handle) },
		"AfterFunc after Close":    func() { x.w.AfterFunc(x.units(2), late.fire) },
		"AfterFunc(0) after Close": func() { x.w.AfterFunc(0, late.fire) },
		"Pending after Close":      func() { x.w.Pending() },
		"Close again":              x.w.Close,
	}
	if k, ok := x.w.(Keyed); ok {
		calls["Set after Close"] = func() { k.Set("a", x.units(2), late.fire) }
		calls["Remove after Close"] = func() { k.Remove("a") }
	}
	for what, call := range calls {
		x.returns(what, call)
	}
	x.pass(x.ahead(30))
	x.settle()
	x.checkNotFired(s, "the wheel was closed before it was due")
	x.checkNotFired(late, "the wheel was closed")
}

func goroutines(x *checker) {
	x.pass(x.units(1)) // the goroutines of x.w have begun
	before := x.count()
	w, err := x.again()
	if err != nil {
		x.failf("the factory gives the error %q the second time", err)
		return
	}
	for k := range 100 {
		if h, err := w.AfterFunc(x.units(k%20), func() {}); err == nil && k%3 == 0 {
			w.Stop(h)
		}
	}
	x.pass(x.units(5))
	w.Close()
	for range 20 {
		if x.pass(x.units(10)); x.count() <= before {
			return
		}
	}
	x.failf("%d goroutines are left, %v after Close", x.count()-before, 200*x.tick)
}

// stackBytes is the maximum size of the stack dump in which goroutines are counted.
const stackBytes = 4 << 20

// count returns the number of goroutines of the process, or of the bubble in fake time, not counting the caller. It counts
// them in a stack dump, because runtime.NumGoroutine includes the runtime's own goroutines while they run cleanups.
func (x *checker) count() int {
	text := make([]byte, stackBytes)
	text = text[:runtime.Stack(text, true)]
	if own, _, _ := bytes.Cut(text, []byte(":\n")); x.bubble { // goroutine 7 [running, synctest bubble 1]
		return bytes.Count(text, own[bytes.LastIndexByte(own, ','):]) - 1
	}
	return bytes.Count(text, []byte("\n\ngoroutine "))
}

// memory checks that the functions of stopped timers are garbage collected. Each function refers to
// 64 KiB, so that the few hundred bytes per timer that a wheel needs make no difference.
func memory(x *checker) {
	const n, payload = 200, 64 << 10
	before := inUse()
	for range n {
		hold := make([]byte, payload)
		h, err := x.w.AfterFunc(time.Hour, func() { hold[0]++ })
		if err != nil {
			x.failf("AfterFunc(1h) gives the error %q", err)
			return
		}
		x.w.Stop(h)
	}
	x.pass(x.units(5))
	if held := inUse() - before; held > n*payload/2 {
		x.failf("%d timers with %d KiB each were stopped, and %d KiB are still held, an hour before they were due", n, payload>>10, held>>10)
	}
	runtime.KeepAlive(x.w)
}

// inUse returns the number of bytes of heap in use after a garbage collection, including those of the test itself.
func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func wallClock(x *checker) {
	step := x.w.(WallStepper)
	ahead, back := x.after(x.ahead(20)), x.after(x.ahead(40))
	x.pass(x.units(5))
	step.StepWall(time.Hour)
	x.pass(x.units(5))
	x.checkNotFired(ahead, "only the wall clock had moved")
	x.pass(x.ahead(12))
	step.StepWall(-2 * time.Hour)
	x.pass(x.units(30))
	x.settle()
	x.checkFired(ahead)
	x.checkFired(back)
}

func idleThenBusy(x *checker) {
	first := x.after(x.units(2))
	idle := x.units(300)
	if x.bubble {
		idle = max(idle, 10*time.Minute)
		if x.tick < time.Millisecond { // a polling implementation would take too long
			idle = x.units(100_000)
		}
	}
	x.pass(idle)
	x.checkFired(first)
	s := x.after(x.units(3))
	x.pass(x.units(4))
	x.settle()
	x.checkFired(s)
}
