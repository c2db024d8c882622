package serve

import (
	"os"
	"strconv"
	"syscall"
)

// niceness is the nice value of a server on loopback. It gives priority to the browser, which runs on the
// same machine. With equal priority on two cores, a frame of 20 ms takes 70 ms while a run of 100,000
// timers is computed.
const niceness = 10

// lowerPriority lowers the priority of the process. On Linux, every thread has a nice value of its own, so
// lowerPriority sets the nice value of each existing thread. New threads inherit it. Errors are ignored: a
// thread whose nice value cannot be set keeps its priority.
func lowerPriority() {
	for range 2 { // a thread may be started during the first pass
		threads, _ := os.ReadDir("/proc/self/task")
		for _, t := range threads {
			if id, err := strconv.Atoi(t.Name()); err == nil {
				_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness)
			}
		}
	}
}
