package wheel

// Kind says what an Event tells. The kinds and their fields are those of the
// trace format.
type Kind uint8

const (
	KindNone     Kind = iota
	KindSchedule      // a timer is armed: ID, Due, Run
	KindReject        // it was refused: ID, Due, Code
	KindMiss          // an operation met nothing: ID, Code (told by the driver)
	KindPend          // to the tail of the pending queue: ID, Due
	KindPlace         // put at To: ID, Before, Due, X its rounds; From where it left one
	KindCascade       // from From to To: ID, Before, Due
	KindMove          // From and To swap what they hold: ID
	KindHand          // the hand came to From: Before timers there lose a round
	KindCancel        // removed from From: ID
	KindMark          // cancelled but still in place: ID
	KindSweep         // a marked timer leaves From: ID
	KindExpire        // fired: ID, From, Due, Run
	KindGrow          // level From.Level exists from now on, X wide
	KindEnqueue       // slot From enters the delay queue with Due
	KindDequeue       // its head leaves
	KindFinding       // a fault: Code, ID, expected Due, got X
	KindResize        // level From.Level has FromSlot slots from now on, X wide each
	NumKinds
)

var kindNames = [NumKinds]string{"", "schedule", "reject", "miss", "pend", "place", "cascade", "move", "hand",
	"cancel", "mark", "sweep", "expire", "grow", "enqueue", "dequeue", "finding", "resize"}

// String is the kind's name in a trace, "" for a number that is no kind.
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
	CodeCancel // miss of a cancel
	CodeReset  // miss of a reset
	CodeEarly
	CodeLate
	CodeLost
	CodeTwice
	CodeStorm
	CodeStuck
	CodePanic
	CodeRevived // a finding: a cancelled timer fired all the same
	NumCodes
)

var codeNames = [NumCodes]string{"", "range", "capacity", "past", "fault", "cancel", "reset",
	"early", "late", "lost", "twice", "storm", "stuck", "panic", "revived"}

// CodeName is the code's name in a trace, "" for a number that is no code.
func CodeName(c uint8) string {
	if c >= NumCodes {
		return ""
	}
	return codeNames[c]
}

// NoLevel in FromLevel or ToLevel says that the event has no such place.
const NoLevel int8 = -128

// NoRounds in X of a place says that the lane does not count rounds.
const NoRounds int64 = -1 << 63

// Event is one thing that a wheel did. It holds integers only: no strings and no
// pointers. Folding the events of a tick onto the State before it gives exactly
// the State after it.
type Event struct {
	Due       Tick   // absolute; of a finding what was expected
	X         int64  // rounds of a place, width of a grow or resize, what a finding got
	Cost      int64  // the wheel's Cost total when this was told
	ID        uint32 // Spec.Key
	Before    uint32 // id in whose front the timer is put, 0: at the tail; of a hand the count
	Run       uint32 // number of the run, 1 for the first
	FromSlot  uint32 // of a resize the number of slots
	ToSlot    uint32
	FromLevel int8 // NoLevel: none
	ToLevel   int8
	Kind      Kind
	Code      uint8
}

// Log is where a wheel tells what it does. A wheel without a log tells nothing
// and pays a nil check.
type Log struct {
	Events []Event         // in order, when Keep
	Count  [NumKinds]int64 // how many of each kind were told
	Keep   bool            // false: only count
	// Full, if it is set, is called by Add when Events has LogEventsMax events.
	// It takes them out, so that a call of Advance with a million events needs no
	// memory for all of them.
	Full func()
}

// LogEventsMax bounds the events that a Log with Full keeps.
const LogEventsMax = 1 << 12

// Emitted is the number of events counted.
func (l *Log) Emitted() int64 {
	var n int64
	for _, c := range l.Count {
		n += c
	}
	return n
}

// Add tells one event.
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
