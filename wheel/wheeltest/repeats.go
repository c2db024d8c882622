package wheeltest

import (
	"cmp"
	"fmt"
	"time"
)

// repeating lists the properties that concern repeating timers.
var repeating = []Property{
	{
		Name: "times", Rule: "a timer that is to fire 1, 2, 3 times does so, and no more",
		Seen: "lk668 runs once more", needs: has[Repeater], body: timesRun,
	},
	{
		Name: "every", Rule: "of an endless timer the k-th run comes k intervals after it was armed, within a tick, one run an interval",
		Seen: "rfyiamcool ran 145 times in 100 intervals, up to 4 in a tick", needs: has[Repeater], body: everyRun,
	},
	{
		Name: "every revolution", Rule: "an interval of whole revolutions fires once each, never again within the tick",
		Seen: "lk668 runs 1001 times inside one tick", needs: has[Repeater], body: everyRevolution,
	},
	{
		Name: "a stopped repeat", Rule: "an endless timer that was stopped does not fire again",
		Seen: "186 of 4000 go on in RussellLuo/timingwheel", needs: has[Repeater], body: stoppedRepeat,
	},
}

// every schedules a repeating timer with an interval of the given number of ticks. The timer fires
// the given number of times, or forever if times is -1.
func (x *checker) every(ticks, times int) *testTimer {
	x.mu.Lock()
	x.timers++
	s := &testTimer{x: x, name: fmt.Sprint("repeat", x.timers), due: dueAfter(x.units(ticks))}
	x.log = append(x.log, Op{At: time.Since(x.begun), Do: "schedule", Timer: s.name, Delay: x.units(ticks), Every: x.units(ticks), Times: times})
	x.mu.Unlock()
	h, err := x.w.(Repeater).Every(x.units(ticks), times, s.fire)
	if err != nil {
		x.failf("Every(%v, %d) gives the error %q", x.units(ticks), times, err)
	}
	s.handle = h
	return s
}

// startReference starts a goroutine that measures by how much time.Sleep is late. checkRuns then permits runs to be
// later, by twice the greatest measured lateness. In fake time startReference does nothing.
func (x *checker) startReference() {
	if x.bubble {
		return
	}
	go func() {
		for !isClosed(x.over) {
			begun := time.Now()
			time.Sleep(x.tick)
			x.referenceLateness.add(time.Since(begun) - x.tick)
		}
	}()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// checkRuns checks that s has fired n times at intervals of the given number of ticks. No run may be
// early, or later than permitted.
func (x *checker) checkRuns(s *testTimer, ticks, n int) {
	fired := s.times()
	referenceLateness, _ := x.referenceLateness.result()
	if len(fired) != n {
		x.failf("each %d ticks: %d runs, not %d", ticks, len(fired), n)
		return
	}
	for k, at := range fired {
		late := at.Sub(s.due.Add(x.units(k * ticks)))
		if late < 0 || late > x.slack()+2*referenceLateness {
			x.failf("each %d ticks: run %d came %v late", ticks, k+1, late)
			return
		}
	}
}

func timesRun(x *checker) {
	x.startReference()
	timers := map[int]*testTimer{}
	for _, n := range []int{1, 2, 3} {
		timers[n] = x.every(5, n)
	}
	x.pass(x.units(40))
	x.settle()
	for _, n := range []int{1, 2, 3} {
		x.checkRuns(timers[n], 5, n)
	}
}

func everyRun(x *checker) {
	x.startReference()
	s := x.every(10, -1)
	x.pass(x.units(10*30) + x.slack())
	x.w.Stop(s.handle)
	x.settle()
	extra := 0
	if x.slack() >= x.units(10) { // real time: one more run may have occurred
		extra = len(s.times()) - 30
	}
	x.checkRuns(s, 10, 30+max(0, extra))
}

func everyRevolution(x *checker) {
	n := x.config.slots
	n = cmp.Or(n, 10)
	x.startReference()
	a, b := x.every(n, 4), x.every(n, 4)
	x.pass(x.units(5 * n))
	x.settle()
	x.checkRuns(a, n, 4)
	x.checkRuns(b, n, 4)
}

func stoppedRepeat(x *checker) {
	var timers []*testTimer
	for k := range 50 {
		timers = append(timers, x.every(k%5+1, -1))
	}
	x.pass(x.units(23) + x.tick/2)
	before := make([]int, len(timers))
	for k, s := range timers {
		x.w.Stop(s.handle)
		before[k] = len(s.times())
	}
	x.settle()
	x.pass(x.units(30))
	for k, s := range timers {
		if n := len(s.times()); n > before[k]+1 { // the run that began while Stop was called is allowed
			x.failf("a repeating timer ran %d times after it was stopped", n-before[k])
		}
	}
}
