package wheel

// Faults of the riicarus sketch, in the order of riicarusFaults.
const (
	riicarusStale        faults = 1 << iota // a bucket keeps its timestamp after a poll
	riicarusDelayFromNow                    // the delay is taken from now but added to start
)

var riicarusFaults = []string{"stale", "delay-from-now"}

// RiicarusConfig is the geometry of a riicarus wheel.
type RiicarusConfig struct {
	Slots        int  // 1 to SlotsMax
	Width        Tick // base ticks a slot, 1 or more
	Start        Tick // the one timestamp that all others are counted from
	Stale        bool // fault: after a poll a bucket keeps its timestamp, unless it is empty
	DelayFromNow bool // fault: what is to be counted from start is counted from now
}

// Riicarus is the wheel of seed 001: one ring of buckets with rounds, driven by a
// delay queue. Counted from the start, a timer due after dfs base ticks stands in
// bucket (dfs mod span) div u with round dfs div span. A bucket is a priority queue
// by round; its timestamp, the tick of its least round, is where it waits in the
// delay queue. Rounds are not counted down: they are numbered from the start.
//
//	at once        due ≤ now + u: up to u base ticks early
//	fires          at the beginning of its slot: up to u−1 base ticks early, never late
//	start          O(log timers of the bucket)
//	stop           O(1): the sketch has none; here a timer is marked, and met when its round is taken
//	tick           nothing but where a bucket comes out
//
// A delay queue gives up nothing but its head. So a bucket that must wait for an
// earlier round is entered again, and the entry left behind finds, when it comes
// out, a bucket that waits for this very tick or has nothing to do with it.
type Riicarus struct {
	base
	n, u, start Tick
	buckets     []bucket
	queue       delayQueue
	on          faults
	armed       uint64 // timers ever put into a bucket: the order among equal rounds
	marked      int    // timers cancelled and still in place
	steps       uint32 // steps so far; 0 in node.pos: not armed in a step
	inStep      bool
	reruns      int           // of timers armed in the step under way
	taken       []bucketEntry // by the poll under way
	met         int           // of those: being fired or swept, or so already
	polled      uint32        // the bucket that it polls
}

// NewRiicarus makes an empty wheel. The error is a *ParamError.
func NewRiicarus(c RiicarusConfig) (*Riicarus, error) {
	if err := checkRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &Riicarus{n: int64(c.Slots), u: c.Width, start: c.Start}
	w.now = c.Start
	w.buckets = make([]bucket, c.Slots)
	if c.Stale {
		w.on |= riicarusStale
	}
	if c.DelayFromNow {
		w.on |= riicarusDelayFromNow
	}
	return w, nil
}

func buildRiicarus(p Params, start Tick) (Wheel, error) {
	on := readFaults(p, riicarusFaults)
	return NewRiicarus(RiicarusConfig{Slots: int(p["slots"].(int64)), Width: p["width"].(int64), Start: start,
		Stale: on.has(riicarusStale), DelayFromNow: on.has(riicarusDelayFromNow)})
}

// WakesItself marks a wheel under a delay queue.
func (w *Riicarus) WakesItself() {}

// Schedule arms a timer.
func (w *Riicarus) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Riicarus) place(i uint32, n *node) verdict {
	if soon := w.now + w.u; n.due <= soon {
		if w.tooMany(n, soon) {
			return badPast
		}
		return due
	}
	if len(w.queue.items) >= LiveMax {
		return badCapacity
	}
	dfs := n.due - w.start
	if w.on.has(riicarusDelayFromNow) {
		dfs = n.due - w.now
	}
	span := w.n * w.u
	n.slot, n.pos = uint32(dfs%span/w.u), 0
	if w.inStep {
		n.pos = w.steps
	}
	b := &w.buckets[n.slot]
	w.armed++
	e := bucketEntry{dfs / span, w.armed, i}
	w.tellPut(n, b, e)
	if w.arena.aborted {
		return badAborted
	}
	w.cost.Compared += int64(b.push(e))
	w.wait(n.slot, w.timestamp(n.slot, e.round))
	return placed
}

// timestamp is the tick at which a bucket's round begins.
func (w *Riicarus) timestamp(slot uint32, round int64) Tick {
	return w.start + w.n*w.u*round + w.u*int64(slot)
}

// tellPut tells that a timer comes to stand in front of those of later rounds.
func (w *Riicarus) tellPut(n *node, b *bucket, e bucketEntry) {
	if w.log == nil {
		return
	}
	told := Event{Kind: KindPlace, ID: n.key, Due: n.due, Run: w.arena.run(n), X: e.round, FromLevel: NoLevel, ToSlot: n.slot}
	if w.log.Keep {
		told.Before = w.before(n.slot, b, e.round)
	}
	w.tell(told)
}

// before gives the key of the first timer of a later round in a bucket, 0 where
// there is none. What a poll has taken stands there until it is met.
func (w *Riicarus) before(slot uint32, b *bucket, round int64) uint32 {
	next := b.after(&w.arena, round)
	if w.met < len(w.taken) && w.polled == slot && w.taken[w.met].round > round {
		next = w.taken[w.met].index
	}
	if next == 0 {
		return 0
	}
	return w.arena.at(next).key
}

// wait lets a bucket wait for tick `at`, unless it waits for an earlier one.
func (w *Riicarus) wait(slot uint32, at Tick) {
	b := &w.buckets[slot]
	if b.latest != 0 && b.latest <= at {
		return
	}
	b.latest = at
	w.offer(slot, at)
}

// offer puts a bucket into the delay queue, unless it stands there with that tick.
func (w *Riicarus) offer(slot uint32, at Tick) {
	if !w.buckets[slot].enter(at) {
		return
	}
	w.queue.push(Bucket{0, slot, at})
	if w.log != nil {
		w.tell(Event{Kind: KindEnqueue, FromSlot: slot, Due: at, ToLevel: NoLevel})
	}
}

// Cancel marks a timer in O(1). Its bucket keeps its timestamp.
func (w *Riicarus) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil || n.state == stateMarked {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	n.state = stateMarked
	w.marked++
	if w.log != nil {
		w.tell(Event{Kind: KindMark, ID: n.key, Due: n.due, FromLevel: NoLevel, ToLevel: NoLevel})
	}
	return true
}

// Len is the number of timers armed; those marked are not.
func (w *Riicarus) Len() int { return w.arena.live - w.marked }
