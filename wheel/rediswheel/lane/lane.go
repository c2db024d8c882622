// Package lane makes the distributed wheel of package rediswheel an algorithm of the simulator. It
// runs the scripts of that package, or those of the wheel as published, on a Redis server inside
// the process (alicebob/miniredis) whose clock and expiries follow virtual time.
//
// The server stores the tasks. A [Lane] derives the place of each timer from the replies of the
// scripts, so that it can be drawn, and [Lane.Check] compares its state with the keys of the server.
// The package opens no listener, starts no goroutine and reads no clock: a command is a function
// call. A copy of a lane includes the keys of its server (dump.go).
//
// Importing the package adds the algorithm "redis" to the catalogue of package algorithms. Start
// reading here, then read the two rules: published.go and corrected.go.
package lane

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// timersMax is the maximum number of timers in a lane. Each timer needs scripts, which an interpreter runs in about
// 150 µs each, and each checkpoint contains a copy of every timer.
const timersMax = 2000

// Levels of the lane. Each slot of level 0 is a second of Unix time. A slice is the sorted set in which Redis
// stores the waiting tasks of a minute; a slot contains those tasks in the slice of its minute whose score has the
// same second within a minute. The slots of level −1 are for tasks outside the slices.
const (
	levelSlices int8 = 0
	levelSide   int8 = -1
)

// Slots of level −1.
const (
	slotFlight uint32 = iota // slot of tasks that a worker has taken and whose callbacks have not ended
	slotRetry                // slot of tasks that failed and wait for a retry
	slotDead                 // slot of tasks that were given up and are kept with the reason for the last failure
	slotLost                 // slot of tasks that are no longer in Redis and are never called
)

// rule stores tasks in Redis and delivers them. There are two implementations: published, which follows the
// published wheel, and corrected, which follows package rediswheel. All times are Unix times in nanoseconds. A task
// is identified by its index i in Lane.tasks.
type rule interface {
	// add adds the task with index i in Lane.tasks to Redis and returns the slot of the task. If the task replaces
	// an earlier task that is in use, add ends the earlier task and emits the corresponding event.
	add(i uint32) uint32
	// remove cancels the task with index i in Lane.tasks or, if the task stays in Redis until a scan, marks the task
	// as cancelled. It emits the corresponding event.
	remove(i uint32)
	// replace announces that the next task to be added will replace the task with index i in Lane.tasks.
	replace(i uint32)
	// refused is called after a new task has been rejected. If replace has announced that the new task would
	// replace an old task, refused decides what happens to the old task.
	refused()
	// fits returns an error if a task with the given due time, in Unix nanoseconds, cannot be stored.
	fits(due int64) error
	// next returns the next Unix time, in nanoseconds, at which the worker finds something to do. It returns false
	// if there is no such time.
	next() (int64, bool)
	// pass skips the polls of the worker up to and including end, a Unix time in nanoseconds, and adds their cost to
	// the cost of the lane. The caller must know that these polls would find no task.
	pass(end int64)
	// work runs the poll of the worker at now, a Unix time in nanoseconds, and appends the expired timers to fired.
	work(now int64, fired []wheel.Expiry) []wheel.Expiry
	// wake is like work, for a worker that was suspended and continues at now, a Unix time in nanoseconds. It does
	// nothing if the worker has not missed a poll.
	wake(now int64, fired []wheel.Expiry) []wheel.Expiry
	// idlePeak returns the results of Lane.IdlePeak, for a lane that has not stopped.
	idlePeak(to wheel.Tick) (int64, wheel.Tick)
	// jump moves the wall clock forward by ns nanoseconds, or back if ns is negative.
	jump(ns int64)
	// clone returns a copy of the rule for lane l.
	clone(l *Lane) rule
	// check returns an error if the state of the lane differs from the keys of the server.
	check() error
}

// Lane is a wheel of tasks in Redis, with the worker that delivers them. It implements [wheel.Wheel]. It
// stops at the first error, or when its hook returns false.
type Lane struct {
	config
	tasks  []task  // tasks by index; index 0 is not used
	free   uint32  // index of the first task in the free list; 0 if the list is empty
	live   int     // number of live tasks: those in use that are not marked as cancelled
	held   int     // number of tasks in use, that is, not in the free list
	places []place // places with tasks, ordered by level and slot
	rule   rule
	server *server

	now        wheel.Tick
	log        *wheel.Log
	cost       wheel.Cost
	counts     wheel.Counts
	died       bool  // whether a worker has already died because of config.dies; later workers do not die
	err        error // error that has stopped the lane: the first unexpected reply of Redis, or wheel.ErrAborted
	nextWork   int64 // first result of rule.next; only valid if nextCached is set
	hasNext    bool  // second result of rule.next; only valid if nextCached is set
	nextCached bool  // whether nextWork and hasNext are up to date
}

// Schedule is like ScheduleAs, with the key of the timer in decimal as the name.
func (l *Lane) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	if s.Key == wheel.PlaceKey {
		s.Key = l.nextIndex()
	}
	return l.ScheduleAs(nameOf(s.Key), s)
}

// ScheduleAs implements [port.Keyed]. It adds a task for the timer described by s, with name as the key of the
// task in Redis. A task that is already due waits for the next poll of the worker, like any other task.
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

// refuses returns an error if a task that is due at the given tick must be rejected.
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

// arm adds task i to Redis and emits the schedule event of the task. If Redis returns an error or an unexpected
// reply, the lane stops, and arm rejects the task.
func (l *Lane) arm(i uint32) {
	l.nextCached = false
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

// Cancel cancels the task with handle t. It returns false if the task has ended or has already been cancelled, or
// if the lane has stopped.
func (l *Lane) Cancel(t wheel.Timer) bool {
	i, ok := l.find(t)
	if !ok || l.err != nil {
		return false
	}
	l.nextCached = false
	l.rule.remove(i)
	return true
}

// Armed reports whether the task with handle t has neither ended nor been cancelled. It returns false if the lane
// has stopped.
func (l *Lane) Armed(t wheel.Timer) bool {
	_, ok := l.find(t)
	return ok && l.err == nil
}

// Replace announces that the next task to be scheduled will have the same name as the task with handle t, and will
// replace that task. It returns false if the task has ended or has already been cancelled, or if the lane has
// stopped.
func (l *Lane) Replace(t wheel.Timer) bool {
	i, ok := l.find(t)
	if !ok || l.err != nil {
		return false
	}
	l.nextCached = false
	l.rule.replace(i)
	return true
}

// Now returns the tick that Advance has reached.
func (l *Lane) Now() wheel.Tick { return l.now }

// Len returns the number of tasks that have neither ended nor been cancelled. These include dead and lost tasks.
func (l *Lane) Len() int { return l.live }

// Cost returns the work done so far: one slot for each Redis key read, and one touched timer for each task read
// or written.
func (l *Lane) Cost() wheel.Cost { return l.cost }

var (
	_ port.ReplayCoster    = (*Lane)(nil)
	_ port.WallClockSetter = (*Lane)(nil)
)

// scriptReplayCost is the cost of one script in ReplayCost, in timers touched. A wheel in memory touches
// about 12,000 timers in the time that a script takes, but the value is lower, so that checkpoints are rarer:
// by default, they are at first about 260 scripts apart (see Sizes.CheckpointCost in package sim).
const scriptReplayCost = 2000

// ReplayCost implements [port.ReplayCoster]. It returns the cost, in timers touched, of rerunning all scripts that
// have been run so far.
func (l *Lane) ReplayCost() int64 { return l.server.runs * scriptReplayCost }

// SetHook sets the function that is called before each script. If the function returns false, the lane stops.
func (l *Lane) SetHook(h wheel.Hook) { l.server.hook = h }

// PackCopies does nothing: copies of a lane are not packed.
func (l *Lane) PackCopies(bool) {}

// Observe makes the lane add its events to log. If log is nil, events are discarded.
func (l *Lane) Observe(log *wheel.Log) { l.log = log }

// Layout returns the two levels of the lane. Level 0 contains the tasks that Redis stores in slices, one sorted set
// for each minute. A slot of level 0 is one second wide, and the number of slots is unlimited. Level −1 contains all
// other tasks, such as those that wait for a retry. Its width is the length of a base tick in seconds, at least 1.
func (l *Lane) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeSlices, Levels: []wheel.Level{
		{Level: int(levelSlices), Width: l.period()}, {Level: int(levelSide), Width: max(1, l.nanos/nsSecond)}}}
}

// MoveWallClock implements [port.WallClockSetter]. It affects only lanes with the published wheel, whose workers
// and callers read the wall clock.
func (l *Lane) MoveWallClock(by wheel.Tick) {
	l.nextCached = false
	l.rule.jump(min(max(by, -nsMax/l.nanos), nsMax/l.nanos) * l.nanos)
}
