package hierarchical

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Stages reports whether Stage may be called; see [wheel.Stager]. It returns true if
// Config.Migration is MigrateFull, Config.Floor is not set, and the range of the wheel, including
// levels that it may add, is more than 2·StageMax ticks.
func (w *hierarchical) Stages() bool {
	if w.config.Migration != MigrateFull || w.config.Floor {
		return false
	}
	top := &w.Levels[len(w.Levels)-1]
	n, width := top.N, top.Width
	if w.config.Grow {
		for range w.config.maxLevels() - len(w.Levels) {
			width = core.SpanOf(n, width)
		}
	}
	return core.SpanOf(n-1, width) > 2*wheel.StageMax/w.u // n−1: the slot under the hand is over
}

// Stage admits the timer described by s and returns its handle. The timer gets its slot later, from
// Place; see [wheel.Stager].
func (w *hierarchical) Stage(s wheel.Spec) (wheel.Timer, error) {
	i, n, v := w.Admit(&s)
	if v >= core.BadAborted {
		return wheel.Timer{}, v.Err()
	}
	if v != core.Placed {
		w.Counts.Rejected++
		w.Arena.Release(i, n)
		return wheel.Timer{}, v.Err()
	}
	n.Slot = core.NoSlot
	return wheel.NewTimer(i, n.Gen), nil
}

// Place delays staged timer t by the given number of ticks and puts it into its slot; see [wheel.Stager].
func (w *hierarchical) Place(t wheel.Timer, by wheel.Tick) {
	n := w.Arena.Find(t)
	if n == nil || n.Slot != core.NoSlot {
		return
	}
	n.Due += min(by, wheel.StageMax)
	w.PlaceNode(t.Index(), n)
}
