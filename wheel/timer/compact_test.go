package timer

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/wheel"
)

// leftMost bounds the memory left of all timers: the first page of nodes, 512 kB.
const leftMost = 2 << 20

// A wheel releases the memory of timers that have ended, and schedules as before.
func TestCompactReleasesTimers(t *testing.T) {
	timers := testkit.Pick(200_000, 1_000_000)
	before := heap()
	w, err := New(WithExecutor(Inline), WithShards(1))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Shutdown(t.Context())
	stale := make([]wheel.Timer, 0, timers/1000)
	s := w.all()[0]
	func() {
		all := make([]Timer, timers)
		for k := range all {
			all[k] = w.AfterFunc(time.Hour+time.Duration(k)*time.Millisecond, nothing)
		}
		for k := range all {
			if k%1000 == 0 {
				stale = append(stale, all[k].t)
			}
			if !all[k].Stop() {
				t.Fatal("a pending timer was not stopped")
			}
		}
	}()
	stopped := heap() - before
	w.Compact()
	compacted := heap() - before
	t.Logf("%d bytes when all are stopped, %d after Compact", stopped, compacted)
	if compacted > leftMost {
		t.Errorf("a wheel without timers keeps %d bytes after Compact", compacted)
	}
	for k := range 20_000 {
		if w.AfterFunc(time.Hour+time.Duration(k)*time.Millisecond, nothing); err != nil {
			t.Fatal(err)
		}
	}
	for _, old := range stale {
		s.mu.Lock()
		if s.cancel(old) {
			t.Error("a handle from before Compact stopped another timer")
		}
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endGroup(w.now())
	if err := s.observable().Check(); err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(w)
}

// Compact may be called while another goroutine closes the wheel. Under -race this found a read without the lock.
func TestCompactWhileClosing(t *testing.T) {
	for range 20 {
		w, err := New(WithExecutor(Inline), WithShards(1))
		if err != nil {
			t.Fatal(err)
		}
		if w.AfterFunc(time.Hour, nothing); err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		both.Go(w.Compact)
		both.Go(func() { w.Close() })
		both.Wait()
	}
}
