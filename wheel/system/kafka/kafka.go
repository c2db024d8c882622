package kafka

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// Config holds the geometry of a Kafka wheel.
type Config struct {
	Slots int        // slots per level, 2 to SlotsMax
	Width wheel.Tick // width of a slot of level 0, in base ticks; at least 1
	Start wheel.Tick // initial tick of the clock
}

// kafka is a wheel with several levels of slots, driven by a delay queue.
type kafka struct {
	core.Base
	u             wheel.Tick // base ticks per slot of level 0
	clock         wheel.Tick // the wheel's own clock in base ticks, a multiple of u; may be behind Now
	core.LevelSet            // the levels; their widths are in base ticks
	queue         core.DelayQueue
	waits         []wheel.Tick // tick at which each slot leaves the queue, or 0 if it is not queued; indexed like LevelSet.Slots
}

// WakesItself marks the wheel as driven by a delay queue; see [port.SelfWaking].
func (w *kafka) WakesItself() {}

// New returns an empty wheel of one level with configuration c. It returns a *wheel.ParamError if a
// field of c is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return c.newKafka(), nil
}

// newKafka returns an empty wheel for c, which must be valid.
func (c *Config) newKafka() *kafka {
	w := &kafka{u: c.Width, clock: c.Start - c.Start%c.Width}
	w.Reached = c.Start
	w.grow(int64(c.Slots), c.Width)
	return w
}

func (c *Config) check() error {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return err
	}
	if c.Slots < 2 {
		return &wheel.ParamError{Name: "slots", Found: fmt.Sprint(c.Slots), Want: "between %d and %d", Args: []any{2, wheel.SlotsMax}}
	}
	return nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	c := Config{int(p["slots"].(int64)), p["width"].(int64), s.Start}
	if p["drive"] == "tick" {
		return newTicked(c)
	}
	if core.ReadFaults(p, faultNames) != 0 && p["faults"] != nil {
		return NewRussellLuo(c)
	}
	return New(c)
}

// grow adds a level of n slots, each width base ticks wide.
func (w *kafka) grow(n int64, width wheel.Tick) {
	w.AddLevel(n, width, 0)
	w.waits = append(w.waits, make([]wheel.Tick, n)...)
}

// Schedule adds the timer described by s. It returns the handle of the timer and the number of its runs that are
// already due; see [wheel.Wheel].
func (w *kafka) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *kafka) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if n.Due < w.clock+w.u {
		return w.AtOnce(n, w.clock+w.u-1)
	}
	for top := len(w.Levels) - 1; !w.reaches(top, n.Due); top++ {
		w.grow(w.Levels[0].N, w.TopSpan())
		if w.Log != nil {
			w.Emit(wheel.Event{Kind: wheel.KindGrow, FromLevel: int8(top + 1), X: w.Levels[top+1].Width, ToLevel: wheel.NoLevel})
		}
	}
	w.placeLowest(wheel.KindPlace, i, n, wheel.NoLevel, 0)
	return core.Placed
}

// reaches reports whether tick e is in the range of level l. The range begins with the slot that
// contains the clock.
func (w *kafka) reaches(l int, e wheel.Tick) bool {
	v := &w.Levels[l]
	return v.Index(e)-v.Index(w.clock) < v.N
}

// placeLowest puts node n, which has index i in the arena, into a slot of the finest level whose
// range includes its due tick, and emits an event of kind k. If the slot is not in the delay queue,
// placeLowest adds it. fromLevel and fromSlot are the previous place of the timer.
func (w *kafka) placeLowest(k wheel.Kind, i uint32, n *core.Node, fromLevel int8, fromSlot uint32) {
	l := 0
	for !w.reaches(l, n.Due) {
		w.Costs.Compared++
		l++
	}
	v := &w.Levels[l]
	index := v.Index(n.Due)
	s := w.Put(&w.Arena, i, n, l, index)
	if w.Log != nil {
		w.EmitPlace(k, n, fromLevel, fromSlot, int8(l), s, wheel.NoRounds)
	}
	at := index * v.Width
	if w.waits[v.First+s] == at {
		return
	}
	w.waits[v.First+s] = at
	w.queue.Push(wheel.Bucket{Level: int8(l), Slot: s, Due: at})
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindEnqueue, FromLevel: int8(l), FromSlot: s, Due: at, ToLevel: wheel.NoLevel})
	}
}

// Cancel removes timer t in O(1). It returns false if t is not scheduled. The slot of t stays in
// the delay queue even if it is now empty.
func (w *kafka) Cancel(t wheel.Timer) bool { return w.CancelTimer(&w.Base, t) }

// NextWork returns the tick at which the next slot leaves the delay queue, or Now if that tick has
// passed. It returns 0 if the queue is empty.
func (w *kafka) NextWork() int64 {
	if len(w.queue.Items) == 0 {
		return 0
	}
	return max(w.queue.Items[0].Due, w.Reached)
}

// Next returns the tick at which the next slot leaves the delay queue, or Now if that tick has
// passed. It returns false if the queue is empty.
func (w *kafka) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance processes the slots that leave the delay queue at or before tick to, and appends the runs that fire to fired;
// see [wheel.Wheel].
func (w *kafka) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock sets Now to tick k. The wheel's own clock, w.clock, does not change here: it moves
// when a slot that has left the delay queue is processed.
func (w *kafka) AdvanceClock(k wheel.Tick) { w.Reached = k }

// ProcessTick removes the slots that have become due from the delay queue, processes them, and appends the runs that
// fire to fired.
func (w *kafka) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	for len(w.queue.Items) > 0 && w.queue.Items[0].Due <= w.Reached && w.Arena.Spend(1) {
		fired = w.flush(w.queue.Pop(), fired)
	}
	return fired
}

// flush processes slot b, which has left the delay queue. It moves the clock to b.Due. It fires the timers that are due
// before the next slot of level 0 begins, and appends them to fired. It places the others again, each at the finest
// level whose range includes its due tick.
func (w *kafka) flush(b wheel.Bucket, fired []wheel.Expiry) []wheel.Expiry {
	l := int(b.Level)
	index := w.Levels[l].First + b.Slot
	w.clock = b.Due
	w.waits[index] = 0
	w.Costs.Slots++
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindDequeue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: wheel.NoLevel})
	}
	here := len(w.Slots[index].IDs)
	for k := range here {
		if !w.Arena.SpendStride(k, here) {
			return fired
		}
		if !w.Slots[index].Holds(&w.Arena, index, k) {
			continue
		}
		w.Costs.Touched++
		i := w.Slots[index].IDs[k]
		n := w.Arena.At(i)
		if n.Due < w.clock+w.u {
			fired = w.Expire(w, i, n, b.Level, b.Slot, fired)
			continue
		}
		w.Costs.Moved++
		w.placeLowest(wheel.KindCascade, i, n, b.Level, b.Slot)
	}
	w.Slots[index].CloseGaps(&w.Arena, index, 0, here)
	w.ReleaseEmpty(&w.Arena, l, index)
	return fired
}

// IdlePeak implements [wheel.Observable.IdlePeak]. It returns 0, 0, because a tick at which no slot leaves the delay queue
// costs nothing.
func (w *kafka) IdlePeak(wheel.Tick) (int64, wheel.Tick) { return 0, 0 }

// Layout returns the layout of the wheel: one ring for each level that the wheel has so far.
func (w *kafka) Layout() wheel.Layout { return w.Rings(1) }

// AppendState appends the occupied slots, finest level first, and the delay queue to s. Each slot
// includes at most limit timers. AppendState also sets s.Counts and s.Live; see [wheel.Wheel].
func (w *kafka) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	w.AppendSlots(&w.Arena, s, limit)
	s.Queue = w.queue.AppendSorted(s.Queue)
}

// Clone returns an independent copy of the wheel, without its log.
func (w *kafka) Clone() wheel.Observable {
	c := *w
	c.Base, c.queue = w.Base.Copy(), w.queue.Clone()
	c.LevelSet = w.LevelSet.Clone(&c.Arena)
	c.waits = append([]wheel.Tick(nil), w.waits...)
	return &c
}

// Bytes returns the number of bytes of memory that the arena, the slots, the bitmaps of occupied
// slots and the delay queue use.
func (w *kafka) Bytes() int64 {
	return w.Arena.Bytes() + w.LevelSet.Bytes() + w.queue.Bytes() + int64(cap(w.waits))*8
}

// Check verifies every slot and the delay queue. The queue must be a heap, and must contain each
// occupied slot, with the tick at which that slot begins.
func (w *kafka) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Levels(&w.LevelSet, func(i int, s int64, n *core.Node) bool {
		l := &w.Levels[i]
		return n.Due >= w.clock+w.u && l.Index(n.Due)%l.N == s && w.waits[l.First+uint32(s)] == l.Index(n.Due)*l.Width
	})
	waiting := 0
	for _, at := range w.waits {
		if at != 0 {
			waiting++
		}
	}
	if waiting != len(w.queue.Items) {
		c.Fail("%d slots wait, %d are in the delay queue", waiting, len(w.queue.Items))
	}
	for k, b := range w.queue.Items {
		if w.waits[w.Levels[b.Level].First+b.Slot] != b.Due || b.Due <= w.clock {
			c.Fail("level %d slot %d is in the delay queue for %d, the clock is %d", b.Level, b.Slot, b.Due, w.clock)
		}
		if k > 0 && w.queue.Before(k, (k-1)/2) {
			c.Fail("entry %d of the delay queue is due before its parent", k)
		}
	}
	return c.Done()
}

// driveParameter returns the parameter "drive", which selects whether the wheel is driven by a delay queue or advanced
// at every tick. It has no default, because a default would change the trace headers of scenarios that omit the
// parameter.
func driveParameter() catalog.Parameter {
	return catalog.Parameter{Name: "drive", Type: catalog.TypeChoice, Options: []string{"queue", "tick"}}
}

// newTicked returns Kafka's wheel without its delay queue, for comparison with the wheel that New
// returns. It is a hierarchical wheel that rounds due ticks down. Its clock advances at every tick,
// and it examines the slot under each hand that moves.
func newTicked(c Config) (wheel.Observable, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return hierarchical.New(hierarchical.Config{Slots: []int{c.Slots}, Grow: true, Endless: true, Width: c.Width, Start: c.Start, Floor: true})
}
