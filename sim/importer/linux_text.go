package importer

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// spaces are the characters that separate words in a kernel trace and in JSON.
const spaces = " \t\n\f\r"

// kernelEvents and knownEvents are names of timer events without "timer_": those that are read, and those
// that identify a kernel trace.
var (
	kernelEvents = []string{"init", "start", "cancel", "expire_entry", "expire_exit"}
	knownEvents  = append([]string{"setup", "state", "expire", "base_idle"}, kernelEvents...)
)

// eventBytesMax is the maximum length in bytes of what follows "timer_" in the name of an event, including the
// colon after the name.
const eventBytesMax = 16

// timerEvent finds the first timer event in text. The name of a timer event has the form PREFIXtimer_NAME, where
// NAME is one of names, and PREFIX is empty or one of prefixes, a list separated by spaces. For example, the prefix
// "hr" allows hrtimer events. The name of the event must be at the beginning of text or after white space or a
// colon, and must be followed by a colon. text[at[0]:at[1]] is the name with the character before it, if any, and
// the colon after it.
func timerEvent(text []byte, names []string, prefixes string) (at [2]int, found bool) {
	const word = "timer_"
	for from := 0; ; from += len(word) {
		next := bytes.Index(text[from:], []byte(word))
		if next < 0 {
			return at, false
		}
		from += next
		rest := text[from+len(word):]
		colon := bytes.IndexByte(rest[:min(len(rest), eventBytesMax)], ':')
		if colon < 0 || !slices.Contains(names, string(rest[:colon])) {
			continue
		}
		to := from + len(word) + colon + 1
		for _, prefix := range append(strings.Fields(prefixes), "") {
			switch start := len(bytes.TrimSuffix(text[:from], []byte(prefix))); {
			case start == from && prefix != "": // another prefix
			case start == 0:
				return [2]int{0, to}, true
			case strings.IndexByte(spaces+":", text[start-1]) >= 0:
				return [2]int{start - 1, to}, true
			}
		}
	}
}

// kernelText reports whether text is a kernel trace: it begins with the header that one of the kernel's tools
// writes, or it contains a timer event or a tick_stop event.
func kernelText(text []byte) bool {
	if bytes.HasPrefix(text, []byte("# tracer:")) {
		return true
	}
	if after, found := bytes.CutPrefix(text, []byte("cpus=")); found && numberAndSpace(after) {
		return true
	}
	if _, found := timerEvent(text, knownEvents, "hr i"); found {
		return true
	}
	for rest := text; ; {
		before, after, found := bytes.Cut(rest, []byte("tick_stop:"))
		if !found {
			return false
		}
		if len(before) > 0 && strings.IndexByte(spaces, before[len(before)-1]) >= 0 {
			return true
		}
		rest = after
	}
}

// kernelTask reports whether text begins with "<idle>-" or "<...>-", a number and a space. In a kernel trace,
// <idle> is the idle thread and <...> an unknown process. These names look like HTML tags, but HTML never begins
// like this.
func kernelTask(text []byte) bool {
	after, idle := bytes.CutPrefix(text, []byte("<idle>-"))
	if !idle {
		after, idle = bytes.CutPrefix(text, []byte("<...>-"))
	}
	return idle && numberAndSpace(after)
}

// numberAndSpace reports whether text begins with a number and a space.
func numberAndSpace(text []byte) bool {
	rest := bytes.TrimLeft(text, "0123456789")
	return len(rest) < len(text) && len(rest) > 0 && strings.IndexByte(spaces, rest[0]) >= 0
}

// lostEvents returns the number of events that a line of a kernel trace reports as lost because a buffer was
// full, or 0 if the line does not report lost events. A line reports them if it contains "[LOST 5 EVENTS]" or "[5
// EVENTS DROPPED]", or if it is the header line in which tracefs counts the entries in the buffer and the entries
// written.
func lostEvents(line []byte) int64 {
	if after, found := bytes.CutPrefix(line, []byte("# entries-in-buffer/entries-written: ")); found {
		kept, rest, _ := strings.Cut(string(after), "/")
		written := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))] // followed by the number of processors
		if !isDigits(kept) {
			return 0
		}
		return max(0, count(written)-count(kept))
	}
	if !bytes.Contains(line, []byte("EVENTS")) {
		return 0
	}
	for before, rest, found := bytes.Cut(line, []byte("]")); found; before, rest, found = bytes.Cut(rest, []byte("]")) {
		inside := string(before[bytes.LastIndexByte(before, '[')+1:])
		if len(inside) == len(before) {
			continue // no bracket is opened
		}
		number, lost := strings.CutPrefix(inside, "LOST ")
		number, events := strings.CutSuffix(number, " EVENTS")
		if lost && events && isDigits(number) {
			return count(number)
		}
		if number, dropped := strings.CutSuffix(inside, " EVENTS DROPPED"); dropped && isDigits(number) {
			return count(number)
		}
	}
	return 0
}

// count returns the number that text represents, or 0 if text is not a number.
func count(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 48) // at most 2⁴⁷: sums of them fit an int64
	return n
}
