package wheel

import "errors"

// Hook is a function that a wheel calls while it works, so that a driver can interrupt it. A Hook
// may block, for example until the driver may use the CPU again. If it returns false, the wheel
// aborts the current call. A Hook must not call the wheel.
type Hook func() bool

// HookInterval is the maximum number of units of work between two calls to a wheel's Hook. A unit
// is one timer touched, compared or moved, one run that fires, one event that is logged, or one
// wheel tick with work.
const HookInterval = 1024

// ErrAborted is returned by Schedule if the wheel's Hook has returned false.
var ErrAborted = errors.New("wheel: aborted by its hook")
