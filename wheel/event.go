package wheel

// Kind is the kind of an Event. The kinds and their fields are those of the trace
// format.
type Kind uint8

const (
	KindNone     Kind = iota
	KindSchedule      // a timer is scheduled: ID, Due, Run
	KindReject        // it was rejected: ID, Due, Code
	KindMiss          // an operation found no timer: ID, Code (emitted by the driver)
	KindPend          // to the tail of the pending queue: ID, Due
	KindPlace         // put at To: ID, Before, Due, X the rounds; From if it left a place
	KindCascade       // from From to To: ID, Before, Due
	KindMove          // From and To swap what they hold: ID
	KindHand          // the hand reached From: Before timers there lose a round
	KindCancel        // removed from From: ID
	KindMark          // cancelled but left in place: ID
	KindSweep         // a marked timer leaves From: ID
	KindExpire        // fired: ID, From, Due, Run
	KindGrow          // level From.Level was added, its slots X wide
	KindEnqueue       // slot From enters the delay queue with Due
	KindDequeue       // the head of the delay queue leaves
	KindFinding       // a fault: Code, ID, expected Due, actual X
	KindResize        // level From.Level now has FromSlot slots, X wide each
	NumKinds
)

var kindNames = [NumKinds]string{"", "schedule", "reject", "miss", "pend", "place", "cascade", "move", "hand",
	"cancel", "mark", "sweep", "expire", "grow", "enqueue", "dequeue", "finding", "resize"}

// String returns the name of the kind in a trace, or "" for a number that is no kind.
func (k Kind) String() string {
	if k >= NumKinds {
		return ""
	}
	return kindNames[k]
}

// Codes of KindReject, KindMiss and KindFinding.
const (
	CodeNone uint8 = iota
	CodeRange
	CodeCapacity
	CodePast
	CodeFault
	CodeCancel // a cancel found no timer
	CodeReset  // a reset found no timer
	CodeEarly
	CodeLate
	CodeLost
	CodeTwice
	CodeStorm
	CodeStuck
	CodePanic
	CodeRevived // a finding: a cancelled timer fired
	NumCodes
)

var codeNames = [NumCodes]string{"", "range", "capacity", "past", "fault", "cancel", "reset",
	"early", "late", "lost", "twice", "storm", "stuck", "panic", "revived"}

// CodeName returns the name of a code in a trace, or "" for a number that is no code.
func CodeName(c uint8) string {
	if c >= NumCodes {
		return ""
	}
	return codeNames[c]
}

// NoLevel in FromLevel or ToLevel means that the event has no such place.
const NoLevel int8 = -128

// NoRounds in X of a KindPlace event means that the lane does not count rounds.
const NoRounds int64 = -1 << 63

// Event records one change of a wheel. It holds integers only: no strings and no
// pointers. Folding the events of a tick onto the State before the tick yields the
// State after it.
type Event struct {
	Due       Tick   // absolute; in a finding, the expected value
	X         int64  // rounds of a place, width of a grow or resize, actual value of a finding
	Cost      int64  // the wheel's total cost when the event was emitted
	ID        uint32 // Spec.Key
	Before    uint32 // ID of the timer that this one precedes, 0: at the tail; for a hand, the count
	Run       uint32 // number of the run, 1 for the first
	FromSlot  uint32 // for a resize, the number of slots
	ToSlot    uint32
	FromLevel int8 // NoLevel: none
	ToLevel   int8
	Kind      Kind
	Code      uint8
}

// Log receives the events of a wheel. A wheel without a log emits no events; the only
// cost is a nil check.
type Log struct {
	Events []Event         // in order, if Keep is set
	Count  [NumKinds]int64 // number of events of each kind
	Keep   bool            // false: only count
	// Full, if not nil, is called by Add when Events has LogEventsMax events. It must
	// remove them, so that a call of Advance that emits a million events does not need
	// memory for all of them.
	Full func()
}

// LogEventsMax bounds the events that a Log with Full holds.
const LogEventsMax = 1 << 12

// Emitted returns the number of events counted.
func (l *Log) Emitted() int64 {
	var n int64
	for _, c := range l.Count {
		n += c
	}
	return n
}

// Add counts an event and, if Keep is set, appends it to Events.
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
