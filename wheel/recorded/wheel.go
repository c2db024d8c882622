package recorded

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Wheel is a wheel whose decisions are answers of a source. It does nothing until Record or Replay is called.
type Wheel struct {
	core.Base
	layout wheel.Layout
	log    *Log
	pos    cursor
	source Source // asked at the end of the log; nil if the log is complete
	failed error  // why the source is not asked any more
	answer Answer // buffer
	spare  []spent

	places map[place][]uint32 // nodes at each place that is not empty, in order
	nodes  []located          // by index of the node
	keys   map[uint32]uint32  // index of the node of each pending timer
	fired  []uint64           // a bit for each key that has fired
	most   uint32             // greatest key so far
}

// place is a slot, or level −1.
type place struct {
	level int8
	slot  uint32
}

// located is where a node is.
type located struct {
	place
	rounds int64 // wheel.NoRounds if the source does not tell them
}

// spent is a timer that has fired in the answer being applied and may repeat.
type spent struct {
	i uint32
	n *core.Node
}

// tickMax is the largest tick that JavaScript can hold.
const tickMax = 1 << 53

func newWheel(slots int, start wheel.Tick) *Wheel {
	w := &Wheel{places: map[place][]uint32{}, keys: map[uint32]uint32{}}
	w.layout = wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Slots: slots, Width: 1}}}
	w.Reached = start
	return w
}

// Record makes w, which is new, ask s and keep the answers in log.
func (w *Wheel) Record(s Source, log *Log) {
	w.Replay(log)
	w.source = s
}

// Replay makes w read its answers from log. If w is not new, log must begin with the answers that w has read.
func (w *Wheel) Replay(log *Log) {
	w.log = log
	if log.levels != nil {
		w.layout.Levels = log.levels
	}
}

// Err returns why the source could not be asked, or nil.
func (w *Wheel) Err() error { return w.failed }

// ask passes the answer of a call to the source to the log.
func (w *Wheel) ask(a Answer, err error, advance bool) bool {
	if err == nil {
		err = w.check(&a)
	}
	if err == nil {
		err = w.log.add(&a, advance)
	}
	if err != nil {
		w.fail(err)
	}
	return err == nil
}

// fail ends the wheel, which has no answer.
func (w *Wheel) fail(err error) {
	w.failed = cmp.Or(w.failed, err)
	w.source = nil
	w.Arena.Aborted = true
}

// check returns an error if a has keys that were never scheduled or places outside of the layout.
func (w *Wheel) check(a *Answer) error {
	for _, key := range a.Fired {
		if key == 0 || key > w.most {
			return fmt.Errorf("it fired timer %d, which was never scheduled", key)
		}
	}
	for _, m := range a.Moved {
		if m.Level < -1 || int(m.Level) >= len(w.layout.Levels) || m.Level >= 0 && int64(m.Slot) >= int64(w.layout.Levels[m.Level].Slots) {
			return fmt.Errorf("timer %d is in slot %d of level %d, which its layout does not have", m.Key, m.Slot, m.Level)
		}
	}
	return nil
}

// more reports whether the log has an answer. If it does not and there is a source, more calls f to ask it.
func (w *Wheel) more(advance bool, f func(Source) (Answer, error)) bool {
	switch {
	case w.Arena.Aborted:
		return false
	case w.log == nil:
		w.fail(fmt.Errorf("it was not run"))
		return false
	case w.pos.end(w.log) && w.source != nil:
		if a, err := f(w.source); !w.ask(a, err, advance) {
			return false
		}
	}
	if !w.pos.end(w.log) {
		if kind, _, _ := w.pos.peek(w.log); advance == (kind == entryQuiet || kind == entryWork) {
			return true
		}
	}
	w.fail(fmt.Errorf("the calls are not those that were recorded"))
	return false
}

// Layout returns the levels that the source has told.
func (w *Wheel) Layout() wheel.Layout { return w.layout }

// Schedule asks the source, unless the due tick has passed.
func (w *Wheel) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	w.most = max(w.most, s.Key)
	return w.ScheduleWith(w, &s)
}

// PlaceNode implements core.Placer.
func (w *Wheel) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	switch {
	case n.Due <= w.Reached:
		return w.AtOnce(n, w.Reached)
	case n.Due > tickMax:
		return core.BadRange
	}
	if !w.more(false, func(s Source) (Answer, error) { return s.Schedule(w.Reached, n.Due, n.Key) }) {
		return core.BadAborted
	}
	w.called()
	if !w.answer.OK {
		w.move(0)
		return core.BadRange
	}
	to := located{place{level: -1}, wheel.NoRounds}
	for _, m := range w.answer.Moved {
		if m.Key == n.Key {
			to = m.place()
		}
	}
	w.put(i, n, to, 0)
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, to.level, to.slot, to.rounds)
	}
	w.move(n.Key)
	return core.Placed
}

// called reads the answer to a call. Timers that have fired in it fired while the clock came to the present, when none was
// pending.
func (w *Wheel) called() {
	w.pos.read(w.log, &w.answer)
	w.Costs.Touched += w.answer.Cost
	for _, key := range w.answer.Fired {
		w.unexpected(key)
	}
}

// place returns where m puts its timer.
func (m *Move) place() located {
	l := located{place{m.Level, m.Slot}, m.Rounds}
	if m.Rounds < 0 {
		l.rounds = wheel.NoRounds
	}
	return l
}

// put links node i at a place, before the node next, or at the end if next is 0.
func (w *Wheel) put(i uint32, n *core.Node, to located, next uint32) {
	for int(i) >= len(w.nodes) {
		w.nodes = append(w.nodes, located{})
	}
	w.nodes[i] = to
	w.keys[n.Key] = i
	list := w.places[to.place]
	at := len(list)
	if next != 0 {
		at = slices.Index(list, next)
	}
	w.places[to.place] = slices.Insert(list, at, i)
}

// leave takes node i out of its place. It returns the node behind it, or 0.
func (w *Wheel) leave(i uint32) (next uint32) {
	from := w.nodes[i].place
	list := w.places[from]
	at := slices.Index(list, i)
	if at+1 < len(list) {
		next = list[at+1]
	}
	switch {
	case len(list) == 1:
		delete(w.places, from)
	case at == 0:
		w.places[from] = list[1:] // timers fire from the front
	default:
		w.places[from] = slices.Delete(list, at, at+1)
	}
	return next
}

// move applies the moves of the answer, except those of the timer with the key that is new.
func (w *Wheel) move(new uint32) {
	for k := range w.answer.Moved {
		m := &w.answer.Moved[k]
		i, pending := w.keys[m.Key]
		if !pending || m.Key == new || w.nodes[i] == m.place() {
			continue
		}
		n, from, to := w.Arena.At(i), w.nodes[i], m.place()
		next := w.leave(i)
		if from.place != to.place {
			next = 0
		}
		w.put(i, n, to, next)
		if w.Log == nil {
			continue
		}
		e := wheel.Event{Kind: wheel.KindPlace, ID: n.Key, Due: n.Due, Run: w.Arena.Run(n), X: to.rounds,
			FromLevel: from.level, FromSlot: from.slot, ToLevel: to.level, ToSlot: to.slot}
		if next != 0 {
			e.Before = w.Arena.At(next).Key
		}
		if from.level != to.level {
			c := e
			c.Kind, c.X = wheel.KindCascade, 0
			w.Emit(c)
			if from.rounds == to.rounds {
				continue
			}
			e.FromLevel, e.FromSlot = to.level, to.slot // a cascade does not change the rounds
		}
		w.Emit(e)
	}
}

// Cancel asks the source for the timer. A source that does not have it keeps it pending here: it may still fire.
func (w *Wheel) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil || !w.more(false, func(s Source) (Answer, error) { return s.Cancel(w.Reached, n.Key) }) {
		return false
	}
	w.called()
	if w.answer.OK {
		w.Costs.Touched++
		at := w.nodes[t.Index()].place
		w.leave(t.Index())
		delete(w.keys, n.Key)
		w.Counts.Cancelled++
		if w.Log != nil {
			w.EmitCancel(n, at.level, at.slot)
		}
		w.Arena.Release(t.Index(), n)
	}
	w.move(0)
	return w.answer.OK
}

// Advance walks through the ticks while timers are pending; see [wheel.Wheel].
func (w *Wheel) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	to = min(to, wheel.TickMax)
	for done := 0; w.Reached < to; {
		if !w.Arena.Spend(1) {
			return fired, wheel.Aborted
		}
		if w.Arena.Live == 0 {
			w.Reached = to // the source is told with the next operation
			break
		}
		if budget > 0 && done >= budget {
			return fired, wheel.Budget
		}
		if !w.more(true, func(s Source) (Answer, error) { return s.Advance(w.Reached, to) }) {
			return fired, wheel.Aborted
		}
		switch kind, ticks, cost := w.pos.peek(w.log); kind {
		case entryQuiet:
			ticks = min(ticks, to-w.Reached)
			w.pos.skip(w.log, ticks)
			w.Reached += ticks
			w.Costs.Touched += ticks * cost
			done++
		default:
			w.Reached++
			fired = w.tick(fired)
			done += 1 + len(w.answer.Fired)
		}
	}
	return fired, wheel.Done
}

// tick applies the answer for the tick that the clock has reached.
func (w *Wheel) tick(fired []wheel.Expiry) []wheel.Expiry {
	w.pos.read(w.log, &w.answer)
	w.Costs.Touched += w.answer.Cost
	w.spare = w.spare[:0]
	for _, key := range w.answer.Fired {
		if !w.Arena.Spend(1) {
			return fired
		}
		i, pending := w.keys[key]
		if !pending {
			w.unexpected(key)
			continue
		}
		n, at := w.Arena.At(i), w.nodes[i].place
		w.leave(i)
		delete(w.keys, key)
		w.note(key)
		w.Counts.Expired++
		if w.Log != nil {
			w.EmitExpire(n, at.level, at.slot)
		}
		fired = append(fired, wheel.Expiry{Due: n.Due, Key: n.Key, Run: w.Arena.Run(n)})
		w.spare = append(w.spare, spent{i, n})
	}
	w.move(0)
	for _, s := range w.spare {
		fired = w.Repeat(w, s.i, s.n, fired)
	}
	return fired
}

// note remembers that the timer has fired.
func (w *Wheel) note(key uint32) {
	for int(key/64) >= len(w.fired) {
		w.fired = append(w.fired, 0)
	}
	w.fired[key/64] |= 1 << (key % 64)
}

// unexpected emits a finding: the source has fired a timer that is not pending.
func (w *Wheel) unexpected(key uint32) {
	if k := int(key / 64); k < len(w.fired) && w.fired[k]>>(key%64)&1 != 0 {
		w.EmitFinding(wheel.CodeTwice, key, 1, 2)
	} else {
		w.EmitFinding(wheel.CodeRevived, key, 0, 1)
	}
}

// Next returns the next tick at which the source has done something, by the log. While it is recorded, that is not known.
func (w *Wheel) Next() (wheel.Tick, bool) {
	if w.Arena.Live == 0 || w.Arena.Aborted || w.log == nil {
		return 0, false
	}
	if w.source != nil {
		return w.Reached + 1, true
	}
	c, at := w.pos, w.Reached
	for !c.end(w.log) {
		kind, ticks, _ := c.peek(w.log)
		if kind != entryQuiet {
			return at + 1, true
		}
		at += ticks
		c.skip(w.log, ticks)
	}
	return 0, false
}

// IdlePeak returns the largest cost of the quiet ticks; see [wheel.Observable].
func (w *Wheel) IdlePeak(to wheel.Tick) (cost int64, at wheel.Tick) {
	if w.log == nil || w.Arena.Live == 0 {
		return 0, 0
	}
	c := w.pos
	for now := w.Reached; now < to && !c.end(w.log); {
		kind, ticks, each := c.peek(w.log)
		if kind != entryQuiet {
			break
		}
		if each > cost {
			cost, at = each, now+1
		}
		now += ticks
		c.skip(w.log, ticks)
	}
	return cost, at
}

// AppendState implements [wheel.Observable].
func (w *Wheel) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.layout)
	order := slices.SortedFunc(maps.Keys(w.places), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.slot, b.slot))
	})
	for _, at := range order {
		list := w.places[at]
		n := len(list)
		if limit >= 0 {
			n = min(n, limit)
		}
		entries := s.Room(n)
		for _, i := range list[:n] {
			entries = append(entries, w.Arena.Entry(i, w.nodes[i].rounds))
		}
		s.Places = append(s.Places, wheel.Place{Level: at.level, Slot: at.slot, Count: len(list), Entries: entries})
	}
}

// Clone returns a copy that reads the same log.
func (w *Wheel) Clone() wheel.Observable {
	c := *w
	c.Base = w.Base.Copy()
	c.source, c.answer, c.spare = nil, Answer{}, nil
	c.places = make(map[place][]uint32, len(w.places))
	for at, list := range w.places {
		c.places[at] = slices.Clone(list)
	}
	c.nodes, c.keys, c.fired = slices.Clone(w.nodes), maps.Clone(w.keys), slices.Clone(w.fired)
	return &c
}

// PackCopies has no effect: copies are never packed.
func (w *Wheel) PackCopies(bool) {}

// Bytes implements [wheel.Observable]. It does not include the log, which all copies share.
func (w *Wheel) Bytes() int64 {
	const nodeBytes, keyBytes, placeBytes = 16 + 8, 24, 64
	return w.Arena.Bytes() + int64(cap(w.nodes))*nodeBytes + int64(len(w.keys))*keyBytes + int64(len(w.places))*placeBytes + int64(cap(w.fired))*8
}

// Check implements [wheel.Observable].
func (w *Wheel) Check() error {
	c := core.Checker{Arena: &w.Arena}
	for at, list := range w.places {
		for _, i := range list {
			c.Seen++
			if n := w.Arena.At(i); w.nodes[i].place != at || w.keys[n.Key] != i {
				c.Fail("timer %d is not where it should be", n.Key)
			}
		}
	}
	return c.Done()
}
