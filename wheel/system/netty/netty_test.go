package netty

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// At most TransferMax timers leave the pending queue at a tick; the others wait in
// order.
func TestNettyTransferIsBounded(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(8)}, 0)
	var last wheel.Timer
	for k := range TransferMax + 3 {
		last, _, _ = w.Schedule(wheel.Spec{Due: 5, Key: uint32(k + 1)})
	}
	w.Cancel(last)
	coretest.Jump(w, 1)
	var s wheel.State
	w.AppendState(&s, 0)
	if s.Places[0].Level != -1 || s.Places[0].Count != 3 || w.Check() != nil {
		t.Fatalf("pending %+v, %v", s.Places[0], w.Check())
	}
	coretest.Jump(w, 2)
	if w.Len() != TransferMax+2 || w.Check() != nil {
		t.Fatalf("%d live, %v", w.Len(), w.Check())
	}
	if fired := coretest.Jump(w, 6); len(fired) != TransferMax+2 {
		t.Fatalf("%d fired", len(fired))
	}
}

// TestNettyMarkedTimerDoesNotFire cancels a timer whose slot is visited at the next tick. The visit
// skips the marked timer, which is removed without firing.
func TestNettyMarkedTimerDoesNotFire(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(4), "width": int64(1)}, 0)
	gone, _, _ := w.Schedule(wheel.Spec{Due: 5, Key: 1})
	w.Schedule(wheel.Spec{Due: 5, Key: 2})
	w.Advance(5, nil, 0)
	if !w.Cancel(gone) {
		t.Fatal("a waiting timer is not cancelled")
	}
	fired, _ := w.Advance(20, nil, 0)
	if len(fired) != 1 || fired[0].Key != 2 || w.Len() != 0 {
		t.Fatalf("fired %v, %d live", fired, w.Len())
	}
}
