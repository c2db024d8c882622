// Package nats implements the timing hash wheel of nats-server (server/thw/thw.go at 1787eee), which keeps the deadlines
// of messages with a time to live and of message schedules. Each slot of a single array, and the wheel as a whole, knows
// a lower bound of its deadlines. There is no hand: a pass looks at every slot, and opens those whose bound has passed.
//
//	range        any delay
//	fires        at the first pass that is not before its due tick, and after the operation that schedules it
//	start, stop  O(1); a stop leaves the bounds as they are
//	pass         O(1) while the bound of the wheel lies ahead; otherwise O(slots), and O(timers) of each opened slot
//
// A pass is attempted at every tick or, with drive "store", when the timer of a message store rings: at the bound of the
// wheel, but not before a pause after the operation or pass that set it. With callback "collect", as in the stores, the
// pass leaves the timers that are due in their slots, and they are removed afterwards, in order of key; the bounds stay,
// so the next attempt is a pass for nothing. After a stall there is one pass.
//
// There are three differences from the server. Timers of a slot are visited in order of arrival; a Go map has no order. A
// repeating timer, which the server does not have, is scheduled again after its expiry, and the bounds include it. A key
// is never used twice at once, so the published faults of such keys cannot occur.
//
// Start reading at PlaceNode and ProcessTick (expireTasks) in nats.go. Its name in the catalogue is "nats".
package nats

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the hash wheel of NATS.
var Algorithm = catalog.Algorithm{
	ID:        "nats",
	Source:    "nats-io/nats-server 1787eee, server/thw/thw.go",
	MayBeLate: true,
	Parameters: []catalog.Parameter{catalog.SlotsParameter(4096, 1), catalog.WidthParameter(wheel.WidthMax),
		catalog.Choice("drive", "each-tick", "store"), catalog.Choice("callback", "take", "collect"),
		{Name: "pause", Type: catalog.TypeTick, Default: int64(250), Min: 0, Max: wheel.WidthMax}},
	Build: build,
}
