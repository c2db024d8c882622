package algorithms

import (
	"errors"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// A handle cancels its timer at most once: never after the timer fired for the last time, was
// cancelled or rejected, or after another timer has taken its place.
func TestStaleHandlesCancelNothing(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		r := newRig(t, l, false)
		ended := map[uint32]bool{} // by key
		left := map[uint32]int32{} // remaining runs, -1: unlimited
		for _, o := range ops(t) {
			if o.kind == opSchedule {
				left[uint32(len(r.handles)+1)] = l.runsOf(o)
			}
			res := r.do(o, jump)
			switch {
			case o.kind == opCancel && len(r.handles) > 0:
				key := uint32(o.pick%len(r.handles) + 1)
				if res.cancelled && ended[key] {
					t.Fatalf("timer %d was cancelled after its end", key)
				}
				ended[key] = true
			case o.kind == opSchedule:
				key := uint32(len(r.handles))
				ended[key] = r.handles[key-1].IsZero()
				left[key] -= min(int32(res.runs), left[key]+1)
			}
			for _, x := range res.fired {
				if ended[x.Key] {
					t.Fatalf("timer %d fires after its end", x.Key)
				}
				if left[x.Key]--; left[x.Key] == 0 {
					ended[x.Key] = true
				}
			}
			for key, over := range ended {
				h := r.handles[key-1]
				cancels := r.w.Clone().Cancel(h)
				if over && cancels {
					t.Fatalf("the handle of timer %d, which has ended, cancels one", key)
				}
				if got := r.w.Armed(h); got != cancels {
					t.Fatalf("timer %d is armed: %v; it can be cancelled: %v", key, got, cancels)
				}
			}
		}
		for _, p := range r.state().Places {
			for _, e := range p.Entries {
				if e.Marked {
					continue // cancelled already
				}
				if r.handles[e.ID-1] != e.Handle || !r.w.Cancel(e.Handle) || r.w.Cancel(e.Handle) {
					t.Fatalf("timer %d is listed with handle %v, given %v", e.ID, e.Handle, r.handles[e.ID-1])
				}
			}
		}
		if r.w.Len() != 0 {
			t.Fatalf("%d are left when all are cancelled", r.w.Len())
		}
		if _, ok := r.w.Next(); ok && !l.keepsTraces() {
			t.Fatal("an empty wheel has a next tick")
		}
	})
}

// runsOf returns the number of runs of a timer; a million means no limit.
func (l lane) runsOf(o op) int32 {
	switch {
	case o.every == 0:
		return 1
	case o.times < 0:
		return 1 << 20
	}
	if l.id == "lk668" && newModel(l).has("times") {
		return o.times + 1
	}
	return o.times
}

// A timer with PlaceKey fires with the index of its handle as the key, at the same ticks as in a
// wheel with keys given by the caller.
func TestPlaceKey(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		named, placed := newRig(t, l, true), newRig(t, l, true)
		keys := map[uint32]uint32{} // by place
		for _, o := range ops(t) {
			want := named.do(o, jump)
			if o.kind != opSchedule {
				got := placed.do(o, jump)
				for i := range got.fired {
					got.fired[i].Key = keys[got.fired[i].Key]
				}
				if !slices.Equal(got.fired, want.fired) || got.cancelled != want.cancelled {
					t.Fatalf("%+v gave %+v, want %+v", o, got, want)
				}
				continue
			}
			spec := placed.spec(o)
			spec.Key = wheel.PlaceKey
			h, runs, err := placed.w.Schedule(spec)
			placed.handles = append(placed.handles, h)
			if key := uint32(len(named.handles)); h != named.handles[key-1] || runs != want.runs || err != want.err {
				t.Fatalf("%+v gave %v, %d, %v, want %v, %+v", o, h, runs, err, named.handles[key-1], want)
			}
			if !h.IsZero() {
				keys[h.Index()] = uint32(len(named.handles))
			}
		}
		placed.check(t)
		for _, e := range placed.log.Events {
			if e.ID == wheel.PlaceKey {
				t.Fatalf("%+v has no place", e)
			}
		}
	})
}

// Handles that were never returned cancel no timer and do no harm.
func TestForeignHandlesCancelNothing(t *testing.T) {
	for _, l := range lanes() {
		w := l.build(t)
		w.Schedule(wheel.Spec{Due: w.Now() + 1, Key: 1})
		for _, h := range []wheel.Timer{{}, wheel.NewTimer(0, 1), wheel.NewTimer(1, 0), wheel.NewTimer(1, 2), wheel.NewTimer(2, 1), wheel.NewTimer(1<<31, 1), wheel.NewTimer(^uint32(0), ^uint32(0))} {
			if w.Cancel(h) {
				t.Errorf("%s: %v cancels a timer", l.name, h)
			}
		}
		if err := w.Check(); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
	}
}

// A wheel without a log allocates nothing once it has grown: schedule, cancel, repeat, cascade
// and expire.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, l := range lanes() {
		t.Run(l.name, func(t *testing.T) {
			w := l.build(t)
			const timers = 64
			var handles [timers]wheel.Timer
			fired := make([]wheel.Expiry, 0, 4*timers)
			key := uint32(0)
			churn := func() {
				for k := range handles {
					w.Cancel(handles[k])
					key++
					every, times := wheel.Tick(0), int32(0)
					if k%8 == 0 {
						every, times = 3, 4
					}
					handles[k], _, _ = w.Schedule(wheel.Spec{Due: w.Now() + 1 + wheel.Tick(k)*7%90, Key: key, Every: every, Times: times})
				}
				fired, _ = w.Advance(w.Now()+7, fired[:0], 0)
			}
			for range 3000 { // more than a revolution of 4,096 slots
				churn()
			}
			if n := testing.AllocsPerRun(100, churn); n != 0 {
				t.Errorf("%v allocations a round of %d timers", n, timers)
			}
		})
	}
}

// Bytes is at least what the live timers need, and many timers that move round the wheel
// together do not leave their peak in every slot.
func TestBytes(t *testing.T) {
	const timers = 1000
	for _, l := range lanes() {
		if l.id == "simple" && l.params["overflow"] == nil || l.id == "sorted" || l.id == "hashed-sorted" {
			continue // the one rejects the timers of the test, the others take too long
		}
		w := l.build(t)
		empty := w.Bytes()
		for range 8 {
			for k := range timers {
				w.Schedule(wheel.Spec{Due: w.Now() + 37*l.width(), Key: uint32(k + 1)})
			}
			if got := w.Bytes(); got < int64(w.Len())*32 {
				t.Fatalf("%s: %d bytes for %d timers", l.name, got, w.Len())
			}
			jump(w, w.Now()+1000)
		}
		// A node has 32 bytes, an entry in a slot or in the heap at most 24, and the same again for
		// spare capacity. The empty slots are counted too.
		if got := w.Bytes(); w.Len() != 0 || got > timers*80+16384+empty {
			t.Errorf("%s: %d live, %d bytes", l.name, w.Len(), got)
		}
	}
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
