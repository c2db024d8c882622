//go:build linux

package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of the process.
func processorTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
