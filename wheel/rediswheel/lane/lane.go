// Package lane makes the distributed wheel of package rediswheel an algorithm of the simulator. It
// runs the scripts of that package, or those of the wheel as published, on a Redis server inside
// the process (alicebob/miniredis) whose clock and expiries follow virtual time.
//
// The server holds the tasks. The [Lane] derives the place of each timer from the replies
// of the scripts, so that it can be drawn, and [Lane.Check] compares the two key by key.
// The package opens no listener, starts no goroutine and reads no clock: a command is a
// function call. A copy of a lane includes the keys of its server (dump.go).
//
// Importing the package adds the algorithm `redis` to the catalogue of package
// algorithms. Start reading here, then read the two rules: published.go and corrected.go.
package lane

import "github.com/wheelscope/wheelscope/wheel"

// timersMax is the maximum number of timers in a lane. Each one costs a script run in an
// interpreter, about 150 µs, and is copied with every checkpoint.
const timersMax = 2000

// Levels of the places of timers. A slot of level 0 is a second since 1970. It contains the tasks in the slice of
// its minute whose score has the same second within a minute. Places outside the slices are slots of level −1.
const (
	levelSlices int8 = 0
	levelSide   int8 = -1
)

// Slots of level −1, for tasks that are in no slice.
const (
	slotFlight uint32 = iota // the task was taken out of its slice by a worker, and its callback has not ended
	slotRetry                // the task failed and waits for a retry
	slotDead                 // the task was given up and is kept with the reason
	slotLost                 // the task is no longer in Redis, and is never called
)

// rule is one of the two rules by which tasks are stored in Redis and delivered: published, the rule
// of the wheel as published, or corrected, the rule of package rediswheel. Instants are in ns since 1970.
type rule interface {
	// add adds task i to Redis, emits the events of earlier tasks that it replaces, and returns the
	// slot of task i.
	add(i uint32) uint32
	// remove cancels task i and emits the event.
	remove(i uint32)
	// replace announces that the next task added replaces task i.
	replace(i uint32)
	// refused is called after a task was rejected. It ends a replacement announced by replace.
	refused()
	// fits returns an error if the rule can't store a task that is due at the instant `due`.
	fits(due int64) error
	// next returns the next instant at which the worker finds something to do, if there is one.
	next() (int64, bool)
	// pass advances the worker to the instant `to`. The worker must have nothing to do before.
	pass(to int64)
	// work runs the worker's poll at the instant `at`, and appends the timers that fired to fired.
	work(at int64, fired []wheel.Expiry) []wheel.Expiry
	// wake is like work for a worker that was suspended until the instant `at` and missed a poll.
	wake(at int64, fired []wheel.Expiry) []wheel.Expiry
	// idlePeak returns the largest cost of a tick up to `to` in which the worker finds nothing,
	// and that tick.
	idlePeak(to wheel.Tick) (int64, wheel.Tick)
	// jump moves the wall clock by `by` ns.
	jump(by int64)
	// clone returns a copy of the rule for l, a copy of its lane.
	clone(l *Lane) rule
	// check returns an error if the lane's state differs from the server's keys.
	check() error
}

// Lane is a wheel of tasks in Redis, with the worker that delivers them. It stops at the first
// error, or when its hook returns false.
type Lane struct {
	config
	tasks  []task // tasks by index; index 0 is not used
	free   uint32
	live   int // number of armed tasks, without marked ones
	held   int // number of tasks that are armed, or marked as cancelled but still in place
	places []place
	rule   rule
	server *server

	now    wheel.Tick
	log    *wheel.Log
	cost   wheel.Cost
	counts wheel.Counts
	died   bool  // whether a worker has died at the instant dies; no other one dies
	err    error // error of the first unexpected reply of Redis, which stops the lane
	soon   int64 // cached result of rule.next, as is soonIs; only valid if soonOK is true
	soonIs bool
	soonOK bool
}

// Schedule is like ScheduleAs with the decimal form of the timer's key as its name.
func (l *Lane) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	if s.Key == wheel.PlaceKey {
		s.Key = l.nextIndex()
	}
	return l.ScheduleAs(nameOf(s.Key), s)
}

// ScheduleAs adds a task for s; name is its key in Redis. A task that is already due waits for the
// worker like any other.
func (l *Lane) ScheduleAs(name string, s wheel.Spec) (wheel.Timer, int, error) {
	if s.Key == 0 {
		return wheel.Timer{}, 0, wheel.ErrKey
	}
	if err := l.refuses(s.Due); err != nil {
		l.counts.Scheduled++
		l.counts.Rejected++
		l.emitRefused(s, 1, err)
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

// refuses returns an error if a task due at the given tick must be rejected.
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

// arm adds task i to Redis and emits its schedule event. If Redis fails, the task is rejected.
func (l *Lane) arm(i uint32) {
	l.soonOK = false
	slot := l.rule.add(i)
	l.counts.Scheduled++
	l.emitTask(wheel.KindSchedule, i)
	if l.err != nil {
		l.counts.Rejected++
		t := &l.tasks[i]
		l.emit(wheel.Event{Kind: wheel.KindReject, Code: wheel.CodeFault, ID: t.id, Due: t.due, Run: t.run, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
		l.release(i)
		return
	}
	l.setPlace(i, levelSlices, slot)
}

// Cancel removes task t and reports whether it was armed. It does nothing if the lane has stopped;
// see [Lane].
func (l *Lane) Cancel(t wheel.Timer) bool {
	i, ok := l.find(t)
	if !ok || l.err != nil {
		return false
	}
	l.soonOK = false
	l.rule.remove(i)
	return true
}

// Armed reports whether task t is waiting to be called. It returns false if the lane has stopped;
// see [Lane].
func (l *Lane) Armed(t wheel.Timer) bool {
	_, ok := l.find(t)
	return ok && l.err == nil
}

// Replace announces that the next task has the key of t and replaces it. It reports whether t is
// armed.
func (l *Lane) Replace(t wheel.Timer) bool {
	i, ok := l.find(t)
	if !ok || l.err != nil {
		return false
	}
	l.soonOK = false
	l.rule.replace(i)
	return true
}

// Now returns the tick that Advance has reached.
func (l *Lane) Now() wheel.Tick { return l.now }

// Len returns the number of tasks that are neither called nor cancelled.
func (l *Lane) Len() int { return l.live }

// Cost returns the work done so far: one slot for each key of Redis that is read, one touched timer
// for each task that is read or written.
func (l *Lane) Cost() wheel.Cost { return l.cost }

var (
	_ wheel.ReplayCoster    = (*Lane)(nil)
	_ wheel.WallClockSetter = (*Lane)(nil)
)

// scriptReplayCost is what one script counts in ReplayCost, in timers touched. In the time of a script, a wheel in
// memory touches about six times this number. With this value a run has a checkpoint after about 20 ms of scripts.
const scriptReplayCost = 2000

// ReplayCost implements wheel.ReplayCoster: it returns what running all scripts so far again would cost, counted
// in timers touched.
func (l *Lane) ReplayCost() int64 { return l.server.runs * scriptReplayCost }

// SetHook sets the function that is called before each script, and that stops the lane by returning false.
func (l *Lane) SetHook(h wheel.Hook) { l.server.hook = h }

// Observe makes the lane add its events to log; nil means no log.
func (l *Lane) Observe(log *wheel.Log) { l.log = log }

// Layout returns the two levels: the seconds of the slices, without a bound, and the places outside
// the slices. The width of level −1 is the length of a base tick in seconds, at least 1.
func (l *Lane) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeSlices, Levels: []wheel.Level{
		{Level: int(levelSlices), Width: l.period()}, {Level: int(levelSide), Width: max(1, l.nanos/nsSecond)}}}
}

// MoveWallClock moves the wall clock by `by` ticks. Workers and callers of the published wheel
// read this clock.
func (l *Lane) MoveWallClock(by wheel.Tick) {
	l.soonOK = false
	l.rule.jump(min(max(by, -nsMax/l.nanos), nsMax/l.nanos) * l.nanos)
}
