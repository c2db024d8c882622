package timer

import (
	"runtime"
	"testing"
	"time"
)

// A timer that nobody refers to is collected, though it is pending; one whose channel
// is all that is left fires.
func TestUnreferencedTimersAreCollected(t *testing.T) {
	w := make1(t, Shards(1))
	defer w.Shutdown(t.Context())
	var channels []<-chan time.Time
	for range 100 {
		_, err := w.NewTimer(time.Hour)
		must(t, err)
		_, err = w.NewTicker(time.Hour)
		must(t, err)
		c, err := w.After(50 * time.Millisecond)
		must(t, err)
		channels = append(channels, c)
	}
	for begun := time.Now(); w.Pending() > 0; runtime.GC() {
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("%d are pending still", w.Pending())
		}
		time.Sleep(5 * time.Millisecond)
	}
	for k, c := range channels {
		select {
		case <-c:
		case <-time.After(30 * time.Second):
			t.Fatalf("channel %d received nothing", k)
		}
	}
	if s := w.Stats(); s.Fired != 100 || s.Cancelled != 200 {
		t.Errorf("%+v", s)
	}
}

// Memory of a stopped timer's function is let go at once.
func TestStoppedTimersLetGo(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	gone := make(chan bool, 1)
	func() {
		big := new([1 << 16]byte)
		runtime.AddCleanup(big, func(c chan bool) { c <- true }, gone)
		timer, err := w.AfterFunc(time.Hour, func() { big[0]++ })
		must(t, err)
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
