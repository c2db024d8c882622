package wheeltest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// callbacks lists the properties that concern callbacks: what a callback may do, and how it may affect
// other timers.
var callbacks = []Property{
	{
		Name: "calls from a function", Rule: "a function may arm others, stop its own timer (false) and stop its neighbours in the slot: true, and they do not run, or false, and they run once",
		body: callsInside,
	},
	{
		Name: "close from a function", Rule: "a function may close the wheel",
		closes: true, body: closeInside,
	},
	{
		Name: "shutdown from a function", Rule: "Shutdown by a function of another wheel waits for this wheel's; by one of its own it returns when its context is done, at the latest",
		Seen: "wheel/timer of this module took another wheel's function for its own", needs: has[Shutdowner], closes: true, body: shutdownInside,
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

const (
	neighbours      = 8  // number of timers that stopNeighbours schedules for the same time
	neighbourRounds = 20 // number of times that it does so in fake time
)

func callsInside(x *checker) {
	rounds, outcomes := 1, map[string]bool{}
	if x.bubble {
		rounds = neighbourRounds
	}
	for ; rounds > 0 && !x.failed(); rounds-- {
		x.stopNeighbours(outcomes)
	}
	if len(outcomes) > 0 {
		x.seen = "Stop of a neighbour: " + strings.Join(slices.Sorted(maps.Keys(outcomes)), "; ")
	}
}

// stopNeighbours schedules timers for the same time, of which the first stops all. It adds what Stop returned and what
// happened to outcomes.
func (x *checker) stopNeighbours(outcomes map[string]bool) {
	var mu sync.Mutex // held while the timers are scheduled, since a function may be called at once
	var timers []*testTimer
	var first, again *testTimer
	stopped := map[*testTimer]bool{} // the results of Stop
	mu.Lock()
	for k := range neighbours {
		timers = append(timers, x.afterDo(x.units(5), func() {
			mu.Lock()
			defer mu.Unlock()
			if first != nil {
				return
			}
			first = timers[k]
			for _, s := range timers {
				stopped[s] = x.stop(s)
			}
			again = x.after(x.units(3))
		}))
	}
	mu.Unlock()
	x.pass(x.units(6))
	x.settle()
	x.pass(x.units(5))
	x.settle()
	mu.Lock()
	defer mu.Unlock()
	if first == nil {
		x.failf("none of %d timers has fired", neighbours)
		return
	}
	x.checkFired(first)
	x.checkAnswer("Stop of itself", stopped[first], false)
	x.checkFired(again)
	for _, s := range timers {
		switch n := len(s.times()); {
		case s == first || x.config.mute:
		case stopped[s] && n == 0:
			outcomes["true, and it did not run"] = true
		case !stopped[s] && n == 1:
			outcomes["false, and it ran"] = true
		default:
			x.failf("Stop of a neighbour returned %v, and the neighbour ran %d times", stopped[s], n)
		}
	}
}

func closeInside(x *checker) {
	done := make(chan struct{})
	x.afterDo(x.units(2), func() {
		defer close(done)
		x.w.Close()
	})
	after := x.after(x.ahead(30))
	if !x.returns("Close called by a function", func() { <-done }) {
		return
	}
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
		ctx, cancel := context.WithTimeout(context.Background(), x.units(5))
		defer cancel()
		x.w.(Shutdowner).Shutdown(ctx)
	})
	x.returnsAfter("Shutdown called by a function of the wheel", x.ahead(10), func() { <-own })
}
