package calendar

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// shrink halves the number of days if there are too few timers for them.
func (w *calendar) shrink() {
	if n := len(w.Chains); !w.fixed && n > 2 && w.count < n/2-2 {
		w.resize(n / 2)
	}
}

// resize changes the calendar to n days of a new width. It adds every timer again in order of due
// tick, so that each goes to the end of its page with one comparison. It emits an event for each
// timer whose page changes.
func (w *calendar) resize(n int) {
	all := w.inOrder()
	if w.Arena.Aborted {
		return
	}
	old := calendar{ChainWheel: core.ChainWheel{Chains: w.Chains, Width: w.Width}}
	w.Costs.Slots += int64(len(old.Chains))
	w.Width = w.newDay(all)
	w.SetSlots(n)
	w.count = 0
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindResize, FromSlot: uint32(n), X: w.Width, ToLevel: wheel.NoLevel})
	}
	behind := w.staysBehind(all, &old)
	for k, i := range all {
		if !w.Arena.Spend(1) {
			return
		}
		w.Costs.Touched++
		w.Costs.Compared++
		w.Costs.Moved++
		t := w.Arena.At(i)
		from, to := old.page(t.Due), w.page(t.Due)
		w.insert(to, i, t, 0)
		if from != to && w.Log != nil {
			w.EmitInsert(t, 0, from, to, behind[k])
		}
	}
}

// staysBehind returns, for each timer in all, the node of the timer that the event of its move names as the
// next one on its new page, or 0 if there is none. That is the first later timer in all that is on the new
// page and was on this page in old, the calendar before the resize. The result is nil if there is no log.
func (w *calendar) staysBehind(all []uint32, old *calendar) []uint32 {
	if w.Log == nil {
		return nil
	}
	behind, first := make([]uint32, len(all)), make([]uint32, len(w.Chains))
	for k := len(all) - 1; k >= 0 && w.Arena.Spend(1); k-- {
		e := w.Arena.At(all[k]).Due
		s := w.page(e)
		behind[k] = first[s]
		if s == old.page(e) {
			first[s] = all[k]
		}
	}
	return behind
}

// inOrder returns the nodes of all timers in order of due tick. It merges the pages, which are
// sorted, two by two, then the results, and so on. The result is incomplete if the wheel is aborted
// meanwhile.
func (w *calendar) inOrder() []uint32 {
	all := make([]uint32, 0, w.count)
	var ends []int // end indexes of the sorted sections of all
	for s := w.Occupied.Next(0); s >= 0; s = w.Occupied.Next(uint32(s) + 1) {
		for i := w.Chains[s].Head; i != 0 && w.Arena.Spend(1); i = w.Arena.At(i).Pos {
			all = append(all, i)
		}
		ends = append(ends, len(all))
	}
	for merged := make([]uint32, len(all)); len(ends) > 1 && !w.Arena.Aborted; all, merged = merged, all {
		from, pairs := 0, (len(ends)+1)/2
		for k := range pairs {
			middle, end := ends[2*k], ends[min(2*k+1, len(ends)-1)]
			w.merge(merged[from:end], all[from:middle], all[middle:end])
			ends[k], from = end, end
		}
		ends = ends[:pairs]
	}
	return all
}

// merge merges a and b, which are sorted by due tick, into `to`. If ticks are equal, the timers of
// a come first.
func (w *calendar) merge(to, a, b []uint32) {
	for k := range to {
		if !w.Arena.Spend(1) {
			return
		}
		if len(b) == 0 || len(a) > 0 && w.Arena.At(a[0]).Due <= w.Arena.At(b[0]).Due {
			to[k], a = a[0], a[1:]
		} else {
			to[k], b = b[0], b[1:]
		}
	}
}

// sampleMax is the maximum number of timers from which newDay computes a width.
const sampleMax = 25

// newDay returns a new width of a day, in whole base ticks, by Brown's rule. all contains the
// nodes of all timers in order of due tick, of which the first sampleMax or fewer are the sample.
// The width is three times the mean distance between the due ticks of successive timers of the
// sample, leaving out distances of twice the mean or more. If the sample has only one timer or a
// single due tick, newDay returns the current width.
func (w *calendar) newDay(all []uint32) wheel.Tick {
	k := len(all)
	if k > 5 {
		k = min(5+k/10, sampleMax)
	}
	if k < 2 {
		return w.Width
	}
	due := func(j int) wheel.Tick { return w.Arena.At(all[j]).Due }
	total := due(k-1) - due(0)
	if total == 0 {
		return w.Width
	}
	sum, count := wheel.Tick(0), wheel.Tick(0)
	for j := 1; j < k; j++ {
		if apart := due(j) - due(j-1); apart <= (2*total-1)/int64(k-1) {
			sum, count = sum+apart, count+1
		}
	}
	day := 3*min(sum/count, wheel.WidthMax) + (3*(sum%count)+count/2)/count
	return min(max(day, 1), wheel.WidthMax)
}
