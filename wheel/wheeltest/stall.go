package wheeltest

import (
	"sync"
	"time"
)

// stallTime is how long the process stands still.
const stallTime = 800 * time.Millisecond

// stall stops the whole process for a while: for what is examined time jumps.
func stall(x *exam) {
	var mu sync.Mutex
	var order []int
	var shots []*shot
	arm := func(k int, d time.Duration) {
		shots = append(shots, x.afterDo(d, func() {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, k)
		}))
	}
	step := max(x.tick*3, 100*time.Millisecond) // apart enough to have an order
	for k := range 5 {
		arm(k, step*time.Duration(k+1))
	}
	arm(5, step*5+stallTime+300*time.Millisecond) // after it
	if err := stopSelf(stallTime); err != nil {
		x.absent = "the process can't be stopped here: " + err.Error()
		return
	}
	resumed := time.Now()
	x.pass(max(0, time.Until(shots[5].due)))
	x.settle()
	for _, s := range shots {
		if s.due.Before(resumed) {
			s.due = resumed.Add(-x.tick) // it could not fire before; never early is held elsewhere
			if n := len(s.times()); n == 1 && s.times()[0].Sub(resumed) > x.slack() {
				x.failf("%s was due while the process stood still and fired %v after it went on", s.name, s.times()[0].Sub(resumed))
			}
			if n := len(s.times()); n != 1 {
				x.failf("%s was due while the process stood still and fired %d times", s.name, n)
			}
			continue
		}
		x.once(s)
	}
}
