package algorithms

import (
	"reflect"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// However a wheel is driven, the same operations lead to the same state, the same handles, the
// same cost, and the same expiries.
func TestWaysOfDrivingAgree(t *testing.T) {
	ways := []struct {
		name     string
		advance  func(wheel.Observable, wheel.Tick) []wheel.Expiry
		observed bool
		clone    bool // continues with a copy after each operation
	}{
		{"in one jump", jump, true, false},
		{"in one jump, unobserved", jump, false, false},
		{"from Next to Next", nextByNext, false, false},
		{"on a budget of one", inSlices, false, false},
		{"in halves", inHalves, false, false},
		{"through copies", jump, false, true},
	}
	eachLane(t, nil, func(t *rapid.T, l lane) {
		base := newRig(t, l, false)
		rigs := make([]*rig, len(ways))
		for k, way := range ways {
			rigs[k] = newRig(t, l, way.observed)
		}
		for _, o := range ops(t) {
			want := base.do(o, tickByTick)
			base.check(t)
			for k, way := range ways {
				r := rigs[k]
				if got := r.do(o, way.advance); !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v %s: %+v, tick by tick %+v", o, way.name, got, want)
				}
				r.check(t)
				if got, want := r.state(), base.state(); !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v %s: state\n%+v, tick by tick\n%+v", o, way.name, got, want)
				}
				if r.w.Cost() != base.w.Cost() || r.w.Now() != base.w.Now() {
					t.Fatalf("%+v %s: cost %+v at %d, tick by tick %+v at %d", o, way.name, r.w.Cost(), r.w.Now(), base.w.Cost(), base.w.Now())
				}
				if way.clone {
					old := r.w
					r.w = old.Clone()
					disturb(old)
				}
			}
		}
	})
}

func inHalves(w wheel.Observable, to wheel.Tick) []wheel.Expiry {
	fired, _ := w.Advance(w.Now()+(to-w.Now())/2, nil, 0)
	fired, _ = w.Advance(to, fired, 0)
	return fired
}

// disturb changes a wheel that was copied, to check that the copy is independent.
func disturb(w wheel.Observable) {
	w.Schedule(wheel.Spec{Due: w.Now() + 2, Key: 1 << 20, Every: 1, Times: -1})
	w.Advance(w.Now()+7, nil, 0)
}

// If the budget runs out, Advance ends at the end of a tick before `to`, in the state of an
// advance to that tick without a budget. Or it ends within a tick, where Next is Now, and the
// following calls lead to the same state.
func TestBudgetStopsAtTheEndOfATick(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		base, r := newRig(t, l, false), newRig(t, l, false)
		budget := rapid.IntRange(1, 9).Draw(t, "budget")
		for _, o := range ops(t) {
			base.do(o, func(wheel.Observable, wheel.Tick) []wheel.Expiry { return nil })
			r.do(o, func(w wheel.Observable, to wheel.Tick) (fired []wheel.Expiry) {
				for status := wheel.Budget; status == wheel.Budget; {
					fired, status = w.Advance(to, fired, budget)
					next, _ := w.Next()
					within := status == wheel.Budget && next == w.Now()
					if before := within || w.Now() < to; before != (status == wheel.Budget) && status != wheel.Stuck {
						t.Fatalf("status %d at %d on the way to %d", status, w.Now(), to)
					}
					if within && !l.stopsWithinTicks() {
						t.Fatalf("stopped within tick %d", next)
					}
					if within {
						continue
					}
					jump(base.w, w.Now())
					if got, want := r.state(), base.state(); !reflect.DeepEqual(got, want) || w.Cost() != base.w.Cost() {
						t.Fatalf("stopped at %d as\n%+v, without a budget\n%+v", w.Now(), got, want)
					}
				}
				return fired
			})
		}
	})
}

// IdlePeak returns the cost of the costliest of the ticks without timers, and that tick, as
// found by advancing tick by tick.
func TestIdlePeakIsTheWorstTickWalked(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		r := newRig(t, l, false)
		for _, o := range ops(t) {
			r.do(o, jump)
			to := r.w.Now() + rapid.Int64Range(0, 90).Draw(t, "idle")
			if at, ok := r.w.Next(); ok && at <= to {
				to = at - 1
			}
			peak, at := r.w.IdlePeak(to)
			walked := r.w.Clone()
			var worst, worstAt wheel.Tick
			for tick := walked.Now(); tick <= to; tick++ { // a wheel can count work at its start
				before := walked.Cost().Total()
				jump(walked, tick)
				if cost := walked.Cost().Total() - before; cost > worst {
					worst, worstAt = cost, tick
				}
			}
			if peak != worst || at != worstAt {
				t.Fatalf("IdlePeak(%d) at %d is %d at %d, walked %d at %d", to, r.w.Now(), peak, at, worst, worstAt)
			}
		}
	})
}

// An event's Cost is the wheel's total when the event was emitted: it never falls, and the last
// one is the total.
func TestCostOfEventsNeverFalls(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		r := newRig(t, l, true)
		for _, o := range ops(t) {
			r.do(o, jump)
		}
		sorted := slices.IsSortedFunc(r.log.Events, func(a, b wheel.Event) int { return int(a.Cost - b.Cost) })
		if n := len(r.log.Events); !sorted || n > 0 && r.log.Events[n-1].Cost > r.w.Cost().Total() {
			t.Fatalf("costs of events fall, or pass the total of %d", r.w.Cost().Total())
		}
		if got := r.log.Emitted(); got != int64(len(r.log.Events)) {
			t.Fatalf("Told is %d, %d events are kept", got, len(r.log.Events))
		}
	})
}

// The first entries of a place are the first of all its entries, and its count is the same
// however few are requested.
func TestAppendStateCutsEntriesOnly(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		r := newRig(t, l, false)
		for _, o := range ops(t) {
			r.do(o, jump)
		}
		whole := r.state()
		most := rapid.IntRange(0, 3).Draw(t, "most")
		var cut wheel.State
		r.w.AppendState(&cut, most)
		for k := range whole.Places {
			p := &whole.Places[k]
			if p.Count != len(p.Entries) {
				t.Fatalf("place %+v counts %d", p, p.Count)
			}
			p.Entries = p.Entries[:min(most, p.Count)]
			if !r.isHeap() && most == 0 {
				p.Entries = nil
			}
		}
		if !cut.Equal(&whole) {
			t.Fatalf("first %d:\n%+v, want\n%+v", most, cut, whole)
		}
	})
}

func (r *rig) isHeap() bool { return r.w.Layout().Shape == wheel.ShapeHeap }
