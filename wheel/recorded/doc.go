// Package recorded shows a wheel that a user has written as a lane.
//
// Such a wheel cannot be copied, so it runs once: [Wheel.Record] asks a [Source] and keeps its answers in a [Log].
// A [Wheel] with a complete log reads the answers from it. Its place in the log is an index, so that copies are
// as cheap as those of any other wheel.
//
// The rules: the source is advanced tick by tick while timers are pending, and by one call to the present before the
// next operation otherwise. A timer whose due tick has passed fires without the source. Repeats are scheduled after
// the source has answered, in the order in which they fired. A changed place is a place or cascade event; a timer
// without a place is at level −1.
//
// Start reading at [Source], then at wheel.go.
package recorded
