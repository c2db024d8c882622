package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// russellLuo is the Go port of Kafka's wheel by RussellLuo/timingwheel (54845bd). It places and
// fires timers like Kafka's wheel. However, its loop processes a slot that has become due in three
// steps: it removes the slot from the queue, moves the clock, and processes the timers of the slot.
// The loop holds no lock during these steps, while Kafka holds a write lock, so other goroutines
// can run between two steps:
//
//   - If a timer is put into the slot that was removed, the slot gets a later expiration, to which the
//     clock is then moved. The timers of the slot fire early, and the delays of timers scheduled
//     from then on are computed from a clock that runs ahead.
//   - If a timer of the slot must be put back into the same slot, the loop waits forever for
//     the mutex of the slot, which it holds itself (issue 53).
//
// The driver calls Hold to make the loop pause between two steps, so that the driver can perform
// one operation there. If Hold is never called, the wheel behaves like Kafka's.
type russellLuo struct {
	kafka
	held   bool         // whether the polling loop must pause after its next step; set by Hold
	paused bool         // whether the polling loop is paused; the next call to Hold resumes it
	stage  stage        // last completed step of processing the slot in taken
	taken  wheel.Bucket // the slot being processed, if stage is not idle
}

// stage is the last step that the polling loop has completed for the slot that it is processing.
type stage uint8

const (
	idle     stage = iota // no slot is being processed
	polled                // the slot being processed was removed from the delay queue
	advanced              // the clock was moved to the slot's expiration, if the slot has one that is ahead of the clock
)

var faultNames = []string{"unlocked"}

// unlockedParameter returns the parameter "faults". Its only value, "unlocked", selects the wheel of
// RussellLuo/timingwheel, a Go port of Kafka's wheel, with its faults. The parameter has no default:
// without it, the wheel is Kafka's.
func unlockedParameter() catalog.Parameter {
	return catalog.Parameter{Name: "faults", Type: catalog.TypeNames, Options: faultNames}
}

// NewRussellLuo returns an empty wheel of one level with configuration c. It returns a
// *wheel.ParamError if a field of c is out of range.
func NewRussellLuo(c Config) (port.Interleaver, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &russellLuo{kafka: *c.newKafka()}, nil
}

// Hold lets the polling loop continue if it is paused. If more is true, the loop pauses after its next
// step, so that the driver can perform another operation; see [port.Interleaver].
func (w *russellLuo) Hold(more bool) { w.held, w.paused = more, false }

// Schedule adds the timer described by s. If the wheel's clock is ahead of Now, the timer may fire
// immediately although it is not due yet. Schedule emits a finding for each run that fires early by
// at least the width of a level 0 slot.
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

// early emits a CodeEarly finding if due is after Now by at least the width of a level 0 slot. It is called when a run
// of the timer with the given key has just fired, and due is the due tick of this run.
func (w *russellLuo) early(key uint32, due wheel.Tick) {
	if due-w.Reached >= w.u {
		w.EmitFinding(wheel.CodeEarly, key, due, w.Reached)
	}
}

// NextWork returns the next tick at which the simulated polling loop has work to do. It returns 0 if
// there is no work, the loop is paused (see Hold), or the wheel is halted.
func (w *russellLuo) NextWork() int64 {
	switch {
	case w.Halted || w.paused:
		return 0
	case w.stage != idle:
		return w.Reached
	}
	return w.kafka.NextWork()
}

// Next returns the tick at which the next slot leaves the delay queue, or Now if that tick has
// passed or the loop is still processing a slot. It returns false if there is no such slot or the
// wheel is halted.
func (w *russellLuo) Next() (wheel.Tick, bool) {
	switch {
	case w.Halted:
		return 0, false
	case w.stage != idle:
		return w.Reached, true
	}
	return w.kafka.Next()
}

// Advance processes the slots that leave the delay queue at or before tick to, and appends the runs
// that fire to fired. If the loop pauses, Advance returns before it has processed all of them; see Hold.
func (w *russellLuo) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// ProcessTick runs the polling loop until no slot is due or the loop must pause. It appends the runs that fire to
// fired.
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

// poll removes the head of the delay queue and stores it in w.taken.
func (w *russellLuo) poll() {
	w.taken, w.stage = w.queue.Pop(), polled
	w.Costs.Slots++
	if w.Log != nil {
		b := w.taken
		w.Emit(wheel.Event{Kind: wheel.KindDequeue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: wheel.NoLevel})
	}
}

// index returns the index in w.Slots of the slot being processed. The slots of all levels are in
// w.Slots, one level after the other.
func (w *russellLuo) index() uint32 { return w.Levels[w.taken.Level].First + w.taken.Slot }

// advanceClock moves the clock to the current expiration of the slot in w.taken, unless the clock has reached it. The
// expiration is later than w.taken.Due if a timer for a later tick was put into the slot while the slot was queued or
// after it had left the queue. A slot that was in the queue twice and has already been processed may have no
// expiration; then the clock does not move.
func (w *russellLuo) advanceClock() {
	if at := w.waits[w.index()]; at >= w.clock+w.u {
		w.clock = at
	}
	w.stage = advanced
}

// flush processes the timers of the slot in w.taken. Like kafka.flush, it fires the timers that are due, appending them
// to fired, and places the others again. If a timer must be put back into the same slot, flush emits a CodeStuck
// finding, which halts the wheel.
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

// slotOf returns the index in w.Slots of the slot for a timer with the given due tick.
func (w *russellLuo) slotOf(due wheel.Tick) uint32 {
	l := 0
	for !w.reaches(l, due) {
		l++
	}
	v := &w.Levels[l]
	return v.First + v.SlotOf(v.Index(due))
}

// Clone returns an independent copy of the wheel, without its log.
func (w *russellLuo) Clone() wheel.Observable {
	c := *w
	c.kafka = *w.kafka.Clone().(*kafka)
	return &c
}

// Check verifies that each timer is in the slot of its due tick. It does not compare the slots with
// the delay queue, because the port's faults can make them differ.
func (w *russellLuo) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Levels(&w.LevelSet, func(i int, s int64, n *core.Node) bool {
		l := &w.Levels[i]
		return l.Index(n.Due)%l.N == s
	})
	return c.Done()
}
