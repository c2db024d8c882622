package core

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
)

// CheckRing checks the number and the width of a wheel's slots and its start tick.
func CheckRing(slots int, width, start wheel.Tick) error {
	if err := CheckSlots("slots", slots); err != nil {
		return err
	}
	return CheckClock(width, start)
}

// CheckSlots checks the number of slots given by the named parameter.
func CheckSlots(name string, slots int) error {
	if slots < 1 || slots > wheel.SlotsMax {
		return &wheel.ParamError{Name: name, Found: fmt.Sprint(slots), Want: fmt.Sprintf("between 1 and %d", wheel.SlotsMax)}
	}
	return nil
}

// CheckClock checks the width of a slot and the start tick of a wheel.
func CheckClock(width, start wheel.Tick) error {
	if width < 1 || width > wheel.WidthMax {
		return &wheel.ParamError{Name: "width", Found: fmt.Sprint(width), Want: fmt.Sprintf("between 1 and %d", int64(wheel.WidthMax))}
	}
	return CheckStart(start)
}

// CheckStart checks the start tick of a wheel. Like the other checks in this file, it returns a
// *wheel.ParamError.
func CheckStart(start wheel.Tick) error {
	if start < 0 || start > wheel.TickMax {
		return &wheel.ParamError{Name: "start", Found: fmt.Sprint(start), Want: "a tick of 62 bits, 0 or more"}
	}
	return nil
}
