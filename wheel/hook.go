package wheel

import "errors"

// Hook lets a driver interrupt a wheel's work. It may block, for example until it
// is the driver's turn to use the CPU. If it returns false the call under way is
// abandoned. It must not call the wheel.
type Hook func() bool

// HookInterval is how many units of work a wheel does at most between two calls
// of its Hook. A unit is one timer touched, compared or moved, one run that
// fires, one event that is logged, or one wheel tick with work.
const HookInterval = 1024

// ErrAborted is returned by Schedule when the wheel's Hook has returned false.
var ErrAborted = errors.New("wheel: abandoned by its hook")
