package fairqueue

import (
	"sync"
	"syscall/js"
	"time"
)

// breathInterval is the time for which work in a browser computes before it lets the browser deliver
// messages. The Go scheduler returns to the browser only when no goroutine can run.
const breathInterval = 16 * time.Millisecond

// breath is the channel of messages through which a goroutine waits for the browser: a message that is
// posted to it arrives after all earlier ones. A timer would wait 4 ms each time (HTML, "timer
// initialization steps").
var breath = struct {
	sync.Mutex
	last    time.Time
	ports   js.Value
	arrived chan struct{}
}{}

// breathe lets the browser deliver messages if it has not done so for breathInterval.
func breathe() {
	breath.Lock()
	defer breath.Unlock()
	if time.Since(breath.last) < breathInterval {
		return
	}
	if breath.arrived == nil {
		breath.arrived = make(chan struct{}, 1)
		breath.ports = js.Global().Get("MessageChannel").New()
		breath.ports.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
			breath.arrived <- struct{}{}
			return nil
		}))
	}
	breath.ports.Get("port2").Call("postMessage", nil)
	<-breath.arrived
	breath.last = time.Now()
}
