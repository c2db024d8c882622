// Package calendar implements the calendar queue of Brown (Calendar queues: a fast O(1) priority
// queue implementation for the simulation event set problem, CACM 31(10), 1988). It is modelled on
// a desk calendar: n days of equal width make a year. A timer is on the page of its day, whatever
// its year, and each page is sorted. The search for the next timer goes from day to day and skips
// the timers of later years; after a whole year without one it compares the first timer of every
// page.
//
// The queue resizes itself. With more than two timers per day it doubles the number of days, and
// with fewer than about one per two days it halves it (Brown's thresholds, 2n and n/2−2). A new
// width of a day is then computed from a sample of the timers that are due next. This keeps pages
// short if due ticks are spread out; a cluster of timers outside the sample can make them long.
//
//	fires          at its due tick: the width of a day does not round it
//	start, stop    O(1) on average; O(timers) for a resize, or if pages are long
//	tick           an examination of the next timer, and the search for the one after it
//
// Start reading at [New].
package calendar

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the calendar queue.
var Algorithm = catalog.Algorithm{
	ID:     "calendar",
	Source: "Brown 1988, Calendar queues (CACM 31(10))",
	Parameters: []catalog.Parameter{
		{Name: "slots", Type: catalog.TypeInt, Default: int64(2), Min: 1, Max: wheel.SlotsMax},
		catalog.WidthParameter(1),
		{Name: "day", Type: catalog.TypeTick, Default: int64(1), Min: 1, Max: wheel.WidthMax},
		catalog.Choice("resize", "auto", "off"),
	},
	Build: build,
}
