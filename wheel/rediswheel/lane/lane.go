// Package lane is the distributed wheel of wheel/rediswheel as an algorithm of the lab: it
// runs the very scripts that the library ships, on a Redis server inside the process
// (alicebob/miniredis) whose clock and expiries follow virtual time.
//
// The server holds the tasks; the [Lane] beside it notes, from what the scripts
// reply, where each timer stands, so that it can be drawn, and [Lane.Check] compares
// the two key by key. Nothing here listens, starts a goroutine or reads a clock: a
// command is a call. A copy takes the keys along (dump.go).
//
// Importing the package adds the algorithm `redis` to the catalogue of package
// wheel. Start reading here, then published.go and corrected.go: the two rules.
package lane

import "github.com/wheelscope/wheelscope/wheel"

// timersMax bounds the timers of a lane: each is a script run in an interpreter, some
// 150 µs, and is copied with every checkpoint. One more is refused.
const timersMax = 2000

// Where a timer stands. A slot of level 0 is a second since 1970, as the slice of its
// minute names it; the places beside the slices are slots of level −1.
const (
	levelSlices int8 = 0
	levelBeside int8 = -1
)

// Slots of level −1.
const (
	slotFlight uint32 = iota // taken out of its slice by a worker, its callback not over
	slotRetry                // failed, to be tried again
	slotDead                 // given up, kept with the reason
	slotLost                 // nowhere in Redis any more, and never called
)

// rule is one of the two ways to keep tasks in Redis. Instants are ns since 1970.
type rule interface {
	// add keeps a new task in Redis, tells what became of those that had its key, and
	// gives the slot it stands in now.
	add(i uint32) uint32
	// remove takes a task away, as the rule does it, and tells so.
	remove(i uint32)
	// replace tells that the next task added takes a task's place.
	replace(i uint32)
	// refused tells that the task that was to replace one was not kept.
	refused()
	// fits says whether the rule can keep a task due then.
	fits(due int64) error
	// next is the next instant at which a worker finds something to do.
	next() (int64, bool)
	// pass brings the worker to an instant up to which it finds nothing to do.
	pass(to int64)
	// work lets the worker do what it does at an instant, and appends what fired.
	work(at int64, fired []wheel.Expiry) []wheel.Expiry
	// wake lets a worker that stood still work once at an instant later than its own.
	wake(at int64, fired []wheel.Expiry) []wheel.Expiry
	// idlePeak is the greatest cost of a tick in which the worker finds nothing.
	idlePeak(to wheel.Tick) (int64, wheel.Tick)
	// jump tells that the wall clock was set on by so many ns.
	jump(by int64)
	// clone is the same rule for a copy of its lane.
	clone(l *Lane) rule
	// check compares what is noted with the server's keys.
	check() error
}

// Lane is a wheel of tasks in Redis with the worker that empties it.
type Lane struct {
	config
	tasks  []task // by index; 0 is none
	free   uint32
	live   int // armed; what is marked is not
	held   int // armed or marked
	places []place
	rule   rule
	server *server

	now    wheel.Tick
	log    *wheel.Log
	cost   wheel.Cost
	counts wheel.Counts
	died   bool  // the one worker that dies has died
	err    error // the first reply that should not be: the lane stands still
	soon   int64 // of rule.next, while soonOK says that it is known
	soonIs bool
	soonOK bool
}

// Schedule is ScheduleAs of a timer whose name is its key as a number.
func (l *Lane) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	if s.Key == wheel.PlaceKey {
		s.Key = l.place()
	}
	return l.ScheduleAs(nameOf(s.Key), s)
}

// ScheduleAs adds a task; name is its key in Redis. What is due already waits for the
// worker like any other.
func (l *Lane) ScheduleAs(name string, s wheel.Spec) (wheel.Timer, int, error) {
	if s.Key == 0 {
		return wheel.Timer{}, 0, wheel.ErrKey
	}
	if err := l.refuses(s.Due); err != nil {
		l.counts.Scheduled++
		l.counts.Rejected++
		l.tellRefused(s, 1, err)
		l.rule.refused()
		return wheel.Timer{}, 0, err
	}
	i := l.alloc(name, s)
	l.arm(i)
	if l.err != nil {
		return wheel.Timer{}, 0, l.refusal()
	}
	return wheel.NewTimer(i, l.tasks[i].gen), 0, nil
}

// refuses says why a task due then can't be kept, or nil.
func (l *Lane) refuses(due wheel.Tick) error {
	switch {
	case l.err != nil:
		return l.refusal()
	case l.held >= timersMax:
		return wheel.ErrCapacity
	case due < 0:
		return wheel.ErrPast
	case due > nsMax/l.nanos:
		return wheel.ErrRange
	}
	return l.rule.fits(l.ns(due))
}

// arm hands a task to the rule, and tells that it is scheduled. Where Redis fails, it is
// refused.
func (l *Lane) arm(i uint32) {
	l.soonOK = false
	slot := l.rule.add(i)
	l.counts.Scheduled++
	l.tellTask(wheel.KindSchedule, i)
	if l.err != nil {
		l.counts.Rejected++
		t := &l.tasks[i]
		l.tell(wheel.Event{Kind: wheel.KindReject, Code: wheel.CodeFault, ID: t.id, Due: t.due, Run: t.run, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
		l.release(i)
		return
	}
	l.stand(i, levelSlices, slot)
}

// Cancel removes a task.
func (l *Lane) Cancel(t wheel.Timer) bool {
	i, ok := l.find(t)
	if !ok || l.err != nil {
		return false
	}
	l.soonOK = false
	l.rule.remove(i)
	return true
}

// Armed says whether a task waits to be called.
func (l *Lane) Armed(t wheel.Timer) bool {
	_, ok := l.find(t)
	return ok && l.err == nil
}

// Replace tells that the next task scheduled replaces one of the same key.
func (l *Lane) Replace(t wheel.Timer) bool {
	i, ok := l.find(t)
	if !ok || l.err != nil {
		return false
	}
	l.soonOK = false
	l.rule.replace(i)
	return true
}

// Now is the tick that Advance has reached.
func (l *Lane) Now() wheel.Tick { return l.now }

// Len is the number of tasks that are neither called nor cancelled.
func (l *Lane) Len() int { return l.live }

// Cost counts a key of Redis looked into as a slot, and each task read or written.
func (l *Lane) Cost() wheel.Cost { return l.cost }

var (
	_ wheel.ReplayCoster    = (*Lane)(nil)
	_ wheel.WallClockSetter = (*Lane)(nil)
)

// scriptReplayCost is what one script counts as in ReplayCost: about a sixth of the timers that
// a wheel in memory touches in the time a script takes. So a run leaves a checkpoint
// about every 20 ms of scripts.
const scriptReplayCost = 2000

// ReplayCost counts the scripts that were run.
func (l *Lane) ReplayCost() int64 { return l.server.runs * scriptReplayCost }

// SetHook sets the function that is called before each script.
func (l *Lane) SetHook(h wheel.Hook) { l.server.hook = h }

// Observe makes the lane tell what it does.
func (l *Lane) Observe(log *wheel.Log) { l.log = log }

// Layout is the seconds of the slices, without a bound, and what stands beside them. A
// width of level −1 tells how many seconds a base tick has that is longer than one.
func (l *Lane) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeSlices, Levels: []wheel.Level{
		{Level: int(levelSlices), Width: l.period()}, {Level: int(levelBeside), Width: max(1, l.nanos/nsSecond)}}}
}

// MoveWallClock sets the clock that the workers and callers of the published wheel read.
func (l *Lane) MoveWallClock(by wheel.Tick) {
	l.soonOK = false
	l.rule.jump(min(max(by, -nsMax/l.nanos), nsMax/l.nanos) * l.nanos)
}
