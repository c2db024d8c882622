package timer

import "time"

// napMax is the longest nap, and how long before a tick package time is asked to wake
// the driver: it may be late by that.
const napMax = time.Millisecond

// nap is how a driver sleeps the last of its time: by an alarm of the system's own, which
// goes off when it is to, where package time is late by up to a millisecond. Only the driver uses it.
type nap struct {
	wheel *Wheel
	able  bool   // the clock is the machine's, as far as is known
	alarm *alarm // nil until it is needed: it takes a file
}

func newNap(w *Wheel) nap { return nap{wheel: w, able: hasAlarm && w.machine} }

// sleep sleeps for d, if that is no longer than a tick: nothing that is armed meanwhile is
// due before. False: it is for the clock to sleep, or less than d was slept.
func (n *nap) sleep(d time.Duration) bool {
	if !n.able || d > min(napMax, n.wheel.tick) {
		return false
	}
	if n.alarm == nil {
		n.alarm = newAlarm()
	}
	begun := n.wheel.now()
	if n.alarm != nil && n.alarm.sleep(d) && n.wheel.now()-begun >= d {
		return true
	}
	n.end() // no more files, or a clock that has not moved: a bubble of synctest has its own
	return false
}

// end leaves sleeping to the clock.
func (n *nap) end() {
	n.able = false
	if n.alarm != nil {
		n.alarm.close()
		n.alarm = nil
	}
}
