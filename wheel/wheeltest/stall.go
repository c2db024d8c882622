package wheeltest

import "time"

// stallTime is how long the process is stopped.
const stallTime = 800 * time.Millisecond

// stall stops the whole process for stallTime, so that time jumps for the implementation.
func stall(x *exam) {
	var shots []*shot
	step := max(x.tick*3, 100*time.Millisecond)
	for k := range 5 {
		shots = append(shots, x.after(step*time.Duration(k+1)))
	}
	shots = append(shots, x.after(step*5+stallTime+300*time.Millisecond)) // after it
	if err := stopSelf(stallTime); err != nil {
		x.absent = "the process can't be stopped here: " + err.Error()
		return
	}
	for _, s := range shots { // they may be as late as package time was
		x.once(s)
	}
}
