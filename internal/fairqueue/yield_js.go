package fairqueue

import (
	"sync"
	"syscall/js"
	"time"
)

// yieldInterval is how long a computation in a browser may run before it must yield to the event loop, so
// that the browser can deliver messages. The Go scheduler itself yields only when no goroutine can run.
const yieldInterval = 16 * time.Millisecond

// browserTurn holds the ports of a JavaScript MessageChannel, through which a goroutine sends itself a
// message. The browser delivers messages in order, so when that message arrives, all earlier ones have been
// delivered. A timer would take at least 4 ms (HTML, "timer initialization steps").
var browserTurn = struct {
	sync.Mutex
	last    time.Time
	ports   js.Value
	arrived chan struct{}
}{}

// yieldToBrowser lets the browser deliver pending messages. It does nothing if it has done so within the last
// yieldInterval.
func yieldToBrowser() {
	browserTurn.Lock()
	defer browserTurn.Unlock()
	if time.Since(browserTurn.last) < yieldInterval {
		return
	}
	if browserTurn.arrived == nil {
		browserTurn.arrived = make(chan struct{}, 1)
		browserTurn.ports = js.Global().Get("MessageChannel").New()
		browserTurn.ports.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
			browserTurn.arrived <- struct{}{}
			return nil
		}))
	}
	browserTurn.ports.Get("port2").Call("postMessage", nil)
	<-browserTurn.arrived
	browserTurn.last = time.Now()
}
