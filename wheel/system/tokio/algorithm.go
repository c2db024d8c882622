// Package tokio implements the timer wheel of the Rust runtime tokio (tokio/src/runtime/time/wheel):
// 6 levels of 64 slots. A timer is at the level of the highest digit (of 6 bits) in which
// its due tick differs from the clock. Each level has one word of 64 bits that records which
// slots are occupied, so the next one is found without examining empty slots. With ticks
// of 1 ms:
//
//	level   slot       range
//	0       1 ms       64 ms
//	1       64 ms      4.1 s
//	2       4.1 s      4.4 min
//	3       4.4 min    4.7 h
//	4       4.7 h      12 d
//	5       12 d       2.2 years
//
// A timer with a longer delay is at level 5 and is placed again when its slot is reached.
//
//	start, stop    O(1)
//	tick           nothing, unless a slot is occupied
//
// The wheel of tokio-util's DelayQueue (tokio-util/src/time/wheel) has the same levels. It
// rejects timers 2^36 ticks or more ahead, and its slots are stacks: last in, first out.
// Start reading at [New].
package tokio

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the tokio wheel.
var Algorithm = catalog.Algorithm{
	ID:         "tokio",
	Source:     "tokio, tokio/src/runtime/time/wheel (mod.rs, level.rs)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1), libraryParameter()},
	Build:      build,
	MayBeLate:  true,
}
