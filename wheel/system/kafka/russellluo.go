package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// russellLuo is Kafka's wheel as RussellLuo/timingwheel (54845bd) ported it to Go. Timers
// are placed and fire in the same way, but no lock covers the three steps of its loop for a
// slot that has become due (Kafka holds a write lock). Other goroutines can run between
// removing the slot from the queue and moving the clock, and between moving the clock and
// processing the timers:
//
//   - a timer put into the slot that was removed gives it a later expiration, and the clock
//     is moved to that: the timers of the slot fire early, and the delays of timers
//     scheduled from then on are computed with a clock ahead of the real one
//   - a timer of the slot that belongs into that very slot is put back while the loop
//     holds the mutex of the slot: the loop waits for itself forever (issue 53)
//
// The driver announces with Hold that an operation comes in between; each such gap admits
// one. Without Hold this is Kafka's wheel.
type russellLuo struct {
	kafka
	held   bool         // an operation is to come before the loop continues
	paused bool         // the loop waits for that operation
	stage  stage        // what was done with taken
	taken  wheel.Bucket // the slot being processed
}

// stage is the last step of the loop for the current slot.
type stage uint8

const (
	idle     stage = iota // no slot is taken
	polled                // removed from the queue
	advanced              // the clock has moved
)

var faultNames = []string{"unlocked"}

// unlockedParameter switches on the faults of the Go port. Without it the wheel is Kafka's, so
// it has no default.
func unlockedParameter() catalog.Parameter {
	return catalog.Parameter{Name: "faults", Type: catalog.TypeNames, Options: faultNames}
}

// NewRussellLuo returns an empty wheel of one level. The error is a *ParamError.
func NewRussellLuo(c Config) (wheel.Interleaver, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &russellLuo{kafka: *c.newKafka()}, nil
}

// Hold sets whether an operation occurs before the loop continues.
func (w *russellLuo) Hold(more bool) { w.held, w.paused = more, false }

// Schedule adds a timer. If a clock that is ahead makes it run too early, it emits a finding.
func (w *russellLuo) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	t, runs, err := w.ScheduleWith(&w.kafka, &s)
	for k := range wheel.Tick(runs) {
		if !w.Arena.Spend(1) {
			return wheel.Timer{}, runs, wheel.ErrAborted
		}
		w.early(s.Key, s.Due+k*s.Every)
	}
	return t, runs, err
}

// early emits a finding if a run is earlier than the rule allows, which is u−1 ticks.
func (w *russellLuo) early(key uint32, due wheel.Tick) {
	if due-w.Reached >= w.u {
		w.EmitFinding(wheel.CodeEarly, key, due, w.Reached)
	}
}

// NextWork returns the tick of the loop's next work, or 0 if there is none or the loop waits
// for an operation.
func (w *russellLuo) NextWork() int64 {
	switch {
	case w.Halted || w.paused:
		return 0
	case w.stage != idle:
		return w.Reached
	}
	return w.kafka.NextWork()
}

// Next returns Now if a slot has been removed from the queue and not processed.
func (w *russellLuo) Next() (wheel.Tick, bool) {
	switch {
	case w.Halted:
		return 0, false
	case w.stage != idle:
		return w.Reached, true
	}
	return w.kafka.Next()
}

// Advance processes the slots that leave the delay queue by `to`, until an operation is to
// come in between.
func (w *russellLuo) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// ProcessTick runs the loop until nothing is due or an operation is to come.
func (w *russellLuo) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	for !w.Halted && w.Arena.Spend(1) {
		switch w.stage {
		case idle:
			if len(w.queue.Items) == 0 || w.queue.Items[0].Due > w.Reached {
				return fired
			}
			w.poll()
		case polled:
			w.advanceClock()
		case advanced:
			fired = w.flush(fired)
			continue
		}
		if w.held {
			w.held, w.paused = false, true
			return fired
		}
	}
	return fired
}

// poll removes the head of the queue.
func (w *russellLuo) poll() {
	w.taken, w.stage = w.queue.Pop(), polled
	w.Costs.Slots++
	if w.Log != nil {
		b := w.taken
		w.Emit(wheel.Event{Kind: wheel.KindDequeue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: wheel.NoLevel})
	}
}

// index returns the index, over all levels, of the slot being processed.
func (w *russellLuo) index() uint32 { return w.Levels[w.taken.Level].First + w.taken.Slot }

// advanceClock moves the clock to the current expiration of the slot, even if it waited with
// another one. A slot that was emptied before has none.
func (w *russellLuo) advanceClock() {
	if at := w.waits[w.index()]; at >= w.clock+w.u {
		w.clock = at
	}
	w.stage = advanced
}

// flush processes the timers of the slot as Kafka.flush does.
func (w *russellLuo) flush(fired []wheel.Expiry) []wheel.Expiry {
	l, index := int(w.taken.Level), w.index()
	here := len(w.Slots[index].IDs)
	k := 0
	for ; k < here && !w.Halted; k++ {
		if !w.Arena.Spend(1) {
			return fired
		}
		if !w.Slots[index].Holds(&w.Arena, index, k) {
			continue
		}
		w.Costs.Touched++
		i := w.Slots[index].IDs[k]
		n := w.Arena.At(i)
		switch key, due := n.Key, n.Due; {
		case due < w.clock+w.u:
			fired = w.Expire(&w.kafka, i, n, w.taken.Level, w.taken.Slot, fired)
			w.early(key, due)
		case w.slotOf(due) == index:
			w.EmitFinding(wheel.CodeStuck, key, int64(here), int64(k))
			k-- // the entry stays where it is
		default:
			w.Costs.Moved++
			w.placeLowest(wheel.KindCascade, i, n, w.taken.Level, w.taken.Slot)
		}
	}
	w.Slots[index].CloseGaps(&w.Arena, index, 0, k)
	w.ReleaseEmpty(&w.Arena, l, index)
	w.waits[index], w.stage = 0, idle
	return fired
}

// slotOf returns the slot, over all levels, in which a timer now belongs.
func (w *russellLuo) slotOf(due wheel.Tick) uint32 {
	l := 0
	for !w.reaches(l, due) {
		l++
	}
	v := &w.Levels[l]
	return v.First + v.SlotOf(v.Index(due))
}

// Clone returns an independent copy of the wheel, without its log.
func (w *russellLuo) Clone() wheel.Wheel {
	c := *w
	c.kafka = *w.kafka.Clone().(*kafka)
	return &c
}

// Check verifies every slot. The entries of the queue need not agree with the slots, which is
// the fault.
func (w *russellLuo) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Levels(&w.LevelSet, func(i int, s int64, n *core.Node) bool {
		l := &w.Levels[i]
		return l.Index(n.Due)%l.N == s
	})
	return c.Done()
}

// CloneOver copies the whole wheel; Kafka's CloneOver would omit the added fields.
func (w *russellLuo) CloneOver(wheel.Wheel) wheel.Wheel { return w.Clone() }
