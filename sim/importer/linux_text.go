package importer

import (
	"regexp"
	"strconv"
)

var (
	// kernelEvent matches the name of a timer event that is read, with the character before it and the colon
	// after it. The names of hrtimer events begin with "hr".
	kernelEvent = regexp.MustCompile(`(^|[\s:])timer_(init|start|cancel|expire_entry|expire_exit):`)

	// kernelText matches a kernel trace: the header that one of the kernel's tools writes, or any timer event or
	// tick_stop event.
	kernelText = regexp.MustCompile(`^(# tracer:|cpus=\d+\s)|(^|[\s:])(hr|i)?timer_(init|setup|start|state|cancel|expire|expire_entry|expire_exit|base_idle):|\stick_stop:`)

	// kernelTask matches the start of a kernel trace whose first line is of the idle thread or of an unknown process.
	// Their names look like HTML tags, but HTML never begins like this.
	kernelTask = regexp.MustCompile(`^<(idle|\.\.\.)>-\d+\s`)

	// lostEvents matches a report of events that were lost because a buffer was full, and bufferEvents the header line
	// in which tracefs counts the entries in the buffer and the entries written.
	lostEvents   = regexp.MustCompile(`\[(?:LOST (\d+) EVENTS|(\d+) EVENTS DROPPED)\]`)
	bufferEvents = regexp.MustCompile(`^# entries-in-buffer/entries-written: (\d+)/(\d+)`)
)

// lost returns the number of events that a line of a kernel trace reports as lost, or 0 if it reports none.
func lost(line []byte) int64 {
	if m := bufferEvents.FindSubmatch(line); m != nil {
		return max(0, count(m[2])-count(m[1]))
	}
	if m := lostEvents.FindSubmatch(line); m != nil {
		return count(m[1]) + count(m[2])
	}
	return 0
}

// count returns the number that text represents, or 0 if text is not a number.
func count(text []byte) int64 {
	n, _ := strconv.ParseInt(string(text), 10, 48) // at most 2⁴⁷: sums of them fit an int64
	return n
}
