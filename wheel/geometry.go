package wheel

import "fmt"

// Limits of a geometry.
const (
	SlotsMax  = 65536   // slots of one level
	LevelsMax = 8       // levels of a hierarchy
	WidthMax  = 1 << 40 // base ticks of one slot at level 0
	LiveMax   = 1 << 26 // live timers of one wheel
	LinearMax = 20000   // live timers of an algorithm that is linear by nature
)

// checkRing checks one ring of slots and the tick at which it starts.
func checkRing(slots int, width, start Tick) error {
	if err := checkSlots("slots", slots); err != nil {
		return err
	}
	return checkClock(width, start)
}

func checkSlots(name string, slots int) error {
	if slots < 1 || slots > SlotsMax {
		return &ParamError{name, fmt.Sprint(slots), fmt.Sprintf("between 1 and %d", SlotsMax)}
	}
	return nil
}

// checkClock checks the width of a slot and the tick at which a wheel starts.
func checkClock(width, start Tick) error {
	if width < 1 || width > WidthMax {
		return &ParamError{"width", fmt.Sprint(width), fmt.Sprintf("between 1 and %d", int64(WidthMax))}
	}
	return checkStart(start)
}

func checkStart(start Tick) error {
	if start < 0 || start > TickMax {
		return &ParamError{"start", fmt.Sprint(start), "a tick of 62 bits, 0 or more"}
	}
	return nil
}
