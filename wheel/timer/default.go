package timer

import (
	"sync"
	"time"
)

// Default returns a wheel that the whole process shares. The first call creates it, with 1 ms per tick and a goroutine
// for each callback. It is meant for programs, not libraries, and is never closed. In a testing/synctest bubble,
// Default panics, because the wheel does not use the bubble's clock; create a wheel with [New] there.
func Default() *Wheel {
	if inSynctestBubble() {
		panic("timer: Default does not work in a bubble of testing/synctest, which has its own clock: create a wheel in the bubble with timer.New, and close it before the bubble ends")
	}
	return byDefault()
}

var byDefault = sync.OnceValue(func() *Wheel {
	w, err := New()
	if err != nil {
		panic(err) // no option was given that could be invalid
	}
	return w
})

// inSynctestBubble reports whether the caller is in a testing/synctest bubble. In a bubble, the result of time.Now has
// no monotonic clock reading, so Round(0), which strips that reading, changes nothing.
func inSynctestBubble() bool {
	now := time.Now()
	return now == now.Round(0)
}
