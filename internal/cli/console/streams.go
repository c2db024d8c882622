// Package console contains what all commands share: their input and outputs ([Streams]), argument
// rules, results as text or JSON, tables, progress bars, suggestions for mistyped names, and files
// that are written completely or not at all. It does not depend on commands or scenarios.
package console

import (
	"cmp"
	"io"
	"strings"
	"sync/atomic"
	"time"
)

// Streams holds the input and outputs of a command, the value of its --json flag, and its grace period: how
// long it may take to end after a signal.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	JSON     bool   // whether --json is set
	Lang     string // language of notes and errors that are translated, "en" or "zh"

	graceTime atomic.Int64 // duration set by SetGrace, in nanoseconds
}

// Language returns the language of messages that the environment asks for: "zh" or "en". getenv is os.Getenv.
func Language(getenv func(string) string) string {
	if strings.HasPrefix(cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG")), "zh") {
		return "zh"
	}
	return "en"
}

// SetGrace sets how long the command may take to end after a signal. If it takes longer than d, the program exits
// without waiting for it. If d is negative, there is no limit.
func (s *Streams) SetGrace(d time.Duration) { s.graceTime.Store(int64(d)) }

// Grace returns the duration set by SetGrace.
func (s *Streams) Grace() time.Duration { return time.Duration(s.graceTime.Load()) }
