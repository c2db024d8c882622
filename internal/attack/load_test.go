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

// userHZ is the unit of processor times in /proc, on all Linux systems that Go supports.
const userHZ = 100

// loadMeter measures the processor time of programs outside the suite. It does not fail a case, but
// shows whether measured times are reliable.
type loadMeter struct {
	began time.Time
	busy  time.Duration // processor time of all programs at the start
	own   time.Duration // processor time of this process and its children at the start
}

func newLoadMeter() *loadMeter {
	m := &loadMeter{began: time.Now()}
	m.busy, m.own = cpuOfAll(), cpuOfTree(os.Getpid())
	return m
}

// foreign returns the share of all processors that others have used since the start, 0 to 1.
func (m *loadMeter) foreign() float64 {
	all := time.Since(m.began).Seconds() * float64(runtime.NumCPU())
	return max(0, ((cpuOfAll()-m.busy)-(cpuOfTree(os.Getpid())-m.own)).Seconds()/all)
}

// cpuOfAll returns the processor time that all programs have used.
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

// cpuOfTree returns the processor time of a process and its descendants.
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

// statOf returns the fields of /proc/PID/stat after the name: state, parent, …; nil if the process
// has ended.
func statOf(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// cpuOf returns the processor time of a process, with that of its ended children if children is
// set; 0 if the process has ended.
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
