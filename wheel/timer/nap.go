package timer

import "time"

// napMax is the longest nap. For longer sleeps package time is asked to wake the driver this
// long before a tick, since it may be late by that.
const napMax = time.Millisecond

// nap is the last part of a driver's sleep. It uses an alarm of the system, which is on time,
// while package time is late by up to a millisecond. Only the driver uses it.
type nap struct {
	wheel *Wheel
	able  bool   // the clock is the machine's, as far as is known
	alarm *alarm // nil until it is needed, since it uses a file
}

func newNap(w *Wheel) nap { return nap{wheel: w, able: hasAlarm && w.machine} }

// sleep sleeps for d if that is at most a tick: no timer scheduled meanwhile is due before then.
// It returns false if the caller must use the clock, or if less than d was slept.
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
	n.end() // no more files, or a clock that has not moved: that of a synctest bubble
	return false
}

// end makes the driver use only the clock from now on.
func (n *nap) end() {
	n.able = false
	if n.alarm != nil {
		n.alarm.close()
		n.alarm = nil
	}
}
