//go:build !linux

package advise

import "time"

// timeOf names what cpuTime measures.
const timeOf = "elapsed time"

var began = time.Now()

// cpuTime returns the elapsed time, which other work on the machine makes longer.
func cpuTime() time.Duration { return time.Since(began) }

// processTime is the same as cpuTime.
func processTime() time.Duration { return time.Since(began) }
