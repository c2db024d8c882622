package timer

import (
	"sync"
	"time"
)

// Default returns the wheel of the process, created by the first call: ticks of 1 ms, a goroutine
// for each callback. It is for programs, not for libraries, and is never closed. In a bubble
// of testing/synctest Default panics, since the wheel's clock is not that of the bubble. Create a
// wheel there with [New].
func Default() *Wheel {
	if bubbled() {
		panic("timer: Default does not work in a bubble of testing/synctest, whose clock is another: make a wheel there with timer.New, and close it before the bubble ends")
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

// bubbled reports whether the caller is in a bubble of testing/synctest. There time.Now has no
// monotonic reading that Round could remove; everywhere else it has one.
func bubbled() bool {
	now := time.Now()
	return now == now.Round(0)
}
