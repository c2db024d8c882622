package wheeltest

import "time"

// Verdict is how a property ended.
type Verdict string

const (
	Passed Verdict = "passed"
	Failed Verdict = "failed" // the rule was broken
	Died   Verdict = "died"   // the process ended: a panic in another goroutine, a race, a fatal error
	Hung   Verdict = "hung"   // it did not end within its time
	Absent Verdict = "absent" // the implementation has no such method, or the system no such signal
)

// Result is what came of one property.
type Result struct {
	Property string
	Rule     string
	Verdict  Verdict
	Real     bool   // it ran in real time
	Told     string // what was seen, in a sentence
	Seed     uint64 // of what was random
	Ops      []Op   // the operations that show it, as few as were found
	File     string // the scenario they were written to, "" where there is none
}

// OpsMax bounds the operations that a result tells.
const OpsMax = 200

// Op is one operation of a property.
type Op struct {
	At    time.Duration `json:"at"` // since the beginning
	Do    string        `json:"do"` // schedule, cancel, reset
	Timer string        `json:"timer"`
	Delay time.Duration `json:"delay"`
	Every time.Duration `json:"every,omitempty"` // of a timer that repeats
	Times int           `json:"times,omitempty"` // -1: for ever
}
