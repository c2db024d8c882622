// Package callout implements the callout wheel of FreeBSD (sys/kern/kern_timeout.c as of 7.3, revision 1.106.2.1.4.1),
// which follows Costello and Varghese, "Redesigning the BSD Callout and Timer Facilities" (Washington University,
// WUCS-95-23, 1995). It is one array of n unsorted lists, indexed by the tick at which a timer fires. A visit compares
// that tick of each timer in the list with the clock, so it counts no rounds.
//
//	range          any delay
//	fires          at its due tick, or at the next tick if that has passed when it is scheduled
//	start, stop    O(1)
//	tick           O(timers of the slot): timers / n on average
//
// There are three differences from the kernel. Ticks have 62 bits and do not wrap. A timer whose
// due tick has passed when it is scheduled fires at the tick after the last one processed; the
// kernel counts from its tick counter, which is ahead of that while softclock catches up. A timer
// that is added to the visited slot during the visit is not examined until the next visit; the
// kernel may examine it, but never fires it then.
//
// Start reading at [New] and, in callout.go, PlaceNode (callout_reset) and ProcessTick (softclock).
// Its name in the catalogue is "callout".
package callout

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the FreeBSD callout wheel.
var Algorithm = catalog.Algorithm{
	ID:         "callout",
	Source:     "FreeBSD 7.3, sys/kern/kern_timeout.c, after Costello & Varghese 1995",
	Parameters: []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(1)},
	Build:      build,
}
