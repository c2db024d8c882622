package wheeltest

import (
	"fmt"
	"strings"
	"time"
)

// Verdict is the outcome of checking a property.
type Verdict string

const (
	Passed Verdict = "passed"
	Failed Verdict = "failed" // the implementation broke the rule
	Hung   Verdict = "hung"   // the check did not end
	Absent Verdict = "absent" // not checked: the property is not claimed (see Unclaimed), or cannot be checked with this implementation or on this machine
)

// Result is the result of checking one property.
type Result struct {
	Property string
	Rule     string
	Verdict  Verdict
	Real     bool   // whether the check ran in real time
	Observed string // what was observed; for some properties also if they passed
	Seed     uint64 // seed of the random numbers
	Ops      []Op   // operations that cause the failure
	File     string // scenario file to which the operations were written; "" if there is none
	tick     time.Duration
}

// OpsMax is the maximum number of operations in a Result.
const OpsMax = 200

// Op is an operation on a timer, performed to check a property.
type Op struct {
	At    time.Duration `json:"at"` // time since the check of the property began
	Do    string        `json:"do"` // "schedule", "cancel" or "reset"; "set" schedules a timer for a key
	Timer string        `json:"timer"`
	Delay time.Duration `json:"delay"`
	Every time.Duration `json:"every,omitempty"` // interval of a repeating timer
	Times int           `json:"times,omitempty"` // number of runs of a repeating timer; -1 means unlimited
}

// String returns a multi-line description of a failure, for the log of a test.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nThe rule: %s.\n", r.Verdict, r.Observed, r.Rule)
	if len(r.Ops) > 0 {
		fmt.Fprintf(&b, "Operations that show it (seed %d):\n", r.Seed)
	}
	for _, op := range r.Ops {
		fmt.Fprintf(&b, "  %12v  %s\n", op.At, op)
	}
	if r.File != "" {
		fmt.Fprintf(&b, "As a scenario: wheelscope run %s\n", r.File)
	}
	return b.String()
}

func (o Op) String() string {
	switch {
	case o.Do == "cancel":
		return "cancel " + o.Timer
	case o.Every > 0 && o.Times < 0:
		return fmt.Sprintf("%s %s in %v, each %v, for ever", o.Do, o.Timer, o.Delay, o.Every)
	case o.Every > 0:
		return fmt.Sprintf("%s %s in %v, each %v, %d times", o.Do, o.Timer, o.Delay, o.Every, o.Times)
	}
	return fmt.Sprintf("%s %s in %v", o.Do, o.Timer, o.Delay)
}
