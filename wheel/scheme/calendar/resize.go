package calendar

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// shrink halves n, the number of days per year, if there are fewer than n/2−2 timers. It does
// nothing if w.fixed is set or n is 2 or less.
func (w *calendar) shrink() {
	if n := len(w.Chains); !w.fixed && n > 2 && w.count < n/2-2 {
		w.resize(n / 2)
	}
}

// resize changes the calendar to n days of a new width. It adds every timer again in order of due
// tick, so each goes to the end of the list for its day after one comparison. It emits a resize event,
// and a place event for each timer whose new list has another index than its old list.
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
	next := w.successors(all, &old)
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
			w.EmitInsert(t, 0, from, to, next[k])
		}
	}
}

// successors returns the positions for the place events of a resize. all contains the nodes of all timers in order of
// due tick, and old is the calendar before the resize. Element k of the result is the node before which the event of
// timer all[k] inserts the timer into its new list, or 0 if the event inserts it at the end. The result is nil if there
// is no log.
//
// Place events are emitted in order of due tick, and only for timers whose new list has another index than their old
// list. When the event of a timer is applied, all later timers are still in their old lists. The event therefore
// inserts the timer before the first later timer whose old list and new list both have the index of the timer's new
// list.
func (w *calendar) successors(all []uint32, old *calendar) []uint32 {
	if w.Log == nil {
		return nil
	}
	next, first := make([]uint32, len(all)), make([]uint32, len(w.Chains))
	for k := len(all) - 1; k >= 0 && w.Arena.Spend(1); k-- {
		e := w.Arena.At(all[k]).Due
		s := w.page(e)
		next[k] = first[s]
		if s == old.page(e) {
			first[s] = all[k]
		}
	}
	return next
}

// inOrder returns the nodes of all timers in order of due tick. It is a merge sort that starts with
// the lists in w.Chains, which are already sorted. The result is incomplete if the wheel is aborted
// during the call.
func (w *calendar) inOrder() []uint32 {
	all := make([]uint32, 0, w.count)
	var ends []int // index after each sorted section of all
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

// merge merges the nodes in a and b, which are sorted by due tick, into dst, whose length must be
// len(a)+len(b). If due ticks are equal, the timers of a come first.
func (w *calendar) merge(dst, a, b []uint32) {
	for k := range dst {
		if !w.Arena.Spend(1) {
			return
		}
		if len(b) == 0 || len(a) > 0 && w.Arena.At(a[0]).Due <= w.Arena.At(b[0]).Due {
			dst[k], a = a[0], a[1:]
		} else {
			dst[k], b = b[0], b[1:]
		}
	}
}

// sampleMax is the maximum number of timers from which newDay computes a width.
const sampleMax = 25

// newDay returns the new length of a day, in base ticks, according to the rule in Brown's paper. all
// contains the nodes of all timers in order of due tick. newDay takes a sample of the first timers: all
// of them if there are at most 5, and otherwise 5 plus a tenth of their number, but at most sampleMax.
// It computes the mean distance between the due ticks of successive timers of the sample, and then the
// mean of only those distances that are less than twice the first mean. A day is three times as long as
// the second mean. If the sample has fewer than two distinct due ticks, newDay returns the current
// length.
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
