package timer

import (
	"sync"
	"time"
)

// Default returns a wheel that the whole process shares. The first call creates it, with 1 ms per tick and a goroutine
// for each callback. It is for programs, not for libraries, and is never closed. In a bubble of testing/synctest Default
// panics, since the wheel does not use the clock of the bubble; create a wheel with [New] there.
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

// inSynctestBubble reports whether the caller is in a bubble of testing/synctest. In a bubble, the result
// of time.Now has no monotonic clock reading, so that Round(0), which strips it, changes nothing.
func inSynctestBubble() bool {
	now := time.Now()
	return now == now.Round(0)
}
