package wheeltest

import "time"

// Verdict is the outcome of checking a property.
type Verdict string

const (
	Passed Verdict = "passed"
	Failed Verdict = "failed" // the implementation broke the rule
	Died   Verdict = "died"   // the process ended abnormally, as by a panic in another goroutine, a race, a fatal error
	Hung   Verdict = "hung"   // the check exceeded its time limit
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
	Ops      []Op   // operations that cause the failure; random operations are reduced as far as possible
	File     string // scenario file to which the operations were written; "" if there is none
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
