package wheeltest

import (
	"context"
	"sync"
	"time"
)

// callbacks lists the properties that concern callbacks: what a callback may do, and how it may affect
// other timers.
var callbacks = []Property{
	{
		Name: "calls from a function", Rule: "a function may stop its own timer (false), stop its neighbours in the slot (true, and heeded) and arm others",
		body: callsInside,
	},
	{
		Name: "close from a function", Rule: "a function may close the wheel",
		body: closeInside,
	},
	{
		Name: "shutdown from a function", Rule: "Shutdown by a function of another wheel waits for this wheel's; by one of its own it returns",
		Seen: "wheel/timer of this module took another wheel's function for its own", needs: has[Shutdowner], body: shutdownInside,
	},
	{
		Name: "panic", Rule: "a function that panics ends neither the process nor the wheel",
		Seen: "RussellLuo, antlabs, ouqiang, lk668", body: panics,
	},
	{
		Name: "slow function", Rule: "a function that takes its time delays no other timer",
		Seen: "rfyiamcool calls under the wheel's lock", body: slowFunction,
	},
}

func callsInside(x *checker) {
	var mu sync.Mutex // held while the two are scheduled, since the function may be called at once
	var self, sibling *testTimer
	var selfSaid, siblingSaid bool
	var again *testTimer
	mu.Lock()
	self = x.afterDo(x.units(5), func() {
		mu.Lock()
		defer mu.Unlock()
		selfSaid = x.stop(self)
		siblingSaid = x.stop(sibling)
		again = x.after(x.units(3))
	})
	sibling = x.after(x.units(6))
	mu.Unlock()
	x.pass(x.units(6))
	x.settle()
	x.pass(x.units(5))
	x.settle()
	mu.Lock()
	defer mu.Unlock()
	x.checkFired(self)
	x.checkAnswer("Stop of itself", selfSaid, false)
	if again == nil {
		return
	}
	x.checkFired(again)
	if x.config.mute {
		return
	}
	if siblingSaid {
		x.checkNotFired(sibling, "its neighbour stopped it")
	} else if len(sibling.times()) != 1 {
		x.failf("Stop of a neighbour returned false, and the neighbour fired %d times", len(sibling.times()))
	}
}

func closeInside(x *checker) {
	done := make(chan struct{})
	x.afterDo(x.units(2), func() {
		defer close(done)
		x.w.Close()
	})
	after := x.after(x.ahead(30))
	x.returns("Close called by a function", func() { <-done })
	x.pass(x.ahead(40))
	x.settle()
	x.checkNotFired(after, "the wheel was closed")
}

func panics(x *checker) {
	s := x.afterDo(x.units(2), func() { panic("wheeltest: a function that panics") })
	same, later := x.after(x.units(2)), x.after(x.units(6))
	x.pass(x.units(8))
	x.settle()
	x.checkFired(s)
	x.checkFired(same)
	x.checkFired(later)
}

func slowFunction(x *checker) {
	release := make(chan struct{})
	x.afterDo(x.units(2), func() {
		select {
		case <-release:
		case <-time.After(20*x.units(10) + 10*x.slack()):
		}
	})
	timers := []*testTimer{x.after(x.units(2)), x.after(x.units(3)), x.after(x.units(10))}
	x.pass(x.units(12))
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
	close(release)
	x.settle()
}

func shutdownInside(x *checker) {
	other, err := x.again()
	if err != nil {
		x.failf("the factory gives the error %q the second time", err)
		return
	}
	var ended counter
	if _, err := other.AfterFunc(x.units(2), func() {
		time.Sleep(x.units(40))
		ended.up()
	}); err != nil {
		x.failf("AfterFunc gives the error %q", err)
		return
	}
	done := make(chan bool)
	x.afterDo(x.ahead(5), func() {
		defer close(done)
		if err := other.(Shutdowner).Shutdown(context.Background()); err != nil || ended.Load() == 0 {
			x.failf("Shutdown by a function of another wheel returned the error %v while %d of 1 functions had ended", err, ended.Load())
		}
	})
	x.returnsAfter("Shutdown called by a function of another wheel", x.ahead(50), func() { <-done })
	own := make(chan bool)
	x.afterDo(x.units(2), func() {
		defer close(own)
		x.w.(Shutdowner).Shutdown(context.Background())
	})
	x.returnsAfter("Shutdown called by a function of the wheel", x.ahead(5), func() { <-own })
}
