// Package console contains what all commands share: their input and outputs ([Streams]), argument
// rules, results as text or JSON, tables, progress bars, suggestions for mistyped names, and files
// that are written completely or not at all. It does not depend on commands or scenarios.
package console

import (
	"io"
	"sync/atomic"
	"time"
)

// Streams holds the input and outputs of a command, the value of its --json flag, and its grace period: how
// long it may take to end after a signal.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	JSON     bool // whether --json is set

	graceTime atomic.Int64 // duration set by SetGrace, in nanoseconds
}

// SetGrace sets how long the command may take to end after a signal. If it takes longer than d, the program exits
// without waiting for it. If d is negative, there is no limit.
func (s *Streams) SetGrace(d time.Duration) { s.graceTime.Store(int64(d)) }

// Grace returns the duration set by SetGrace.
func (s *Streams) Grace() time.Duration { return time.Duration(s.graceTime.Load()) }
