package timer

import (
	"runtime"
	"testing"
	"time"
)

// The function of a stopped timer can be garbage collected at once.
func TestStoppedTimersReleaseFunctions(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	gone := make(chan bool, 1)
	func() {
		big := new([1 << 16]byte)
		runtime.AddCleanup(big, func(c chan bool) { c <- true }, gone)
		timer := w.AfterFunc(time.Hour, func() { big[0]++ })
		timer.Stop()
	}()
	for begun := time.Now(); ; runtime.GC() {
		select {
		case <-gone:
			return
		case <-time.After(5 * time.Millisecond):
		}
		if time.Since(begun) > 30*time.Second {
			t.Fatal("the wheel keeps what a stopped timer referred to")
		}
	}
}
