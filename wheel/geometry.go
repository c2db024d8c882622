package wheel

import "fmt"

// Limits of the geometry and the number of timers.
const (
	SlotsMax  = 65536   // maximum number of slots of a level
	LevelsMax = 8       // maximum number of levels of a hierarchy
	WidthMax  = 1 << 40 // maximum width of a slot of level 0, in base ticks
	LiveMax   = 1 << 26 // maximum number of live timers of a wheel
	LinearMax = 20000   // maximum number of live timers of an algorithm whose cost is proportional to their number
)

// RunsAtOnceMax is the maximum number of runs of a repeating timer that may already be due when
// the timer is scheduled. If there are more, Schedule returns ErrPast.
const RunsAtOnceMax = 1 << 20

// ParamError reports an invalid value of a parameter.
type ParamError struct {
	Name  string // name of the parameter, such as "slots"; "slots[2]" is element 2 of a list
	Found string // the invalid value
	Items int    // number of items of the invalid value if Found is "a list of" so many; otherwise 0
	Want  string // format of a description of the valid values, such as "between %d and %d"
	Args  []any  // arguments of Want
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("%s: %s is not %s", e.Name, e.Found, fmt.Sprintf(e.Want, e.Args...))
}
