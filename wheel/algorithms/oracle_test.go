package algorithms

import (
	"cmp"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// oracle is a sorted slice of timers: what any exact lane must fire, and when.
type oracle struct {
	lane    lane
	now     wheel.Tick
	timers  []oracleTimer // by the tick they fire at, then order of scheduling
	refused int
}

type oracleTimer struct {
	fires wheel.Tick // the end of the wheel tick of the due tick
	key   uint32
	due   wheel.Tick
	every wheel.Tick
	left  int32
	run   uint32
}

// firing is an expiry and the tick at which it occurred.
type firing struct {
	at wheel.Tick
	wheel.Expiry
}

// reaches reports whether a lane with a range accepts a timer that fires at `fires`.
func (o *oracle) reaches(fires wheel.Tick) bool {
	u := o.lane.width()
	span, top := int64(1), int64(0)
	switch slots := o.lane.params["slots"].(type) {
	case []int64:
		for _, n := range slots[:len(slots)-1] {
			span *= n
		}
		top = slots[len(slots)-1]
	case int64:
		levels, fixed := o.lane.params["levels"].(int64)
		if o.lane.rule() == "hierarchical" && !fixed {
			levels = wheel.LevelsMax
			if o.lane.id == "kafka" {
				return true
			}
		}
		for range levels - 1 {
			span *= slots
		}
		top = slots
	}
	unbounded := top == 0 || o.lane.id == "rounds" || o.lane.id == "hashed-sorted" || o.lane.id == "calendar" || o.lane.params["overflow"] == "list"
	return unbounded || fires/u/span-o.now/u/span < top
}

// arm fires a timer now, keeps it, or (beyond the range) drops it.
func (o *oracle) arm(t oracleTimer) (fired []firing) {
	u := o.lane.width()
	clock := o.now - o.now%u
	for {
		t.fires = o.lane.tickOf(t.due) * u
		if t.fires > clock {
			break
		}
		fired = append(fired, firing{o.now, wheel.Expiry{Due: t.due, Key: t.key, Run: t.run}})
		if t.left == 0 {
			return fired
		}
		t.left, t.due, t.run = t.left-min(max(t.left, 0), 1), t.due+t.every, t.run+1
	}
	if !o.reaches(t.fires) {
		o.refused++
		return fired
	}
	k, _ := slices.BinarySearchFunc(o.timers, t.fires, func(x oracleTimer, at wheel.Tick) int {
		return cmp.Or(cmp.Compare(x.fires, at), -1) // behind equal ones
	})
	o.timers = slices.Insert(o.timers, k, t)
	return fired
}

func (o *oracle) schedule(s wheel.Spec) []firing {
	t := oracleTimer{key: s.Key, due: s.Due, every: s.Every, left: s.Times, run: 1}
	if t.left > 0 {
		t.left--
	}
	if t.every == 0 {
		t.left = 0
	}
	return o.arm(t)
}

func (o *oracle) cancel(key uint32) bool {
	k := slices.IndexFunc(o.timers, func(t oracleTimer) bool { return t.key == key })
	if k < 0 {
		return false
	}
	o.timers = slices.Delete(o.timers, k, k+1)
	return true
}

func (o *oracle) advance(to wheel.Tick) (fired []firing) {
	for len(o.timers) > 0 && o.timers[0].fires <= to {
		t := o.timers[0]
		o.timers = o.timers[1:]
		o.now = t.fires
		fired = append(fired, o.arm(t)...)
	}
	o.now = to
	return fired
}

// keepsOrder reports whether the lane fires timers of one tick in order of scheduling. With a
// side list or distance placement, a timer scheduled later may already be in the slot when an
// earlier one cascades to it. With digit placement all timers of one due tick are in one slot,
// but a repeat that fired from a coarser slot is placed there before the timers behind
// it.
func (l lane) keepsOrder(repeats bool) bool {
	if l.rule() == "hierarchical" {
		_, one := l.params["slots"].(int64)
		grows := one && l.params["levels"] == nil // timers scheduled before a level was added are in a lower one
		return l.params["placement"] == "digits" && !repeats && !grows
	}
	if l.id == "tokio" {
		return l.params["library"] != "tokio-util" && !repeats // by digits too; a DelayQueue fires the last of a slot first
	}
	return l.params["overflow"] != "list"
}

// An exact lane fires every timer at the end of its wheel tick, once for each run, and in order
// of scheduling if keepsOrder is true.
func TestExactLaneFiresWhatTheOracleFires(t *testing.T) {
	eachLane(t, lane.isExact, func(t *rapid.T, l lane) {
		r, o := newRig(t, l, false), &oracle{lane: l, now: l.start}
		workload := ops(t)
		repeats := slices.ContainsFunc(workload, func(o op) bool { return o.every > 0 })
		for _, op := range workload {
			var want, got []firing
			switch op.kind {
			case opSchedule:
				atOnce := o.schedule(r.spec(op))
				if res := r.do(op, nil); res.runs != len(atOnce) {
					t.Fatalf("%+v: %d runs at once, the oracle has %d", op, res.runs, len(atOnce))
				}
			case opCancel:
				if n := len(r.handles); n > 0 {
					if had := o.cancel(uint32(op.pick%n + 1)); r.do(op, nil).cancelled != had {
						t.Fatalf("%+v: the oracle has it: %v", op, had)
					}
				}
			case opAdvance:
				for at := r.w.Now() + 1; op.by > 0; op.by, at = op.by-1, at+1 {
					for _, x := range jump(r.w, at) {
						got = append(got, firing{at, x})
					}
				}
				want = o.advance(r.w.Now())
			}
			compareFirings(t, l.keepsOrder(repeats), got, want)
			if r.w.Len() != len(o.timers) || int(r.state().Counts.Rejected) != o.refused {
				t.Fatalf("%+v: %d live and %+v, the oracle has %d and refused %d", op, r.w.Len(), r.state().Counts, len(o.timers), o.refused)
			}
		}
	})
}

func compareFirings(t *rapid.T, ordered bool, got, want []firing) {
	t.Helper()
	if !ordered {
		byKey := func(a, b firing) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Run, b.Run))
		}
		slices.SortFunc(got, byKey)
		slices.SortFunc(want, byKey)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("fired\n%v, the oracle\n%v", got, want)
	}
}

// The naive count of rounds fires one revolution late if n divides the distance, and otherwise
// on time.
func TestNaiveRoundsAreLateByWholeRevolutions(t *testing.T) {
	naive := func(l lane) bool { return l.params["variant"] == "naive" }
	eachLane(t, naive, func(t *rapid.T, l lane) {
		n := l.params["slots"].(int64)
		r := newRig(t, l, false)
		jump(r.w, l.start+rapid.Int64Range(0, 20).Draw(t, "now"))
		j := rapid.Int64Range(1, 200).Draw(t, "distance")
		want := r.w.Now() + j
		if j%n == 0 {
			want += n
		}
		r.do(op{delay: j}, nil)
		if at := firesAt(r.w); at != want {
			t.Fatalf("distance %d on %d slots fires at %d, want %d", j, n, at, want)
		}
	})
}
