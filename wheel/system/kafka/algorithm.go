// Package kafka implements the hierarchical wheel of Apache Kafka (server-common, package
// org.apache.kafka.server.util.timer: TimingWheel and SystemTimer). Levels are added when
// a timer needs them. There are no hands: an occupied slot waits in a delay queue for the
// tick at which it begins, and the clock advances only when a slot leaves the queue. Since
// the clock may therefore be behind, a timer with a short delay may be placed at a coarse
// level. With slots of u base ticks at level 0:
//
//	at once        if due < clock + u
//	fires          at floor(due/u)·u: up to u−1 base ticks early
//	start          O(levels), plus O(log slots) if a slot enters the queue
//	stop           O(1); the emptied slot stays in the queue
//	tick           nothing, unless a slot leaves the queue
//
// Start reading at [New]. The function newTicked returns the same wheel without the delay queue,
// for comparison, and russellluo.go has the Go port RussellLuo/timingwheel (54845bd). The port holds no lock while it processes a slot, so with [NewRussellLuo]
// operations can occur between the steps of that processing.
package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the Kafka wheel.
var Algorithm = catalog.Algorithm{
	ID:         "kafka",
	Source:     "Apache Kafka, org.apache.kafka.server.util.timer (TimingWheel, SystemTimer)",
	Parameters: []catalog.Parameter{catalog.SlotsParameter(20, 2), catalog.WidthParameter(wheel.WidthMax), driveParameter(), unlockedParameter()},
	Build:      build,
	AddsLevels: true,
	TimerBytes: 24,
}
