package tokio

import (
	"math/bits"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

const (
	tokioLevels = 6
	tokioBits   = 6 // each level has 1<<tokioBits = 64 slots
	tokioSpan   = 1 << (tokioLevels * tokioBits)
)

// tokio is a wheel of 6 levels of 64 slots. Each level has a bitmap of one word.
type tokio struct {
	core.LevelWheel
	clock wheel.Tick
	util  bool // whether this is the wheel of tokio-util's DelayQueue
}

// Config selects one of the two wheels of tokio.
type Config struct {
	Start wheel.Tick // initial tick of the clock
	Util  bool       // whether the wheel is that of tokio-util's DelayQueue instead of the runtime's
}

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if c.Start is out
// of range.
func New(c Config) (wheel.Observable, error) {
	start := c.Start
	if err := core.CheckStart(start); err != nil {
		return nil, err
	}
	w := &tokio{clock: start, util: c.Util}
	w.Reached = start
	for range tokioLevels {
		w.AddLevel(1<<tokioBits, w.TopSpan(), start)
	}
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{s.Start, p["library"] == "tokio-util"})
}

// Schedule adds the timer described by s in O(1). It returns the handle of the timer and the number of its runs that
// are already due; see [wheel.Wheel].
func (w *tokio) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *tokio) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if n.Due <= w.clock {
		return w.AtOnce(n, w.clock)
	}
	if w.util && n.Due-w.clock >= tokioSpan {
		return core.BadRange
	}
	l := w.levelFor(n.Due)
	s := w.Put(&w.Arena, i, n, l, w.Levels[l].Index(n.Due))
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, int8(l), s, wheel.NoRounds)
	}
	return core.Placed
}

// levelFor returns the level for a timer due at tick e: that of the highest base-64 digit in which e differs from the
// clock, or the top level if e is beyond the range. It computes the level directly, without comparing level by level.
func (w *tokio) levelFor(e wheel.Tick) int {
	differ := uint64(w.clock^e) | (1<<tokioBits - 1)
	if differ >= tokioSpan {
		return tokioLevels - 1
	}
	return (bits.Len64(differ) - 1) / tokioBits
}

// Next returns the tick at which the next occupied slot is processed. It returns false if there is
// none.
func (w *tokio) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// NextWork returns the next tick at which tokio would process a slot if it were polled at every tick. It returns 0 if
// there is no such tick. It examines only the finest occupied level, because the timers of that level are due before
// all others.
func (w *tokio) NextWork() int64 {
	for i := range w.Levels {
		l := &w.Levels[i]
		occupied := l.Occupied.Words[0]
		if occupied == 0 {
			continue
		}
		if i == tokioLevels-1 {
			occupied &^= bits.RotateLeft64(occupied, 1)
		}
		return nextAfter(occupied, l, w.clock)
	}
	return 0
}

// nextAfter returns the first tick after clock at which the hand of level l reaches a slot whose
// bit is set in word, or 0 if word is 0.
//
// At the top level, the caller must first clear the bit of each slot that follows an occupied slot, because tokio does
// not process such a slot when the hand reaches it. Until then the clock is in the preceding slot, and tokio begins its
// search for the next slot at the slot that contains the clock. If that slot is occupied, its beginning has passed, so
// tokio takes it to be due one revolution later and searches no further.
func nextAfter(word uint64, l *core.Level, clock wheel.Tick) wheel.Tick {
	if word == 0 {
		return 0
	}
	hand := l.Index(clock)
	ahead := bits.TrailingZeros64(bits.RotateLeft64(word, -int(l.SlotOf(hand+1)))) + 1
	return (hand + int64(ahead)) * l.Width
}

// Advance processes the occupied slots that the hands reach by tick to, and appends the runs that fire to
// fired; see [wheel.Wheel].
func (w *tokio) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock moves the clock to tick k at no cost, because the wheel does not examine empty slots.
func (w *tokio) AdvanceClock(k wheel.Tick) { w.clock = k }

// ProcessTick processes the slot that begins at the current tick, and appends the runs that fire to
// fired. There is only one such slot, at the finest occupied level, because the timers of that
// level are due before any slot of a coarser level begins.
func (w *tokio) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	for i := range w.Levels {
		l := &w.Levels[i]
		if l.Occupied.Words[0] != 0 {
			return w.open(i, l.SlotOf(l.Index(w.clock)), fired)
		}
	}
	return fired
}

// open processes the timers of slot s of level l. It fires those that are due, and appends them to fired. It moves each
// of the others to a finer level, perhaps several levels down, or keeps it at the top level if it is still beyond the
// range.
func (w *tokio) open(l int, s uint32, fired []wheel.Expiry) []wheel.Expiry {
	index := w.Levels[l].First + s
	here := len(w.Slots[index].IDs)
	w.Costs.Slots++
	if w.Log != nil {
		w.EmitHand(int8(l), s, 0)
	}
	if w.util {
		fired = w.unstack(l, s, here, fired)
	} else {
		for k := range here {
			if !w.Arena.SpendStride(k, here) {
				return fired
			}
			if i, n := w.entry(index, k); n == nil {
				continue
			} else if n.Due <= w.clock {
				w.Costs.Touched++
				fired = w.Expire(w, i, n, int8(l), s, fired)
			} else {
				w.lower(i, n, l, s, w.levelFor(n.Due))
			}
		}
	}
	w.Slots[index].CloseGaps(&w.Arena, index, 0, here)
	w.ReleaseEmpty(&w.Arena, l, index)
	return fired
}

// entry returns the index in the arena and the node of the timer in entry k of w.Slots[index]. If the timer has left
// the slot, entry returns 0, nil.
func (w *tokio) entry(index uint32, k int) (uint32, *core.Node) {
	if !w.Slots[index].Holds(&w.Arena, index, k) {
		return 0, nil
	}
	i := w.Slots[index].IDs[k]
	return i, w.Arena.At(i)
}

// lower moves node n, which has index i in the arena, from slot s of level l to the slot of its due
// tick at level to, which is finer than l unless the timer stays at the top level.
func (w *tokio) lower(i uint32, n *core.Node, l int, s uint32, to int) {
	w.Costs.Touched++
	w.Costs.Moved++
	slot := w.Put(&w.Arena, i, n, to, w.Levels[to].Index(n.Due))
	if w.Log != nil {
		w.EmitPlace(wheel.KindCascade, n, int8(l), s, int8(to), slot, wheel.NoRounds)
	}
}

// IdlePeak implements [wheel.Observable.IdlePeak]. It returns 0, 0, because a tick at which no slot is processed costs
// nothing.
func (w *tokio) IdlePeak(wheel.Tick) (int64, wheel.Tick) { return 0, 0 }

// Clone returns an independent copy of the wheel, without its log.
func (w *tokio) Clone() wheel.Observable {
	c := *w
	c.LevelWheel = w.LevelWheel.Copy()
	return &c
}

// Check verifies every slot. Each timer must be in the slot that its due tick selects at that level
// and, except at the top level, its due tick must agree with the clock in all higher base-64 digits.
func (w *tokio) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Levels(&w.LevelSet, func(i int, s int64, n *core.Node) bool {
		l := &w.Levels[i]
		mine, clock := n.Due/l.Width, w.clock/l.Width
		top := i == tokioLevels-1
		return mine%l.N == s && (top || mine > clock && mine/l.N == clock/l.N)
	})
	return c.Done()
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *tokio) NeverEarly() bool { return true }

// libraryParameter returns the parameter "library", which selects the wheel of tokio's runtime or that of tokio-util.
// It has no default, because a default would change the trace headers of scenarios that omit the parameter.
func libraryParameter() catalog.Parameter {
	return catalog.Parameter{Name: "library", Type: catalog.TypeChoice, Options: []string{"tokio", "tokio-util"}}
}

// unstack processes the entries of slot s of level l whose index is less than end, in the same
// order as the function poll_expiration of tokio-util's DelayQueue (time/wheel/mod.rs). The slots
// of the DelayQueue are stacks. poll_expiration pops the timers of a slot and pushes them onto
// slots of the next finer level, which reverses their order. It continues with the slot under the
// hand at that level, down to level 0, where the timers that are due fire. unstack instead moves
// each timer directly to its final slot and emits one event for it. It appends the timers that fire
// to fired. All finer levels must be empty when unstack is called.
func (w *tokio) unstack(l int, s uint32, end int, fired []wheel.Expiry) []wheel.Expiry {
	index := w.Levels[l].First + s
	for to := l - 1; to >= 0; to-- {
		for k := range turned(end, l-to) {
			if !w.Arena.Spend(1) {
				return fired
			}
			if i, n := w.entry(index, k); n != nil && n.Due > w.clock && w.levelFor(n.Due) == to {
				w.lower(i, n, l, s, to)
			}
		}
	}
	for k := range turned(end, l+1) {
		if !w.Arena.Spend(1) {
			return fired
		}
		if i, n := w.entry(index, k); n != nil && n.Due <= w.clock {
			w.Costs.Touched++
			fired = w.Expire(w, i, n, int8(l), s, fired)
		}
	}
	return fired
}

// turned returns an iterator over the indices 0 to n−1, in reverse order if turns, the number of
// reversals, is odd.
func turned(n, turns int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for j := range n {
			k := j
			if turns%2 == 1 {
				k = n - 1 - j
			}
			if !yield(k) {
				return
			}
		}
	}
}
