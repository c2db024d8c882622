package wheeltest

import "time"

// stallTime is how long the process is stopped.
const stallTime = 800 * time.Millisecond

// stall schedules timers, stops the whole process for stallTime, and then checks that each timer fires, not much later
// than a timer of package time. To the implementation, the clock appears to jump.
func stall(x *checker) {
	var timers []*testTimer
	step := max(x.tick*3, 100*time.Millisecond)
	for k := range 5 {
		timers = append(timers, x.after(step*time.Duration(k+1)))
	}
	timers = append(timers, x.after(step*5+stallTime+300*time.Millisecond)) // after it
	if err := stopSelf(stallTime); err != nil {
		x.absent = "the process can't be stopped here: " + err.Error()
		return
	}
	for _, s := range timers { // they may be as late as package time was
		x.checkFired(s)
	}
}
