package wheeltest

import (
	"math"
	"time"
)

// arithmetic lists the properties that concern delays and due times.
var arithmetic = []Property{
	{
		Name: "never early", Rule: "a timer fires no earlier than it is due and no later than a tick after, at whatever phase of the tick it is armed",
		Seen: "RussellLuo/timingwheel floors to the tick; go-zero and siddontang ignore its phase; ouqiang truncates to seconds",
		body: neverEarly,
	},
	{
		Name: "whole revolutions", Rule: "a delay of a whole number of revolutions is as long as any other",
		Seen: "lk668/go-timewheel loses a round", body: wholeRevolutions,
	},
	{
		Name: "far ahead", Rule: "a delay that passes through several levels of wheels is as long as any other, to a tick, wherever the hands are",
		body: farAhead,
	},
	{
		Name: "below a tick", Rule: "a delay shorter than a tick waits for it, and harms nothing",
		Seen: "lk668 divides by zero", body: belowATick,
	},
	{
		Name: "not positive", Rule: "a delay of 0 or less fires at once, and what is armed after it fires too",
		Seen: "antlabs and godis never fire it; xiaoxuxiansheng's loop ends and the next add hangs", body: notPositive,
	},
	{
		Name: "longest", Rule: "the longest duration waits, or is an error",
		Seen: "RussellLuo/timingwheel runs it at once", body: longest,
	},
}

// units returns the duration of k ticks.
func (x *checker) units(k int) time.Duration { return time.Duration(k) * x.tick }

func neverEarly(x *checker) {
	var timers []*testTimer
	for k := range 60 {
		x.pass(x.tick * time.Duration(k*7%10) / 10) // a different phase each time
		for _, d := range []time.Duration{x.units(1), x.units(k%17 + 1), x.units(k%7+1) + x.tick*time.Duration(k%10)/10} {
			timers = append(timers, x.after(d))
		}
	}
	x.pass(x.units(20))
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
}

// revolutionsTried lists common numbers of ticks per revolution. Properties try delays close to multiples or powers of
// them, because the number of slots of the implementation under test may be unknown.
var revolutionsTried = []int{8, 10, 12, 16, 20, 32, 60, 64}

func wholeRevolutions(x *checker) {
	lengths := revolutionsTried
	if x.config.slots > 0 {
		lengths = []int{x.config.slots}
	}
	var timers []*testTimer
	longest := 0
	for _, n := range lengths {
		for _, k := range []int{1, 2, 3} {
			for _, by := range []int{-1, 0, 1} {
				timers = append(timers, x.after(x.units(k*n+by)))
				longest = max(longest, k*n+by)
			}
		}
	}
	x.pass(x.units(longest + 1))
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
}

// farDelayMax is approximately the longest delay that farAhead tries, in ticks.
const farDelayMax = 1 << 17

// farAhead schedules timers with delays close to the ranges of the second and higher levels of common wheels, at
// several positions of the hands. It permits the timers to fire up to one tick early.
func farAhead(x *checker) {
	if !x.bubble {
		x.absent = "thousands of ticks take long in real time"
		return
	}
	lengths := revolutionsTried
	if n := x.config.slots; n > 1 {
		lengths = append([]int{n}, lengths...)
	}
	var timers []*testTimer
	for _, phase := range []time.Duration{0, x.units(37) + x.tick/3, x.units(4099)} {
		x.pass(phase)
		for _, n := range lengths {
			for k := n; k <= farDelayMax/n; k *= n {
				for _, by := range []int{-1, 0, 1, n} {
					timers = append(timers, x.after(x.units(k*n+by)))
				}
			}
		}
	}
	x.pass(x.units(2 * farDelayMax))
	x.settle()
	for _, s := range timers {
		x.checkFiredAbout(s, x.tick) // a timer earlier than that is not due to its level
	}
}

func belowATick(x *checker) {
	if x.tick < 2 { // no delay is shorter
		return
	}
	timers := []*testTimer{x.after(x.tick / 2), x.after(x.tick - 1), x.after(1)}
	x.pass(x.units(2))
	x.settle()
	timers = append(timers, x.after(x.units(2)))
	x.pass(x.units(3))
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
}

func notPositive(x *checker) {
	x.pass(x.units(3) + x.tick/3)
	var timers []*testTimer
	for _, d := range []time.Duration{0, -1, -x.tick, -150 * time.Millisecond, -time.Second, math.MinInt64} {
		x.returns("AfterFunc("+d.String()+")", func() { timers = append(timers, x.after(d)) })
		if x.failed() {
			return
		}
	}
	x.settle()
	x.returns("the AfterFunc after them", func() { timers = append(timers, x.after(x.units(2))) })
	x.pass(x.units(3))
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
}

func longest(x *checker) {
	for _, d := range []time.Duration{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 / 2} {
		s := &testTimer{x: x, name: d.String()}
		x.note("schedule", s.name, d)
		h, err := x.w.AfterFunc(d, s.fire)
		x.pass(x.units(50))
		x.settle()
		x.checkNotFired(s, "its time is years away")
		if err == nil {
			x.checkAnswer("Stop of one that waits "+d.String(), x.w.Stop(h), true)
		}
	}
}
