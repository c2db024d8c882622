package advise

import (
	"time"

	"golang.org/x/sys/unix"
)

// timeOf names what cpuTime measures.
const timeOf = "thread CPU time"

// cpuTime returns the processor time of the calling thread, to which the goroutine must be locked.
func cpuTime() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

// processTime returns the processor time of all threads.
func processTime() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(id, &t) != nil {
		return time.Since(began)
	}
	return time.Duration(t.Nano())
}

var began = time.Now()
