package unsorted

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// Scheme 1 counts every timer at every tick, whether or not it goes through the list. The
// count stays at its maximum.
func TestListPaysForEveryTimer(t *testing.T) {
	w := coretest.Build(t, Algorithm, nil, 0)
	for k := range 10 {
		w.Schedule(wheel.Spec{Due: 1000, Key: uint32(k + 1)})
	}
	armed := w.Cost()
	coretest.Jump(w, 100)
	if c := w.Cost(); c.Slots != 100 || c.Touched-armed.Touched != 1000 {
		t.Errorf("100 ticks of 10 timers cost %+v", c)
	}
	far := coretest.Build(t, Algorithm, nil, 0)
	for k := range 10 {
		far.Schedule(wheel.Spec{Due: wheel.TickMax, Key: uint32(k + 1)})
	}
	coretest.Jump(far, wheel.TickMax-1)
	if c := far.Cost(); c.Touched != core.TouchedMax || c.Total() < 0 {
		t.Errorf("2^62 ticks of 10 timers cost %+v", c)
	}
}
