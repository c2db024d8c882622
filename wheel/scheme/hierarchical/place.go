package hierarchical

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// PlaceNode puts node n, which has index i, into the slot determined by n.Due and the clock. If n.Due is
// beyond the range of the wheel, PlaceNode adds levels if the wheel can grow that far, and otherwise rejects
// the timer.
func (w *hierarchical) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	e := w.tickOf(n)
	if e <= w.clock {
		return w.AtOnce(n, core.Rounding(w.config.Floor).Reached(w.clock, w.u))
	}
	l, index := w.levelFor(e)
	if l < 0 {
		if !w.grow(e) && !w.config.Program {
			return core.BadRange
		}
		l, index = w.levelWithin(n, e)
	}
	if w.config.Migration == MigrateNone {
		index = w.round(l, e)
	}
	s := w.Put(&w.Arena, i, n, l, index)
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, int8(l), s, wheel.NoRounds)
	}
	return core.Placed
}

// tickOf returns the wheel tick at which n's timer should fire.
func (w *hierarchical) tickOf(n *core.Node) int64 {
	return core.Rounding(w.config.Floor).Tick(n.Due, w.u)
}

// grow adds levels until the range of the wheel includes wheel tick e, which must be beyond the
// current range. It adds none, and returns false, if the wheel cannot grow that far.
func (w *hierarchical) grow(e int64) bool {
	if !w.config.Grow {
		return false
	}
	had, n := len(w.Levels), int64(w.config.Slots[0])
	need, width := had, w.Levels[had-1].Width
	for e/width-w.clock/width >= n {
		need++
		width *= n // at most e, which is at least n widths away
	}
	if need > w.config.maxLevels() {
		return false
	}
	for i := had; i < need; i++ {
		w.AddLevel(n, w.TopSpan(), w.clock)
		if w.Log != nil {
			w.Emit(wheel.Event{Kind: wheel.KindGrow, FromLevel: int8(i), X: w.Levels[i].Width * w.u, ToLevel: wheel.NoLevel})
		}
	}
	return true
}

// levelFor returns the level for a timer that fires at wheel tick e, which must be after the clock,
// and the index of its slot (see [core.Level.Index]). If e is beyond the range of the wheel, l is -1.
// levelFor counts one comparison for each level whose range is too small.
func (w *hierarchical) levelFor(e int64) (l int, index int64) {
	if w.config.Placement == ByDistance {
		l, index = w.byDistance(e)
	} else {
		l, index = w.byDigits(e)
	}
	if l > 0 {
		w.Costs.Compared += int64(l)
	}
	return l, index
}

// levelWithin is like levelFor, but if e is beyond the range, it adds levels or, if that is not possible, returns the
// last slot of the coarsest level and marks n as postponed.
func (w *hierarchical) levelWithin(n *core.Node, e int64) (l int, index int64) {
	n.State = core.StateLive
	l, index = w.levelFor(e)
	if l < 0 && w.grow(e) {
		l, index = w.levelFor(e)
	}
	if l < 0 {
		n.State = core.StatePostponed
		l = len(w.Levels) - 1
		index = w.Levels[l].Hand + max(1, w.Levels[l].N-1)
	}
	return l, index
}

func (w *hierarchical) byDistance(e int64) (int, int64) {
	top := &w.Levels[len(w.Levels)-1]
	if top.N == 1 && top.Index(e) > top.Hand { // beyond the range, which the loop below would not detect
		return -1, 0
	}
	j := e - w.clock
	for l := range w.Levels {
		v := &w.Levels[l]
		if j >= v.Span { // avoids a division
			continue
		}
		if index := v.Index(e); index-v.Hand < v.N {
			return l, index
		}
	}
	return -1, 0
}

func (w *hierarchical) byDigits(e int64) (int, int64) {
	l := len(w.Levels) - 1
	index := w.Levels[l].Index(e)
	if index-w.Levels[l].Hand >= w.Levels[l].N {
		return -1, 0
	}
	for ; l > 0 && index == w.Levels[l].Hand; l-- {
		index = w.Levels[l-1].Index(e)
	}
	return l, index
}

// round rounds wheel tick e to a slot of level l according to Config.Round, and returns the index
// of that slot.
func (w *hierarchical) round(l int, e int64) int64 {
	v := &w.Levels[l]
	index := v.Index(e)
	rest := e - index*v.Width
	switch w.config.Round {
	case RoundCeil:
		if rest > 0 {
			index++
		}
	case RoundNearest:
		if rest >= v.Width-rest {
			index++
		}
	}
	return index
}
