package agrona

import (
	"fmt"
	"math"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// cellsMax is the largest number of cells; a timer for which the wheel would have to grow beyond it is rejected.
const cellsMax = 1 << 30

// idsKept is the largest number of cells for which an empty spoke keeps memory.
const idsKept = 64

// Polls selects how often the wheel is polled at each tick.
type Polls string

const (
	PollsOne   Polls = "one"   // once
	PollsAeron Polls = "aeron" // again while the wheel lags behind and fewer timers than the limit have fired
	PollsDrain Polls = "drain" // until a poll fires no timer and does not move the wheel
)

// Config holds the geometry of a wheel, and how it is polled.
type Config struct {
	Slots      int        // number of spokes, a power of two up to SlotsMax
	Width      wheel.Tick // base ticks per spoke, a power of two
	Start      wheel.Tick // initial tick of the clock, at which spoke 0 begins
	Allocation int        // initial number of cells of a spoke, a power of two up to 65,536
	Limit      int        // number of expiries that end a poll; 0 means no limit
	Polls      Polls      // PollsAeron if empty
}

// agrona is an array of spokes.
type agrona struct {
	core.Base
	cfg      Config
	spokes   []spoke
	occupied core.Bitmap
	cells    int64      // number of cells of each spoke
	tick     int64      // tick of the wheel, counted from its start: the spoke that is polled
	index    int64      // cell at which the next poll begins
	clock    wheel.Tick // last base tick that was polled; in a new wheel the one before its start
	work     wheel.Tick // last result of NextWork, or -1 if it found nothing
	visiting int64      // spoke that is being polled, or -1
	added    []uint32   // nodes that were put into that spoke meanwhile
}

// spoke is the used part of the cells of a spoke; the cells behind it are free.
type spoke struct {
	ids   []uint32 // nodes of the timers, 0 for a free cell
	count int      // number of timers
	free  int      // all cells before this one are taken
}

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c is out of range or not
// a power of two.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		name  string
		value int64
	}{{"slots", int64(c.Slots)}, {"width", c.Width}, {"allocation", int64(c.Allocation)}} {
		if p.value < 1 || p.value&(p.value-1) != 0 {
			return nil, &wheel.ParamError{Name: p.name, Found: fmt.Sprint(p.value), Want: "a power of two"}
		}
	}
	if c.Limit < 0 || int64(c.Slots)*int64(c.Allocation) > cellsMax {
		return nil, &wheel.ParamError{Name: "allocation", Found: fmt.Sprint(c.Allocation), Want: "at most %d", Args: []any{cellsMax / c.Slots}}
	}
	if c.Polls == "" {
		c.Polls = PollsAeron
	}
	w := &agrona{cfg: c, spokes: make([]spoke, c.Slots), occupied: core.NewBitmap(c.Slots), cells: int64(c.Allocation), clock: c.Start - 1, work: -1, visiting: -1}
	w.Reached = c.Start
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{int(p["slots"].(int64)), p["width"].(int64), s.Start,
		int(p["allocation"].(int64)), int(p["limit"].(int64)), Polls(p["polls"].(string))})
}

// edge returns the first base tick after the current tick of the wheel.
func (w *agrona) edge() wheel.Tick { return w.edgeOf(w.tick) }

func (w *agrona) edgeOf(tick int64) wheel.Tick { return (tick+1)*w.cfg.Width + w.cfg.Start }

// spokeOf returns the spoke of a tick of the wheel.
func (w *agrona) spokeOf(tick int64) int64 { return tick & (int64(w.cfg.Slots) - 1) }

// Schedule adds the timer described by s. A timer that is already due fires at the next poll of its spoke, so the number
// of runs that Schedule returns is always 0.
func (w *agrona) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

// PlaceNode implements scheduleTimer: it puts node n, which has index i, into the first free cell of its spoke.
func (w *agrona) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	at := n.Due - w.cfg.Start
	k := at / w.cfg.Width
	if at < 0 {
		k = -1
	}
	s := w.spokeOf(max(k, w.tick))
	p := &w.spokes[s]
	for p.free < len(p.ids) && p.ids[p.free] != 0 {
		p.free++
	}
	cell := p.free
	w.Costs.Slots++
	w.Costs.Touched += min(int64(cell)+1, w.cells) - 1 // one is counted already
	if int64(cell) == w.cells {
		if w.cells*2*int64(w.cfg.Slots) > cellsMax {
			return core.BadCapacity
		}
		w.Costs.Moved += w.cells * int64(w.cfg.Slots)
		w.cells *= 2
	}
	if cell == len(p.ids) {
		p.ids = append(p.ids, i)
	} else {
		p.ids[cell] = i
	}
	p.free++
	p.count++
	w.occupied.Set(uint32(s))
	n.Slot, n.Pos = uint32(s), uint32(cell)
	if s == w.visiting {
		w.added = append(w.added, i)
	}
	if w.Log != nil {
		w.EmitInsert(n, wheel.NoLevel, 0, n.Slot, p.after(cell))
	}
	return core.Placed
}

// after returns the node in the first taken cell after the given one, or 0 if there is none.
func (p *spoke) after(cell int) uint32 {
	for _, i := range p.ids[cell+1:] {
		if i != 0 {
			return i
		}
	}
	return 0
}

// vacate frees the cell of node n.
func (w *agrona) vacate(n *core.Node) {
	p := &w.spokes[n.Slot]
	p.ids[n.Pos] = 0
	p.count--
	p.free = min(p.free, int(n.Pos))
	if p.count == 0 {
		if p.ids, p.free = p.ids[:0], 0; cap(p.ids) > idsKept {
			p.ids = nil
		}
		w.occupied.Clear(n.Slot)
	}
}

// Cancel removes timer t. It returns false if t is not scheduled.
func (w *agrona) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	w.CountCancel(n, n.Slot)
	w.vacate(n)
	w.Arena.Release(t.Index(), n)
	return true
}

// ahead returns the number of ticks of the wheel until its spoke holds a timer, 0 if it holds one now. There must be one.
func (w *agrona) ahead() int64 {
	s := uint32(w.spokeOf(w.tick))
	if w.occupied.Has(s) {
		return 0
	}
	return w.occupied.Ahead(s, int64(w.cfg.Slots))
}

// NextWork returns the next tick at which a poll looks at a spoke that holds a timer, or 0 if there is no timer.
func (w *agrona) NextWork() int64 {
	w.work = -1
	if w.Arena.Live == 0 {
		return 0
	}
	t, d := w.clock+1, w.ahead()
	switch before, at := w.edgeOf(w.tick+d-1), w.edgeOf(w.tick+d); {
	case d == 0:
		w.work = t
	case w.cfg.Polls == PollsOne:
		w.work = max(t+d-1, before) + 1
	case w.cfg.Polls == PollsDrain:
		w.work = max(t, before)
	case at < t:
		w.work = t
	default:
		w.work = max(t, before) + 1
	}
	w.work = max(w.work, w.Reached+1)
	return w.work
}

// Next returns the next tick at which a poll looks at a spoke that holds a timer. It returns false if there is no timer.
func (w *agrona) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance polls the wheel at every tick up to the target tick and appends an Expiry to fired for each run that fires;
// see [wheel.Wheel].
func (w *agrona) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// Resume polls the wheel at one tick only, that at which a stall of the driver ended; see [port.TickCounter].
func (w *agrona) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	switch to = min(to, wheel.TickMax); {
	case w.Stopped():
		return fired, w.Status()
	case to < w.Reached:
		return fired, wheel.Done
	}
	w.clock, w.Reached = to, to
	return w.ProcessTick(fired), wheel.Done
}

// AdvanceClock sets the clock to tick k. It does the polls of all ticks that it passes, at which the spokes are empty,
// and of tick k, unless ProcessTick does them.
func (w *agrona) AdvanceClock(k wheel.Tick) {
	last := k
	if k == w.work {
		last--
	}
	if last > w.clock {
		w.idle(last)
	}
	w.clock, w.Reached = k, k
}

// idle does the polls of the ticks up to `last`, all of which look at empty spokes.
func (w *agrona) idle(last wheel.Tick) {
	if w.cfg.Polls == PollsDrain { // at each tick one poll that does not move the wheel
		moves := w.edgesUpTo(last)
		w.skip(last-w.clock+moves, moves)
		w.clock = last
		return
	}
	if w.cfg.Polls == PollsAeron { // catch up at the first tick; later it makes one poll at each
		w.clock++
		moves := w.edgesUpTo(w.clock)
		if moves > 1 && w.edgeOf(w.tick+moves-1) == w.clock { // the loop ends at this edge
			moves--
		}
		w.skip(max(moves, 1), moves)
	}
	if ticks := last - w.clock; ticks > 0 {
		w.skip(ticks, min(w.edgesUpTo(last), ticks))
	}
	w.clock = last
}

// edgesUpTo returns the number of ticks of the wheel, from the current one, that are over at base tick t.
func (w *agrona) edgesUpTo(t wheel.Tick) int64 {
	if e := w.edge(); t >= e {
		return (t-e)/w.cfg.Width + 1
	}
	return 0
}

// skip counts polls of empty spokes, of which the given number move the wheel.
func (w *agrona) skip(polls, moves int64) {
	if w.Arena.Live == 0 {
		w.Costs.Compared += polls
	} else {
		looks := satMul(polls, w.cells)
		w.Costs.Slots += polls
		w.Costs.Touched += looks
		w.Costs.Compared += looks + polls
	}
	w.tick += moves
	if moves > 0 { // a poll that does not move the wheel ends at the cell at which it began
		w.index = 0
	}
}

func satMul(a, b int64) int64 {
	if a > core.TouchedMax/b {
		return core.TouchedMax
	}
	return a * b
}

// ProcessTick makes the polls of the current tick and appends the runs that fire to fired.
func (w *agrona) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	sum := 0
	for w.Arena.Spend(1) {
		if w.pass() {
			continue
		}
		before, tick := len(fired), w.tick
		fired = w.poll(fired)
		n := len(fired) - before
		sum += n
		again := false
		switch w.cfg.Polls {
		case PollsAeron:
			again = (w.cfg.Limit == 0 || sum < w.cfg.Limit) && w.edge() < w.clock
		case PollsDrain:
			again = n > 0 || w.tick != tick
		}
		if !again {
			break
		}
	}
	return fired
}

// pass does several polls of empty spokes at once, each of which is followed by another one at this tick. It returns
// false if there is none.
func (w *agrona) pass() bool {
	if w.cfg.Polls == PollsOne {
		return false
	}
	d := int64(math.MaxInt64)
	if w.Arena.Live > 0 {
		d = w.ahead()
	}
	moves := w.edgesUpTo(w.clock)
	if w.cfg.Polls == PollsAeron { // the next edge, too, must be before this tick
		moves = max(w.edgesUpTo(w.clock-1)-1, 0)
	}
	d = min(d, moves)
	if d > 0 {
		w.skip(d, d)
	}
	return d > 0
}

// poll looks at the cells of the current spoke, fires the timers that are due, and moves the wheel if its tick is over;
// it is the method poll of the class.
func (w *agrona) poll(fired []wheel.Expiry) []wheel.Expiry {
	if w.Arena.Live == 0 {
		w.Costs.Compared++
		w.move()
		return fired
	}
	s := w.spokeOf(w.tick)
	w.Costs.Slots++
	if w.Log != nil && w.spokes[s].count > 0 {
		w.EmitHand(0, uint32(s), 0)
	}
	w.visiting, w.added = s, w.added[:0]
	n, cells := 0, w.cells
	for looks := int64(0); looks < cells && (w.cfg.Limit == 0 || n < w.cfg.Limit) && w.Arena.Spend(1); {
		used := int64(len(w.spokes[s].ids))
		if w.index >= used { // the rest of the spoke is free
			free := min(cells-w.index, cells-looks)
			w.look(free)
			looks += free
			w.turn(free, cells)
			continue
		}
		w.look(1)
		looks++
		i := w.spokes[s].ids[w.index]
		w.turn(1, cells)
		if i == 0 || w.Arena.At(i).Due > w.clock || slices.Contains(w.added, i) {
			continue
		}
		t := w.Arena.At(i)
		w.vacate(t)
		n++
		fired = w.Expire(w, i, t, 0, uint32(s), fired)
	}
	w.visiting = -1
	if w.cfg.Limit == 0 || n < w.cfg.Limit {
		w.Costs.Compared++
		w.move()
	}
	return fired
}

// look counts n cells that a poll looks at.
func (w *agrona) look(n int64) {
	w.Costs.Touched += n
	w.Costs.Compared += n
}

// turn moves the position of a poll by n cells of a spoke that had the given number when the poll began.
func (w *agrona) turn(n, cells int64) {
	if w.index += n; w.index >= cells {
		w.index = 0
	}
}

// move moves the wheel by a tick if the current one is over.
func (w *agrona) move() {
	if w.clock >= w.edge() {
		w.tick++
		w.index = 0
	}
}

// HandTime returns the base tick at which the current tick of the wheel began; see [port.HandClock].
func (w *agrona) HandTime() wheel.Tick { return w.tick*w.cfg.Width + w.cfg.Start }

// IdlePeak returns the largest cost of a tick at which all polls look at empty spokes, and the first tick with that cost;
// see [wheel.Observable].
func (w *agrona) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	if to <= w.clock {
		return 0, 0
	}
	each := int64(1)
	if w.Arena.Live > 0 {
		each = 2*w.cells + 2
	}
	polls, at := int64(1), w.clock+1
	switch w.cfg.Polls {
	case PollsAeron:
		probe := agrona{cfg: w.cfg, tick: w.tick, clock: w.clock, cells: w.cells}
		probe.idle(at)
		polls = probe.Costs.Compared
	case PollsDrain:
		polls += w.edgesUpTo(at)
		if e := w.edge(); polls == 1 && e <= to {
			polls, at = 2, e
		}
	}
	return polls * each, at
}

// Layout returns the layout of the wheel: a ring that begins at the start.
func (w *agrona) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, FromStart: true, Levels: []wheel.Level{{Level: 0, Slots: w.cfg.Slots, Width: w.cfg.Width}}}
}

// AppendState appends the spokes that hold timers to s, and sets s.Counts and s.Live. It includes at most limit timers of
// each spoke, in the order of their cells, or all if limit is AllEntries.
func (w *agrona) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	for k := w.occupied.Next(0); k >= 0; k = w.occupied.Next(uint32(k) + 1) {
		p := &w.spokes[k]
		place, most := wheel.Place{Slot: uint32(k), Count: p.count}, limit
		if most == wheel.AllEntries || most > p.count {
			most = p.count
		}
		if most > 0 {
			place.Entries = s.Room(most)
		}
		for _, i := range p.ids {
			if i != 0 && len(place.Entries) < most {
				place.Entries = append(place.Entries, w.Arena.Entry(i, wheel.NoRounds))
			}
		}
		s.Places = append(s.Places, place)
	}
}

// Clone returns an independent copy of the wheel, without its log.
func (w *agrona) Clone() wheel.Observable {
	c := *w
	c.Base, c.occupied, c.spokes, c.added = w.Base.Copy(), w.occupied.Clone(), slices.Clone(w.spokes), nil
	for k := range c.spokes {
		c.spokes[k].ids = slices.Clone(c.spokes[k].ids)
	}
	return &c
}

// Bytes returns the memory used by the nodes, the used cells and the bitmap, in bytes.
func (w *agrona) Bytes() int64 {
	n := w.Arena.Bytes() + w.occupied.Bytes() + int64(cap(w.spokes))*40 + int64(cap(w.added))*4
	for k := range w.spokes {
		n += int64(cap(w.spokes[k].ids)) * 4
	}
	return n
}

// Check verifies the cells of every spoke: each timer knows its cell.
func (w *agrona) Check() error {
	c := core.Checker{Arena: &w.Arena}
	for s := range w.spokes {
		p, count := &w.spokes[s], 0
		for cell, i := range p.ids {
			if i == 0 {
				if cell < p.free {
					c.Fail("cell %d of spoke %d is free, the first free cell is said to be %d", cell, s, p.free)
				}
				continue
			}
			count++
			if n := w.Arena.At(i); n.Slot != uint32(s) || n.Pos != uint32(cell) || n.State == core.StateFree {
				c.Fail("cell %d of spoke %d holds timer %d, which says spoke %d, cell %d", cell, s, n.Key, n.Slot, n.Pos)
			}
		}
		c.Seen += count
		if count != p.count || int64(len(p.ids)) > w.cells {
			c.Fail("spoke %d holds %d timers in %d cells, counted %d; it has %d cells", s, count, len(p.ids), p.count, w.cells)
		}
		c.Occupied(&w.occupied, uint32(s), count > 0)
	}
	return c.Done()
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *agrona) NeverEarly() bool { return true }
