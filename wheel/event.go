package wheel

// Kind is the kind of an Event. In the comments of the constants, From means FromLevel and
// FromSlot, and To means ToLevel and ToSlot.
type Kind uint8

const (
	KindNone     Kind = iota
	KindSchedule      // a timer is scheduled. Fields: ID, Due, Run
	KindReject        // the wheel rejects a timer, after its KindSchedule event. Fields: ID, Due, Code
	KindMiss          // an operation finds no timer; emitted by the driver. Fields: ID, Code
	KindPend          // a timer is put at the tail of the pending queue, where it waits to be put into a slot. Fields: ID, Due
	KindPlace         // a timer is put into a place. Fields: ID, From (if it was in another place before), To, Before, Due, X (its rounds or, with CodeStale, its key)
	KindCascade       // a timer is moved between levels. Fields: ID, From, To, Before, Due
	KindMove          // two places swap their contents. Fields: ID (the timer that was at From), From, To
	KindHand          // the hand reaches a slot. Fields: From (the slot), Before (number of timers in the slot that lose a round)
	KindCancel        // a timer is cancelled and removed. Fields: ID, From
	KindMark          // a timer is cancelled but left in place. Fields: ID
	KindSweep         // a marked timer is removed from its place. Fields: ID, From
	KindExpire        // a timer fires. Fields: ID, From, Due, Run
	KindGrow          // a level is added. Fields: FromLevel, X (base ticks per slot)
	KindEnqueue       // a slot enters the delay queue. Fields: From, Due (tick at which it leaves the queue)
	KindDequeue       // the head of the delay queue leaves it. Fields: From, Due
	KindFinding       // the wheel behaves wrongly because its published rule has a fault. Fields: Code, ID, Due (the expected value), X (the actual value)
	KindResize        // a level changes its number of slots. Fields: FromLevel, FromSlot (number of slots), X (base ticks per slot)
	KindRekey         // the key of a stale entry of a heap is brought up to date: it becomes the due tick. Fields: ID, From, Due
	NumKinds
)

var kindNames = [NumKinds]string{"", "schedule", "reject", "miss", "pend", "place", "cascade", "move", "hand",
	"cancel", "mark", "sweep", "expire", "grow", "enqueue", "dequeue", "finding", "resize", "rekey"}

// String returns the name of kind k in traces, or "" if k is not a valid kind.
func (k Kind) String() string {
	if k >= NumKinds {
		return ""
	}
	return kindNames[k]
}

// HasDue reports whether the Due field of an event of kind k is the due tick of a scheduled timer.
// In events of other kinds, Due is the tick at which a slot leaves the delay queue, the expected
// value of a finding, or a value that readers ignore.
func (k Kind) HasDue() bool {
	switch k {
	case KindSchedule, KindReject, KindPend, KindPlace, KindCascade, KindExpire, KindRekey:
		return true
	}
	return false
}

// Values of the Code field of KindReject, KindMiss, KindPlace and KindFinding events.
const (
	CodeNone     uint8 = iota
	CodeRange          // the timer was rejected with ErrRange
	CodeCapacity       // the timer was rejected with ErrCapacity
	CodePast           // the timer was rejected with ErrPast
	CodeFault          // the timer was rejected with ErrFault
	CodeCancel         // a cancel found no timer
	CodeReset          // a reset found no timer
	CodeEarly          // a finding: a timer fired too early
	CodeLate           // a finding: a timer fired too late
	CodeLost           // a finding: a timer never fires
	CodeTwice          // a finding: a timer ran more often than requested
	CodeStorm          // a finding: timers were added to a slot during its visit and fired in the same visit
	CodeStuck          // a finding: the published code loops forever
	CodePanic          // a finding: the published code panics
	CodeRevived        // a finding: a cancelled timer fired
	CodeStale          // a timer takes over the place of another one in a heap, with its key; see Entry.Stale
	NumCodes
)

var codeNames = [NumCodes]string{"", "range", "capacity", "past", "fault", "cancel", "reset",
	"early", "late", "lost", "twice", "storm", "stuck", "panic", "revived", "stale"}

// CodeName returns the name of code c in traces, or "" if c is not a valid code.
func CodeName(c uint8) string {
	if c >= NumCodes {
		return ""
	}
	return codeNames[c]
}

// NoLevel is the value of Event.FromLevel and Event.ToLevel in an event that does not use the field.
const NoLevel int8 = -128

// NoRounds is the value of Event.X in a KindPlace event, and of Entry.Rounds, if the algorithm does
// not count rounds.
const NoRounds int64 = -1 << 63

// Event records one change of a wheel. It contains only integers. Applying the events of a tick to
// the State before the tick yields the State after it; see [Fold].
type Event struct {
	Due  Tick   // absolute due tick; for KindEnqueue and KindDequeue, the tick at which the slot leaves the queue; for KindFinding, the value that would be correct, such as a tick or a number of runs
	X    int64  // rounds or key (KindPlace), width (KindGrow, KindResize), or the actual value to compare with Due (KindFinding)
	Cost int64  // the wheel's total cost when the event was emitted
	ID   uint32 // Spec.Key of the timer
	// Before is the ID of the next timer in the place into which the event puts a timer, or 0 if
	// the event puts it at the end. For KindHand, Before is the number of timers that lose a round.
	Before    uint32
	Run       uint32 // number of the run, 1 for the first
	FromSlot  uint32 // slot that the timer leaves or that the event is about; for KindResize, the new number of slots
	ToSlot    uint32 // slot that the timer enters
	FromLevel int8   // level of FromSlot; NoLevel if the event has no FromSlot
	ToLevel   int8   // level of ToSlot; NoLevel if the event has no ToSlot
	Kind      Kind
	Code      uint8
}

// Log receives the events of a wheel. A wheel without a log emits no events; its only overhead is a
// nil check in place of each event. A Log is not safe for concurrent use.
type Log struct {
	Events []Event         // events in order, if Keep is set
	Count  [NumKinds]int64 // number of events of each kind
	Keep   bool            // whether to keep events; otherwise they are only counted
	// Full, if not nil, is called by Add when Events has LogEventsMax elements. It must empty
	// Events. The log therefore never has to hold all events of a call to Advance, which can emit a
	// million of them.
	Full func()
}

// LogEventsMax is the length of Log.Events at which Add calls Log.Full.
const LogEventsMax = 1 << 12

// Emitted returns the total number of events added to the log.
func (l *Log) Emitted() int64 {
	var n int64
	for _, c := range l.Count {
		n += c
	}
	return n
}

// Add counts event e and, if Keep is set, appends it to Events. It then calls Full if Events has
// LogEventsMax elements.
func (l *Log) Add(e Event) {
	l.Count[e.Kind]++
	if !l.Keep {
		return
	}
	l.Events = append(l.Events, e)
	if len(l.Events) >= LogEventsMax && l.Full != nil {
		l.Full()
	}
}
