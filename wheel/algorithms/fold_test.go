package algorithms

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// Folding the events of an operation onto the state before it yields the state after it, for
// every lane, after every operation and every tick.
func TestFoldGivesTheState(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		r := newRig(t, l, true)
		start := r.state()
		f := wheel.NewFold(&start)
		for _, o := range ops(t) {
			if o.kind != opAdvance {
				r.log.Events = nil
				r.do(o, nil)
				foldAll(t, f, r)
				continue
			}
			for ; o.by > 0; o.by-- {
				r.log.Events = nil
				jump(r.w, r.w.Now()+1)
				foldAll(t, f, r)
			}
			again := f.State(wheel.AllEntries)
			f = wheel.NewFold(&again) // a fold can start from the state of another
		}
	})
}

func foldAll(t *rapid.T, f *wheel.Fold, r *rig) {
	t.Helper()
	for k := range r.log.Events {
		if err := f.Apply(r.w.Now(), &r.log.Events[k]); err != nil {
			t.Fatalf("%v\nevent %+v", err, r.log.Events[k])
		}
	}
	got, want := f.State(wheel.AllEntries), r.state()
	got.Counts.Early, got.Counts.Late = 0, 0 // counted by the driver
	if !got.Equal(&want) {
		t.Fatalf("folded\n%+v, the wheel is\n%+v", got, want)
	}
}

// timedEvent is an event and the tick at which it was emitted.
type timedEvent struct {
	at wheel.Tick
	wheel.Event
}

// record runs a workload tick by tick and returns all events.
func record(t *rapid.T, r *rig) (all []timedEvent) {
	for _, o := range ops(t) {
		n := max(o.by, 1)
		for o.by = min(o.by, 1); n > 0; n-- {
			r.log.Events = nil
			r.do(o, jump)
			for _, e := range r.log.Events {
				all = append(all, timedEvent{r.w.Now(), e})
			}
		}
	}
	return all
}

// replay folds events onto a state and returns the result or the first error.
func replay(start *wheel.State, events []timedEvent) (wheel.State, error) {
	f := wheel.NewFold(start)
	for k := range events {
		if err := f.Apply(events[k].at, &events[k].Event); err != nil {
			return wheel.State{}, err
		}
	}
	return f.State(wheel.AllEntries), nil
}

// If an event is dropped, repeated or changed in any field of its kind, the fold rejects it or
// immediately yields another state. The exceptions are a hand event that takes no rounds, which has
// no effect, and a repeated move within a slot.
func TestFoldNoticesEveryTampering(t *testing.T) {
	eachLane(t, nil, func(t *rapid.T, l lane) {
		r := newRig(t, l, true)
		start := r.state()
		events := record(t, r)
		if len(events) == 0 {
			return
		}
		k := rapid.IntRange(0, len(events)-1).Draw(t, "which")
		e := events[k]
		right, err := replay(&start, events[:k+1])
		if err != nil {
			t.Fatalf("untouched: %v", err)
		}
		if e.Kind == wheel.KindHand && e.Before == 0 {
			return
		}
		seen := func(what string, tail ...timedEvent) {
			t.Helper()
			tampered := append(slices.Clone(events[:k]), tail...)
			if got, err := replay(&start, tampered); err == nil && got.Equal(&right) {
				t.Fatalf("%s goes unseen: %+v", what, e)
			}
		}
		seen("dropped")
		if e.Kind != wheel.KindPlace || e.FromLevel != e.ToLevel || e.FromSlot != e.ToSlot {
			seen("doubled", e, e)
		}
		for what, altered := range alterations(e) {
			seen(what, altered)
		}
	})
}

// alterations changes one field at a time, of those that the event's kind has.
func alterations(e timedEvent) map[string]timedEvent {
	all := map[string]timedEvent{}
	alter := func(what string, change func(*timedEvent)) {
		c := e
		change(&c)
		all[what] = c
	}
	if e.Kind != wheel.KindPlace || e.FromLevel == wheel.NoLevel { // from another place to a free one, it could be a move too
		alter("another kind", func(c *timedEvent) { c.Kind = (c.Kind+1)%(wheel.NumKinds-1) + 1 })
	}
	if e.Kind == wheel.KindGrow || e.Kind == wheel.KindResize {
		alter("another width", func(c *timedEvent) { c.X++ })
	}
	if e.Kind == wheel.KindHand {
		alter("another count", func(c *timedEvent) { c.Before++ })
	} else if e.Kind != wheel.KindGrow && e.Kind != wheel.KindResize && e.Kind != wheel.KindEnqueue && e.Kind != wheel.KindDequeue && e.Kind != wheel.KindFinding { // a finding changes no timer
		alter("another timer", func(c *timedEvent) { c.ID += 1000 })
	}
	if e.FromLevel != wheel.NoLevel && e.Kind != wheel.KindGrow {
		alter("from another slot", func(c *timedEvent) { c.FromSlot++ })
	}
	if e.FromLevel != wheel.NoLevel {
		alter("from another level", func(c *timedEvent) { c.FromLevel++ })
	}
	switch e.Kind {
	case wheel.KindPlace, wheel.KindCascade:
		alter("to another slot", func(c *timedEvent) { c.ToSlot++ })
		alter("to another level", func(c *timedEvent) { c.ToLevel++ })
		alter("in front of nobody", func(c *timedEvent) { c.Before = 999 })
		alter("another due", func(c *timedEvent) { c.Due++ })
	case wheel.KindMove:
		alter("to another slot", func(c *timedEvent) { c.ToSlot += 50 })
	case wheel.KindSchedule, wheel.KindExpire:
		alter("another due", func(c *timedEvent) { c.Due++ })
		alter("another run", func(c *timedEvent) { c.Run++ })
	case wheel.KindReject, wheel.KindPend, wheel.KindEnqueue, wheel.KindDequeue:
		alter("another due", func(c *timedEvent) { c.Due++ })
	}
	if e.Kind == wheel.KindPlace && e.X >= 0 {
		alter("another count of rounds", func(c *timedEvent) { c.X++ })
	}
	return all
}
