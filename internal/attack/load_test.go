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
	pids  []int
	began time.Time
	busy  time.Duration // of all programs, at the beginning
	own   time.Duration // of pids, at the beginning
}

func newLoadMeter(pids ...int) *loadMeter {
	m := &loadMeter{pids: pids, began: time.Now()}
	m.busy, m.own = m.read()
	return m
}

// foreign is the share of all processors that others used since the beginning, 0 to 1.
func (m *loadMeter) foreign() float64 {
	busy, own := m.read()
	all := time.Since(m.began).Seconds() * float64(runtime.NumCPU())
	return max(0, ((busy-m.busy)-(own-m.own)).Seconds()/all)
}

func (m *loadMeter) read() (busy, own time.Duration) {
	for _, pid := range m.pids {
		own += cpuOf(pid, true)
	}
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, own
	}
	first, _, _ := strings.Cut(string(data), "\n")
	for i, field := range strings.Fields(first)[1:] { // user, nice, system, idle, iowait, irq, softirq, steal, …
		if ticks, err := strconv.ParseInt(field, 10, 64); err == nil && i < 8 && i != 3 && i != 4 {
			busy += time.Duration(ticks) * time.Second / userHZ
		}
	}
	return busy, own
}

// cpuOf is the processor time that a process has used, with that of its children that
// have ended if children is set; 0 when it has ended itself.
func cpuOf(pid int, children bool) (used time.Duration) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
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
