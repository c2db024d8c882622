package algorithms

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// A Kafka wheel that is woken after each operation fires every run at the beginning of its slot, or
// when it is scheduled if the slot has already begun. It is up to a slot early and never late,
// however far its clock lags.
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
