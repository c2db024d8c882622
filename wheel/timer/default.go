package timer

import (
	"sync"
	"time"
)

// Default returns the process's own wheel, made by the first call: ticks of 1 ms, a goroutine
// for each callback. It is for programs, not for libraries, and is never closed. In a bubble
// of testing/synctest Default panics: the wheel's clock is not the bubble's. Make a wheel
// there with [New].
func Default() *Wheel {
	if bubbled() {
		panic("timer: Default does not work in a bubble of testing/synctest, whose clock is another: make a wheel there with timer.New, and close it before the bubble ends")
	}
	return byDefault()
}

var byDefault = sync.OnceValue(func() *Wheel {
	w, err := New()
	if err != nil {
		panic(err) // no option was given that could be wrong
	}
	return w
})

// bubbled reports whether the caller is in a bubble of testing/synctest: there time.Now has no
// monotonic reading for Round to strip, and everywhere else it has.
func bubbled() bool {
	now := time.Now()
	return now == now.Round(0)
}
