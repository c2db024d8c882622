package wheel

import "fmt"

// Limits of the geometry and the number of timers.
const (
	SlotsMax  = 65536   // slots of one level
	LevelsMax = 8       // levels of a hierarchy
	WidthMax  = 1 << 40 // base ticks of one slot at level 0
	LiveMax   = 1 << 26 // live timers of one wheel
	LinearMax = 20000   // live timers of an algorithm with linear cost
)

// RunsAtOnceMax bounds the runs of one repeating timer that are already due when it is
// scheduled. A timer with more is refused with ErrPast.
const RunsAtOnceMax = 1 << 20

// ParamError reports which parameter is invalid, the value found and the values
// expected.
type ParamError struct {
	Name  string // "slots", "slots[2]"
	Found string
	Want  string
}

func (e *ParamError) Error() string { return fmt.Sprintf("%s: %s is not %s", e.Name, e.Found, e.Want) }
