package algorithms

import (
	"errors"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// A Deliverer returns the runs that Schedule of the wheel leaves to its caller, and otherwise
// the same as the wheel. So does a copy of it.
func TestDelivererReturnsEveryRun(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		plain, d := newRig(t, l, false), &wheel.Deliverer{Wheel: l.build(t)}
		var want, got []wheel.Expiry
		advance := func(to wheel.Tick) {
			fired, _ := plain.w.Advance(to, nil, 0)
			want = append(want, fired...)
			got, _ = d.Advance(to, got, 0)
		}
		for _, o := range ops(t) {
			if o.kind != opSchedule {
				advance(plain.w.Now() + 3)
				continue
			}
			s := plain.spec(o)
			setCreated(d.Wheel, plain.w.Now()-o.age)
			h, runs, err := plain.w.Schedule(s)
			plain.handles = append(plain.handles, h)
			for k := range runs {
				want = append(want, wheel.Expiry{Due: s.Due + wheel.Tick(k)*s.Every, Key: s.Key, Run: uint32(k) + 1})
			}
			if h2, err2 := d.Schedule(s); h2 != h || err2 != err {
				t.Fatalf("%+v: %v, %v, of the wheel %v, %v", s, h2, err2, h, err)
			}
			if next, ok := d.Next(); runs > 0 && (!ok || next > d.Now()) {
				t.Fatalf("the next tick is %d at %d, though %d runs are due", next, d.Now(), runs)
			}
		}
		advance(plain.w.Now() + 3)
		byRun := func(a, b wheel.Expiry) int {
			return slices.Compare([]int64{int64(a.Key), int64(a.Run)}, []int64{int64(b.Key), int64(b.Run)})
		}
		slices.SortFunc(want, byRun)
		slices.SortFunc(got, byRun)
		if !slices.Equal(got, want) {
			t.Fatalf("it returned\n%v, want\n%v", got, want)
		}
	})
}

// A timer without a key can't be recognised when it fires: every wheel rejects it.
func TestKeyZeroIsRefused(t *testing.T) {
	for _, l := range lanes() {
		w := l.build(t)
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		h, runs, err := w.Schedule(wheel.Spec{Due: w.Now() + 5})
		if !errors.Is(err, wheel.ErrKey) || runs != 0 || !h.IsZero() || w.Len() != 0 || len(log.Events) != 0 || w.Check() != nil {
			t.Errorf("%s: %v, %d runs, %v; %d are armed, %d events, %v", l.name, h, runs, err, w.Len(), len(log.Events), w.Check())
		}
	}
}

// A Deliverer rejects PlaceKey, since a timer that is already due has no place.
func TestDelivererRefusesPlaceKey(t *testing.T) {
	d := wheel.Deliverer{Wheel: lanes()[0].build(t)}
	if _, err := d.Schedule(wheel.Spec{Due: 5, Key: wheel.PlaceKey}); !errors.Is(err, wheel.ErrKey) || d.Len() != 0 {
		t.Errorf("%v, %d are armed", err, d.Len())
	}
}
