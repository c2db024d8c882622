// Package riicarus reproduces the sketch of seed 001, a single wheel on a delay queue: one
// ring of buckets with rounds. Counted from the start, a timer due after dfs base ticks is
// in bucket (dfs mod span) div u with round dfs div span, where span is n·u. A bucket is a
// priority queue by round. Its timestamp, the tick of its lowest round, is the tick for
// which it waits in the delay queue. Rounds are not counted down: they are numbered from
// the start.
//
//	at once        due ≤ now + u: up to u base ticks early
//	fires          at the beginning of its slot: up to u−1 base ticks early, never late
//	start          O(log timers of the bucket)
//	stop           O(1): the sketch has none; here a timer is marked, and removed when its round is taken
//	tick           nothing, unless a bucket comes out
//
// A delay queue only gives out its head. So a bucket that must wait for an earlier round
// enters the queue again; when the older entry comes out, the bucket waits for this very
// tick or has nothing to do with it.
//
// Start reading at [New] and riicarus.go, then advance.go (the poll) and bucket.go.
package riicarus
