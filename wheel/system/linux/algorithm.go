// Package linux implements the two timer wheels of the Linux kernel (kernel/time/timer.c).
//
// [New] returns the wheel of Linux 4.8 and later: levels of 64 slots, each slot 8 times as wide as
// one of the next finer level, and no cascade. A timer fires from the slot it was put into, and is
// late because its due tick is rounded up to that slot. With ticks (jiffies) of 1 ms:
//
//	level   slot      from a delay of   late by
//	0       1 ms      0                 1 ms
//	1       8 ms      63 ms             1 to 8 ms
//	2       64 ms     504 ms            1 to 64 ms
//	…       ·8        ·8                ·8
//	8       4.7 h     1.5 d             1 ms to 4.7 h
//
// The highest ratio of lateness to delay is 8/63. A timer due beyond the last level is put
// at its end and fires early. The timers of a slot fire last in, first out.
//
//	start, stop    O(1)
//	tick           nothing, unless a slot is occupied
//
// [NewClassic] returns the wheel up to 4.7 (as of 3.18): 256 slots of one tick, and four levels
// of 64 slots. When the hand of level 0 completes a revolution, the next slot of level 1
// cascades; when that level completes one too, the next slot of level 2, and so on.
//
//	level   slot       delays
//	0       1          under 2^8
//	1       2^8        under 2^14
//	2       2^14       under 2^20
//	3       2^20       under 2^26
//	4       2^26       under 2^32; longer ones are placed again from there
//
//	fires          at its due tick, or at the next tick if that has passed
//	start, stop    O(1)
//	tick           O(1), and the slots that cascade
package linux

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the wheel in Linux 4.8 and later.
var Algorithm = catalog.Algorithm{
	ID: "linux", Coarse: true,
	Source: "Linux since 4.8, kernel/time/timer.c",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1),
		{Name: "levels", Type: catalog.TypeInt, Default: int64(9), Min: 8, Max: 9}},
	Build: build,
}

// ClassicAlgorithm is the catalogue entry of the wheel in Linux 4.7 and earlier.
var ClassicAlgorithm = catalog.Algorithm{
	ID:         "linux-classic",
	Source:     "Linux up to 4.7, kernel/time/timer.c (3.18)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      buildClassic,
}
