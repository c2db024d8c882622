package algorithms

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"pgregory.net/rapid"
)

// A Kafka wheel that is woken after each operation fires every run at the
// beginning of its slot, or when it is armed if that has passed: up to a slot
// early, never late, however far its clock lags.
func TestKafkaFiresAtTheBeginningOfASlot(t *testing.T) {
	eachLane(t, func(l lane) bool { return l.id == "kafka" }, func(t *rapid.T, l lane) {
		r := newRig(t, l, true)
		armed := map[uint32]wheel.Tick{}
		seen := 0
		check := func() {
			t.Helper()
			for ; seen < len(r.log.Events); seen++ {
				switch e := r.log.Events[seen]; e.Kind {
				case wheel.KindSchedule:
					armed[e.ID] = r.w.Now()
				case wheel.KindExpire:
					if want := max(e.Due/l.width()*l.width(), armed[e.ID]); r.w.Now() != want {
						t.Fatalf("timer %d, due %d, fires at %d, want %d", e.ID, e.Due, r.w.Now(), want)
					}
				}
			}
			if at, ok := r.w.Next(); ok && at <= r.w.Now() {
				t.Fatalf("at %d the next tick is %d", r.w.Now(), at)
			}
		}
		for _, o := range ops(t) {
			if o.kind != opAdvance {
				r.do(o, nil)
				jump(r.w, r.w.Now())
				check()
				continue
			}
			for ; o.by > 0; o.by-- {
				jump(r.w, r.w.Now()+1)
				check()
			}
		}
	})
}

// While nothing expires the clock stands: after a pause a short timer lands in a
// coarse level, and cascades in the same tick. An emptied slot is dequeued all
// the same.
func TestKafkaClockStands(t *testing.T) {
	w := build(t, "kafka", catalog.Params{"slots": int64(20)}, 0)
	jump(w, 100)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	h, _, _ := w.Schedule(wheel.Spec{Due: 105, Key: 1})
	if at, ok := w.Next(); !ok || at != 100 {
		t.Fatalf("next at %d, %v: the slot has begun at 100", at, ok)
	}
	jump(w, 100)
	w.Cancel(h)
	jump(w, 105)
	var kinds []string
	for _, e := range log.Events {
		kinds = append(kinds, e.Kind.String())
	}
	want := []string{"schedule", "grow", "place", "enqueue", "dequeue", "cascade", "enqueue", "cancel", "dequeue"}
	if !slices.Equal(kinds, want) {
		t.Errorf("told %v, want %v", kinds, want)
	}
	if e := log.Events[2]; e.ToLevel != 1 || e.ToSlot != 5 {
		t.Errorf("placed at level %d slot %d, want 1 5", e.ToLevel, e.ToSlot)
	}
}
