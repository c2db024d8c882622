//go:build linux

package attack

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// userHZ is the unit of processor times in /proc, on every Linux that Go supports.
const userHZ = 100

// loadMeter measures how much of the processors programs outside of the suite use. It
// does not fail a case: it says whether times can be trusted.
type loadMeter struct {
	began time.Time
	busy  time.Duration // of all programs, at the beginning
	own   time.Duration // of this process and those that it started, at the beginning
}

func newLoadMeter() *loadMeter {
	m := &loadMeter{began: time.Now()}
	m.busy, m.own = cpuOfAll(), cpuOfTree(os.Getpid())
	return m
}

// foreign is the share of all processors that others used since the beginning, 0 to 1.
func (m *loadMeter) foreign() float64 {
	all := time.Since(m.began).Seconds() * float64(runtime.NumCPU())
	return max(0, ((cpuOfAll()-m.busy)-(cpuOfTree(os.Getpid())-m.own)).Seconds()/all)
}

// cpuOfAll is the processor time that all programs have used.
func cpuOfAll() (busy time.Duration) {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(data), "\n")
	for i, field := range strings.Fields(first)[1:] { // user, nice, system, idle, iowait, irq, softirq, steal, …
		if ticks, err := strconv.ParseInt(field, 10, 64); err == nil && i < 8 && i != 3 && i != 4 {
			busy += time.Duration(ticks) * time.Second / userHZ
		}
	}
	return busy
}

// cpuOfTree is the processor time that a process and those below it have used.
func cpuOfTree(root int) (used time.Duration) {
	list, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	parents := map[int]int{}
	for _, entry := range list {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			if fields := statOf(pid); fields != nil {
				parents[pid], _ = strconv.Atoi(fields[1])
			}
		}
	}
	for pid := range parents {
		above := pid
		for above != root && above != 0 {
			above = parents[above]
		}
		if above == root {
			used += cpuOf(pid, true)
		}
	}
	return used
}

// statOf is what /proc says of a process after its name: state, parent, …; nil when it
// has ended.
func statOf(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// cpuOf is the processor time that a process has used, with that of its children that
// have ended if children is set; 0 when it has ended itself.
func cpuOf(pid int, children bool) (used time.Duration) {
	fields := statOf(pid)
	if fields == nil {
		return 0
	}
	from := fields[11:13] // utime and stime
	if children {
		from = fields[11:15] // and those of children
	}
	for _, field := range from {
		ticks, _ := strconv.ParseInt(field, 10, 64)
		used += time.Duration(ticks) * time.Second / userHZ
	}
	return used
}
