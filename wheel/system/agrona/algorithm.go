// Package agrona implements the DeadlineTimerWheel of real-logic/agrona (at a8e3d63), and the loop by which Aeron Cluster
// polls it (WheelTimerService). It is one array of spokes with the same number of cells each; a cell holds a deadline.
//
//	range        any delay
//	fires        when a poll looks at its cell and its due tick has passed, hence at the next tick at the edge of a
//	             spoke; with polls "one", late while the wheel lags behind
//	start        O(cells of a spoke); if they are all taken, the cells of every spoke double, for good
//	stop         O(1)
//	poll         O(cells of a spoke), whether or not they are taken
//
// The wheel counts from its start. A poll looks at the cells of one spoke and moves the wheel by at most one tick. Each
// tick makes one poll ("one"), polls while the wheel lags behind ("aeron"), or polls until a poll changes nothing
// ("drain"). A limit stops a poll after so many expiries; it goes on at the next cell.
//
// There are two differences from the class. A timer scheduled by the expiry of another one, the next run of a repeating
// timer, waits for the next poll. Its identity is the handle of a timer, so a timer that has fired can't be confused with
// another one in its cell; the class reuses the cell as the identity.
//
// Start reading at PlaceNode (scheduleTimer) and poll in agrona.go. Its name in the catalogue is "agrona".
package agrona

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of Agrona's deadline timer wheel.
var Algorithm = catalog.Algorithm{
	ID:        "agrona",
	Source:    "real-logic/agrona a8e3d63, DeadlineTimerWheel.java; aeron-io/aeron, WheelTimerService.java",
	MayBeLate: true,
	Parameters: []catalog.Parameter{catalog.SlotsParameter(512, 1), catalog.WidthParameter(wheel.WidthMax),
		{Name: "allocation", Type: catalog.TypeInt, Default: int64(16), Min: 1, Max: 1 << 16},
		{Name: "limit", Type: catalog.TypeInt, Default: int64(0), Min: 0, Max: wheel.LiveMax},
		catalog.Choice("polls", "aeron", "one", "drain")},
	Build: build,
}
