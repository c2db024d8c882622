package core

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
)

// CheckRing checks the number of slots of a wheel, the width of a slot in base ticks, and the start
// tick. It returns a *wheel.ParamError if one of them is out of range, and nil otherwise.
func CheckRing(slots int, width, start wheel.Tick) error {
	if err := CheckSlots("slots", slots); err != nil {
		return err
	}
	return CheckClock(width, start)
}

// CheckSlots returns a *wheel.ParamError if slots, the value of the named parameter, is less than 1
// or more than SlotsMax.
func CheckSlots(name string, slots int) error {
	if slots < 1 || slots > wheel.SlotsMax {
		return &wheel.ParamError{Name: name, Found: fmt.Sprint(slots), Want: fmt.Sprintf("between 1 and %d", wheel.SlotsMax)}
	}
	return nil
}

// CheckClock returns a *wheel.ParamError if width, the number of base ticks per slot, or the start
// tick of a wheel is out of range.
func CheckClock(width, start wheel.Tick) error {
	if width < 1 || width > wheel.WidthMax {
		return &wheel.ParamError{Name: "width", Found: fmt.Sprint(width), Want: fmt.Sprintf("between 1 and %d", int64(wheel.WidthMax))}
	}
	return CheckStart(start)
}

// CheckStart returns a *wheel.ParamError if the start tick of a wheel is less than 0 or more than
// TickMax.
func CheckStart(start wheel.Tick) error {
	if start < 0 || start > wheel.TickMax {
		return &wheel.ParamError{Name: "start", Found: fmt.Sprint(start), Want: "a tick of 62 bits, 0 or more"}
	}
	return nil
}
