package cli

import (
	"io"
	"sync/atomic"
	"time"
)

// streams are the input and outputs of a command, and what the command and its caller agree on
// beside its arguments.
type streams struct {
	in       io.Reader
	out, err io.Writer
	json     bool // --json is set

	graceTime atomic.Int64 // time.Duration
}

// setGrace sets how long the command may take to end after a signal. If d is negative there is no
// limit.
func (s *streams) setGrace(d time.Duration) { s.graceTime.Store(int64(d)) }

// grace returns the duration last set by setGrace.
func (s *streams) grace() time.Duration { return time.Duration(s.graceTime.Load()) }
