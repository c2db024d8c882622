package nats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// none is the bound of an empty slot, and the wake of a store whose timer is not set.
const none wheel.Tick = math.MaxInt64

// Config holds the geometry of a wheel, and what drives it.
type Config struct {
	Slots   int        // number of slots, a power of two up to SlotsMax
	Width   wheel.Tick // base ticks per slot, at least 1
	Start   wheel.Tick // initial tick of the clock
	Store   bool       // whether passes are attempted when the timer of a store rings, not at every tick
	Collect bool       // whether timers that are due are removed after the pass
	Pause   wheel.Tick // least number of base ticks from an operation or a pass to the time at which the timer of a store rings
}

// wheelOfNATS is an array of unsorted slots with lower bounds.
type wheelOfNATS struct {
	core.LevelWheel
	cfg       Config
	lows      []wheel.Tick // lower bound of the due ticks in each slot, none if it is empty
	low       wheel.Tick   // lower bound of all due ticks, none if there is none
	clock     wheel.Tick   // tick of the last attempt; in a new wheel the tick before its start
	wake      wheel.Tick   // with Store, the tick of the next attempt, or none
	call      wheel.Tick   // tick of the current operation; later than Now while the driver is stalled
	visited   int          // slot that is being visited, or -1
	added     wheel.Tick   // least due tick that was added to the visited slot
	collected []uint32     // nodes of the timers that a pass has found due; empty between calls
}

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	if c.Slots&(c.Slots-1) != 0 {
		return nil, &wheel.ParamError{Name: "slots", Found: fmt.Sprint(c.Slots), Want: "a power of two"}
	}
	if c.Pause < 0 || c.Pause > wheel.WidthMax {
		return nil, &wheel.ParamError{Name: "pause", Found: fmt.Sprint(c.Pause), Want: "between %d and %d", Args: []any{0, int64(wheel.WidthMax)}}
	}
	w := &wheelOfNATS{cfg: c, low: none, wake: none, clock: c.Start - 1, visited: -1, lows: make([]wheel.Tick, c.Slots)}
	for s := range w.lows {
		w.lows[s] = none
	}
	w.Reached = c.Start
	w.AddLevel(int64(c.Slots), c.Width, c.Start)
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{int(p["slots"].(int64)), p["width"].(int64), s.Start,
		p["drive"] == "store", p["callback"] == "collect", p["pause"].(int64)})
}

// SetCallTime sets the tick at which the next operations take place; see [port.CallTimeSetter].
func (w *wheelOfNATS) SetCallTime(at wheel.Tick) { w.call = at }

// Schedule adds the timer described by s in O(1) time. A timer that is already due fires at the next pass, so the number
// of runs that Schedule returns is always 0.
func (w *wheelOfNATS) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

// PlaceNode implements Add: it appends node n, which has index i, to the slot of its due tick, and lowers the bounds if
// necessary.
func (w *wheelOfNATS) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	s := w.Put(&w.Arena, i, n, 0, n.Due/w.cfg.Width) // the quotient is truncated toward zero, as in Go
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, 0, s, wheel.NoRounds)
	}
	w.Costs.Slots++
	w.Costs.Compared++
	if int(s) == w.visited {
		w.added = min(w.added, n.Due)
	}
	if n.Due < w.lows[s] {
		w.Costs.Compared++
		w.lows[s] = n.Due
		w.low = min(w.low, n.Due)
	}
	w.rearm(max(w.call, w.Reached))
	return core.Placed
}

// rearm sets the timer of the store at tick t, after an operation or a pass.
func (w *wheelOfNATS) rearm(t wheel.Tick) {
	if w.cfg.Store && w.low != none {
		w.wake = min(w.wake, max(w.low, t+w.cfg.Pause))
	}
}

// Cancel implements Remove: it takes timer t out of its slot. The bounds stay. It returns false if t is not scheduled.
func (w *wheelOfNATS) Cancel(t wheel.Timer) bool {
	n := w.Arena.Lookup(t)
	if n == nil {
		return w.LevelWheel.Cancel(t)
	}
	s := n.Slot
	done := w.LevelWheel.Cancel(t)
	if done {
		w.Costs.Slots++
		w.forget(s)
	}
	return done
}

// forget sets the bound of slot s to none if it is empty.
func (w *wheelOfNATS) forget(s uint32) {
	if !w.Levels[0].Occupied.Has(s) {
		w.lows[s] = none
	}
}

// NextWork returns the next tick at which a pass is not over at once, or 0 if there is none. The pass may find nothing.
func (w *wheelOfNATS) NextWork() int64 {
	at := w.low
	if w.cfg.Store {
		at = w.wake
	}
	if at == none {
		return 0
	}
	return max(at, w.clock+1, w.Reached+1)
}

// Next returns the next tick at which a pass is not over at once. It returns false if there is none.
func (w *wheelOfNATS) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance attempts passes up to the target tick and appends an Expiry to fired for each run that fires; see
// [wheel.Wheel].
func (w *wheelOfNATS) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// Resume attempts one pass, at the tick at which a stall of the driver ended; see [port.TickCounter].
func (w *wheelOfNATS) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	switch to = min(to, wheel.TickMax); {
	case w.Stopped():
		return fired, w.Status()
	case to < w.Reached:
		return fired, wheel.Done
	}
	if !w.cfg.Store {
		w.Costs.Compared++
	}
	w.clock, w.Reached = to, to
	return w.ProcessTick(fired), wheel.Done
}

// AdvanceClock sets the clock to tick k, and counts the attempt at each tick that it passes, unless the wheel is driven by
// a store.
func (w *wheelOfNATS) AdvanceClock(k wheel.Tick) {
	if !w.cfg.Store {
		w.Costs.Compared += k - w.clock
	}
	w.clock, w.Reached = k, k
}

// ProcessTick makes the attempt at the current tick, and appends the runs that fire to fired.
func (w *wheelOfNATS) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	if w.cfg.Store {
		if w.wake > w.clock {
			return fired
		}
		w.wake = none
		w.Costs.Compared++
	}
	if w.low <= w.clock {
		fired = w.pass(fired)
	}
	w.rearm(w.clock)
	return fired
}

// pass is expireTasks: it opens the slots whose bound has passed, in the order of their numbers, and makes the bounds
// exact.
func (w *wheelOfNATS) pass(fired []wheel.Expiry) []wheel.Expiry {
	w.Costs.Slots += int64(len(w.lows))
	occupied := &w.Levels[0].Occupied
	for s := occupied.Next(0); s >= 0; s = occupied.Next(uint32(s) + 1) {
		if !w.Arena.Spend(1) {
			return fired
		}
		w.Costs.Compared++
		if w.lows[s] > w.clock {
			w.Costs.Compared++
			continue
		}
		fired = w.open(uint32(s), fired)
	}
	w.low = none
	for s := occupied.Next(0); s >= 0; s = occupied.Next(uint32(s) + 1) {
		w.low = min(w.low, w.lows[s])
	}
	return w.remove(fired)
}

// open visits slot s: it fires or collects the timers that are due, and sets the bound to the least due tick of the
// others.
func (w *wheelOfNATS) open(s uint32, fired []wheel.Expiry) []wheel.Expiry {
	v := &w.Slots[s]
	here, kept, low := len(v.IDs), 0, none
	if w.Log != nil {
		w.EmitHand(0, s, 0)
	}
	w.visited, w.added = int(s), none
	for k := range here {
		if !w.Arena.SpendStride(k, here) {
			return fired
		}
		if !v.Holds(&w.Arena, s, k) {
			continue
		}
		w.Costs.Touched++
		w.Costs.Compared++
		i := v.IDs[k]
		n := w.Arena.At(i)
		if n.Due <= w.clock && !w.cfg.Collect {
			fired = w.Expire(w, i, n, 0, s, fired)
			continue
		}
		if n.Due <= w.clock {
			w.collected = append(w.collected, i)
		}
		w.Costs.Compared++
		low = min(low, n.Due)
		v.IDs[kept], n.Pos = i, uint32(kept)
		kept++
	}
	v.CloseGaps(&w.Arena, s, kept, here)
	w.visited = -1
	w.ReleaseEmpty(&w.Arena, 0, s)
	w.lows[s] = min(low, w.added)
	if len(v.IDs) > 0 {
		w.Costs.Compared++
	}
	return fired
}

// remove fires the timers that the pass has collected, in order of key, and appends the runs to fired.
func (w *wheelOfNATS) remove(fired []wheel.Expiry) []wheel.Expiry {
	slices.SortFunc(w.collected, func(a, b uint32) int { return cmp.Compare(w.Arena.At(a).Key, w.Arena.At(b).Key) })
	for _, i := range w.collected {
		if !w.Arena.Spend(1) {
			break
		}
		n := w.Arena.At(i)
		s := n.Slot
		w.Unlink(&w.Base, n)
		w.Costs.Slots++
		w.Costs.Touched++
		w.forget(s)
		fired = w.Expire(w, i, n, 0, s, fired)
	}
	w.collected = w.collected[:0]
	return fired
}

// IdlePeak returns the cost of a tick at which a pass is over at once, and the first of them after Now. It returns 0, 0
// if there is no such tick up to tick to, or passes are attempted only when the timer of a store rings; see
// [wheel.Observable].
func (w *wheelOfNATS) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	if w.cfg.Store {
		return 0, 0
	}
	return core.RingPeak(w.clock, 1, to)
}

// Clone returns an independent copy of the wheel, without its log.
func (w *wheelOfNATS) Clone() wheel.Observable {
	c := *w
	c.LevelWheel = w.LevelWheel.Copy()
	c.lows, c.collected = slices.Clone(w.lows), nil
	return &c
}

// Bytes returns the memory used by the nodes, the slots, their bounds and the bitmap, in bytes.
func (w *wheelOfNATS) Bytes() int64 {
	return w.LevelWheel.Bytes() + int64(cap(w.lows))*8 + int64(cap(w.collected))*4
}

// Check verifies every slot: each timer must be in the slot of its due tick, and no bound may be later than a due tick.
func (w *wheelOfNATS) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Levels(&w.LevelSet, func(_ int, s int64, n *core.Node) bool {
		return int64(w.Levels[0].SlotOf(n.Due/w.cfg.Width)) == s && w.lows[s] <= n.Due && w.low <= n.Due
	})
	for s, low := range w.lows {
		if occupied := w.Levels[0].Occupied.Has(uint32(s)); occupied != (low != none) {
			c.Fail("slot %d has bound %d, occupied is %v", s, low, occupied)
		}
	}
	return c.Done()
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *wheelOfNATS) NeverEarly() bool { return true }
