package script

import (
	"syscall/js"
	"time"
)

// begunEvery is the least time between two messages of begun.
const begunEvery = 250 * time.Millisecond

var lastBegun time.Time

// begun tells the page's worker that a call of a wheel begins. A call that does not return cannot be interrupted here, because
// goroutines take turns only when one waits: the worker that started this one ends it.
func begun() {
	if now := time.Now(); now.Sub(lastBegun) >= begunEvery {
		lastBegun = now
		js.Global().Call("wheelscopeBegun")
	}
}
