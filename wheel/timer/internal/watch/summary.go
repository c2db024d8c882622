package watch

import (
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/wheel"
)

// nameMax is the maximum number of bytes of a timer's key that KeyName returns.
const nameMax = 32

// KeyName returns key as text: up to nameMax bytes of a string, or a value of a common integer type
// in decimal. For other types it returns "".
func KeyName(key any) string {
	switch k := key.(type) {
	case string:
		return strings.ToValidUTF8(k[:min(len(k), nameMax)], "")
	case int, int32, int64, uint32, uint64:
		return fmt.Sprint(k)
	}
	return ""
}

// Levels returns a summary of each level of state: the numbers of timers and of occupied slots.
func Levels(state *wheel.State) []Level {
	var out []Level
	for _, l := range state.Levels {
		level := Level{Level: l}
		for _, p := range state.Places {
			if int(p.Level) == l.Level && p.Count > 0 {
				level.Occupied++
				level.Timers += p.Count
				level.Fullest = max(level.Fullest, p.Count)
			}
		}
		out = append(out, level)
	}
	return out
}

// State returns the state of w for display. The first result reports whether the state lists all timers. If w has more
// than listedMax timers, the state lists at most listedEach timers of each slot, and none if w is a heap. If list is
// false, the state lists no timers, only how many there are. If w is nil, the state is empty.
func State(w wheel.Observable, list bool) (bool, wheel.State) {
	var state wheel.State
	if w == nil {
		return false, state
	}
	n, each := w.Len(), 0
	if list {
		each = listedEach
	}
	switch {
	case list && n <= listedMax:
		w.AppendState(&state, wheel.AllEntries)
		return true, state
	case n > listedMax && w.Layout().Shape == wheel.ShapeHeap: // a place per timer: too many to list
		state.Levels, state.Live = w.Layout().Levels, n
	default:
		w.AppendState(&state, each)
	}
	return false, state
}
