package wheeltest

// cancelling lists the properties that concern Stop and Reset.
var cancelling = []Property{
	{
		Name: "stop", Rule: "Stop before the due time is true and heeded; the second Stop is false; neither touches another timer",
		Seen: "antlabs' heap removes a bystander, and panics", body: stopIsHonoured,
	},
	{
		Name: "stop after firing", Rule: "Stop of a timer that has fired is false and touches no other",
		Seen: "antlabs' heap returns true and removes a bystander; lk668's process dies", body: stopAfterFiring,
	},
	{
		Name: "pending", Rule: "Pending counts what is armed: one more for each, one less for each that fires or is stopped",
		body: pendingCounts, needs: func(w Timers) bool { return w.Pending() != Unknown },
	},
	{
		Name: "reset into the same slot", Rule: "Reset to the delay it has, or into the slot it is in, comes back, and the wheel goes on",
		Seen: "antlabs deadlocks itself", needs: has[Resetter], body: resetSameSlot,
	},
	{
		Name: "reset earlier", Rule: "a timer that is reset to an earlier time fires then, and once",
		Seen: "go-zero fires after 12 ticks for 2, after 305 for 5", needs: has[Resetter], body: resetEarlier,
	},
	{
		Name: "reset later", Rule: "a timer that is reset to a later time does not fire at its old one",
		needs: has[Resetter], body: resetLater,
	},
	{
		Name: "reset again", Rule: "a timer that has fired, or was stopped, can be reset and fires once more",
		needs: has[Resetter], body: resetAgain,
	},
	{
		Name: "copied handle", Rule: "copies of a handle are the same timer: whichever of them is reset, one is pending and fires once",
		Seen: "wheel/timer of this module, whose handles were values, scheduled a timer for each copy", needs: has[Resetter], body: copiedHandle,
	},
}

func stopIsHonoured(x *checker) {
	bystanders := []*testTimer{x.after(x.ahead(10)), x.after(x.ahead(10)), x.after(x.ahead(11))}
	var stopped []*testTimer
	for range 4 {
		stopped = append(stopped, x.after(x.ahead(10)))
	}
	stopped = append(stopped, x.after(x.ahead(100)), x.after(x.ahead(5)))
	x.pass(x.units(2))
	for _, s := range stopped {
		x.checkAnswer("the first Stop of "+s.name, x.stop(s), true)
		x.checkAnswer("the second Stop of "+s.name, x.stop(s), false)
	}
	x.pass(x.ahead(120))
	x.settle()
	for _, s := range stopped {
		x.checkNotFired(s, "Stop had returned true")
	}
	for _, s := range bystanders {
		x.checkFired(s)
	}
}

func stopAfterFiring(x *checker) {
	fired := x.after(x.units(2))
	x.pass(x.units(3))
	x.settle()
	bystanders := []*testTimer{x.after(x.units(5)), x.after(x.units(9))}
	x.checkAnswer("Stop after it fired", x.stop(fired), false)
	x.checkAnswer("Stop after it fired, again", x.stop(fired), false)
	x.pass(x.units(10))
	x.settle()
	x.checkFired(fired)
	for _, s := range bystanders {
		x.checkFired(s)
	}
}

func pendingCounts(x *checker) {
	expect := func(when string, want int) {
		if got := x.w.Pending(); got != want {
			x.failf("Pending is %d %s, not %d", got, when, want)
		}
	}
	expect("before anything", 0)
	a, b := x.after(x.ahead(5)), x.after(x.ahead(50))
	x.after(x.ahead(5))
	expect("with three armed", 3)
	x.stop(b)
	x.stop(b)
	expect("after one was stopped, twice", 2)
	x.pass(x.ahead(6))
	x.settle()
	expect("after all have fired", 0)
	x.stop(a)
	expect("after one that had fired was stopped", 0)
}

func resetSameSlot(x *checker) {
	s := x.after(x.ahead(10))
	if !x.returns("Reset to the same delay", func() { x.reset(s, x.ahead(10)) }) {
		return
	}
	x.pass(x.tick / 4)
	if !x.returns("Reset within the same tick", func() { x.reset(s, x.ahead(10)) }) {
		return
	}
	other := x.after(x.ahead(10))
	x.pass(x.ahead(12))
	x.settle()
	x.checkFired(s)
	x.checkFired(other)
}

func resetEarlier(x *checker) {
	x.pass(x.units(6))
	near, far := x.after(x.ahead(7)), x.after(x.ahead(150))
	x.reset(near, x.units(2))
	x.pass(x.units(3))
	x.settle()
	x.checkFired(near)
	x.pass(x.units(50))
	x.reset(far, x.units(5))
	x.pass(x.units(6))
	x.settle()
	x.checkFired(far)
	x.pass(x.ahead(160))
	x.checkFired(near)
	x.checkFired(far)
}

func resetLater(x *checker) {
	s := x.after(x.ahead(5))
	for range 6 { // each time before it is due
		x.pass(x.units(3) + x.spare())
		x.reset(s, x.ahead(5))
		x.checkNotFired(s, "it was reset each time before it was due")
	}
	x.pass(x.ahead(6))
	x.settle()
	x.checkFired(s)
}

func resetAgain(x *checker) {
	fired, stopped := x.after(x.units(2)), x.after(x.ahead(2))
	x.stop(stopped)
	x.pass(x.units(3))
	x.settle()
	x.checkFired(fired)
	fired.forget()
	x.reset(fired, x.units(4))
	x.reset(stopped, x.units(4))
	x.pass(x.units(5))
	x.settle()
	x.checkFired(fired)
	x.checkFired(stopped)
	x.checkAnswer("Stop after all", x.stop(fired) || x.stop(stopped), false)
}

// copiedHandle checks that a call to Reset with a copy of a handle changes the timer of the original
// handle. A program copies handles, for example, when it ranges over a slice of them.
func copiedHandle(x *checker) {
	first, kept := x.after(x.ahead(10)), x.after(x.ahead(10))
	for k := range 3 {
		for _, h := range []Handle{first.handle, kept.handle} {
			if err := x.w.(Resetter).Reset(h, x.ahead(12+k)); err != nil {
				x.failf("Reset gives the error %q", err)
			}
		}
	}
	if n := x.w.Pending(); n != Unknown && n != 2 {
		x.failf("2 timers were reset by copies of their handles, and %d are pending", n)
	}
	first.dueIn(x.ahead(14))
	kept.dueIn(x.ahead(14))
	x.checkAnswer("Stop by the handle that was copied", x.stop(first), true)
	x.pass(x.ahead(16))
	x.settle()
	x.checkNotFired(first, "it was stopped")
	if n := len(kept.times()); n != 1 {
		x.failf("a timer that was reset by copies of its handle fired %d times", n)
	}
}
