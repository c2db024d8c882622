// Package kafka is the hierarchical wheel of Apache Kafka (server-common, package
// org.apache.kafka.server.util.timer: TimingWheel and SystemTimer). Levels are added when
// a timer needs them. No hand moves: a slot that holds timers waits in a delay queue for
// the tick at which it begins, and the clock advances only when a slot comes out. While
// no slot comes out the clock stays where it is, so a timer with a short delay may be
// placed at a coarse level. With slots of u base ticks at level 0:
//
//	at once        due < clock + u
//	fires          at floor(due/u)·u: up to u−1 base ticks early
//	start          O(levels), and O(log slots) for a slot that enters the queue
//	stop           O(1); the emptied slot stays in the queue
//	tick           nothing, unless a slot comes out
//
// Start reading at [New] and kafka.go. drive.go has the same wheel without the delay
// queue, for comparison. russellluo.go has the port of RussellLuo/timingwheel (54845bd) to
// Go, which has no lock around the work on a slot; [NewRussellLuo] lets operations in
// between the steps of that work.
package kafka
