package wheeltest

import (
	"fmt"
	"time"
)

// keyed lists the properties that concern timers with keys.
var keyed = []Property{
	{
		Name: "same key", Rule: "the same key again replaces the timer: one fires, the newer one",
		Seen: "ouqiang keeps both", needs: has[Keyed], body: sameKey,
	},
	{
		Name: "set earlier", Rule: "a key that is set again to an earlier time fires then",
		Seen: "go-zero fires after 305 ticks for 5", needs: has[Keyed], body: setEarlier,
	},
	{
		Name: "remove", Rule: "Remove is true once for each timer, and heeded, at any distance and right after Set",
		Seen: "lk668 says not found of 31 in 100,000, which stay armed; its second removal ends the process", needs: has[Keyed], body: removeIsHonoured,
	},
	{
		Name: "set inside, then remove", Rule: "a key that is set again by its own function is the new timer's: Remove takes it out",
		Seen: "godis fires 2999 of 3000 anyway", needs: has[Keyed], body: setInside,
	},
	{
		Name: "move", Rule: "a key that is moved fires at the new time and once, earlier or later",
		Seen: "go-zero fires after 12 ticks for 2", needs: has[Mover], body: moves,
	},
	{
		Name: "drain, then set", Rule: "a key that was drained can be set again and fires",
		Seen: "go-zero never fires it", needs: func(w Timers) bool { return has[Keyed](w) && has[Drainer](w) }, body: drainThenSet,
	},
}

// set schedules a timer for key with delay d. It replaces the timer that key already has, if any.
func (x *checker) set(key string, d time.Duration) *testTimer {
	s := &testTimer{x: x, name: key}
	s.dueIn(d)
	x.note("set", key, d)
	if err := x.w.(Keyed).Set(key, d, s.fire); err != nil {
		x.failf("Set(%q, %v) gives the error %q", key, d, err)
	}
	return s
}

func (x *checker) remove(key string) bool {
	x.note("cancel", key, 0)
	return x.w.(Keyed).Remove(key)
}

func sameKey(x *checker) {
	old, fresh := x.set("a", x.ahead(5)), x.set("a", x.ahead(9))
	other := x.set("b", x.ahead(5))
	x.pass(x.ahead(15))
	x.settle()
	x.checkNotFired(old, "its key was set again")
	x.checkFired(fresh)
	x.checkFired(other)
	x.set("c", x.ahead(5))
	gone := x.set("c", x.ahead(5))
	x.checkAnswer("Remove of a key that was set twice", x.remove("c"), true)
	x.pass(x.ahead(6))
	x.settle()
	x.checkNotFired(gone, "its key was removed")
}

// phases is the number of positions of the hand from which a property is tried. Some faults appear
// only if the hand passes the end of the array of slots during the delay.
const phases = 14

// revolution returns the number of ticks per revolution: the value of the Slots option, or 20 if it
// is not set.
func (x *checker) revolution() int {
	if x.config.slots > 0 {
		return x.config.slots
	}
	return 20
}

func setEarlier(x *checker) {
	n := x.revolution()
	var timers []*testTimer
	for k := range phases {
		key := fmt.Sprint("key", k)
		x.set(key, x.ahead(n/2+1))
		x.pass(x.units(1))
		timers = append(timers, x.set(key, x.units(n/20+2)))
		x.pass(x.units(n/5 + 2))
	}
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
}

func removeIsHonoured(x *checker) {
	var gone []*testTimer
	for k := range 200 {
		key := fmt.Sprint("key", k)
		gone = append(gone, x.set(key, x.ahead(k%40+2)))
		if k%3 == 0 {
			x.pass(x.tick / 5)
		}
		x.checkAnswer("Remove of "+key+", just set,", x.remove(key), true)
		x.checkAnswer("the second Remove of "+key, x.remove(key), false)
	}
	fired := x.set("fired", x.units(2))
	x.pass(x.ahead(45))
	x.settle()
	for _, s := range gone {
		x.checkNotFired(s, "Remove had returned true")
	}
	x.checkFired(fired)
	x.checkAnswer("Remove of a key that has fired", x.remove("fired"), false)
	x.checkAnswer("Remove of a key that never was", x.remove("never"), false)
}

func setInside(x *checker) {
	k := x.w.(Keyed)
	var first, second counter
	k.Set("a", x.units(2), func() {
		first.up()
		k.Set("a", x.ahead(5), second.up)
	})
	x.pass(x.units(3))
	x.settle()
	removed := k.Remove("a")
	x.pass(x.ahead(10))
	x.settle()
	if first.Load() != 1 || !removed && !x.config.mute || second.Load() != 0 {
		x.failf("the first function ran %d times, Remove of the key it set returned %v, and the second ran %d times", first.Load(), removed, second.Load())
	}
}

func moves(x *checker) {
	m := x.w.(Mover)
	move := func(s *testTimer, d time.Duration) {
		x.note("reset", s.name, d)
		s.dueIn(d)
		if err := m.Move(s.name, d); err != nil {
			x.failf("Move(%q, %v) gives the error %q", s.name, d, err)
		}
	}
	n := x.revolution()
	var timers []*testTimer
	for k := range phases {
		earlier, later := x.set(fmt.Sprint("earlier", k), x.ahead(n*7/10)), x.set(fmt.Sprint("later", k), x.ahead(n/3+1))
		move(earlier, x.units(n/5+1))
		move(later, x.units(n*9/10))
		timers = append(timers, earlier, later)
		x.pass(x.units(n/7 + 1))
	}
	x.pass(x.ahead(n))
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
}

func drainThenSet(x *checker) {
	x.set("earlier", x.units(9)) // some implementations call drained functions: these two are not judged
	x.set("later", x.units(5))
	x.w.(Drainer).Drain()
	x.pass(x.units(1))
	timers := []*testTimer{x.set("earlier", x.units(3)), x.set("later", x.units(9)), x.set("other", x.units(4))}
	x.pass(x.units(12))
	x.settle()
	for _, s := range timers {
		x.checkFired(s)
	}
}
