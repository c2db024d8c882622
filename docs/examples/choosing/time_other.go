//go:build !linux

package main

import "time"

var began = time.Now()

// processorTime returns the elapsed time, where that of the process is not known.
func processorTime() time.Duration { return time.Since(began) }
