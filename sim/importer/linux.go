package importer

import (
	"bufio"
	"bytes"
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// The format of the kernel's timer events, as trace-cmd report, perf script and the
// tracefs write them (include/trace/events/timer.h):
//
//	<idle>-0 [001] d.s2. 5123.104217: timer_start: timer=ffff9d... function=NAME expires=JIFFIES [timeout=N] bucket_expiry=N cpu=1 idx=84 flags=
//	<idle>-0 [001] d.s2. 5123.112218: timer_cancel: timer=ffff9d...
//	<idle>-0 [001] ..s1. 5123.112219: timer_expire_entry: timer=ffff9d... function=NAME now=JIFFIES baseclk=JIFFIES
//
// LTTng writes the fields in braces: timer_start: { cpu_id = 1 }, { timer = 0xffff9d..., expires = JIFFIES, now = JIFFIES }.
//
// Kernels before 5.9 write no bucket_expiry, before 5.2 no baseclk, before 4.0 neither cpu
// nor flags. expires − timeout is the jiffy of the call.

const (
	// AddressMax is the maximum number of bytes in a timer's address in a kernel trace. A kernel writes at
	// most 16.
	AddressMax = 32
	// kernelEventsMax is the maximum number of events of a kernel trace: a start, a cancel and an expiry for
	// each operation that a scenario may have.
	kernelEventsMax = 3 * scenario.OpsMax
)

// jiffyUnknown is the value of kernelLine.jiffy, the time of an event in ticks of the kernel, if the line does not
// contain enough to compute it.
const jiffyUnknown = math.MinInt64

// kernelLine is an event of a kernel trace, parsed from one line.
type kernelLine struct {
	line     int64
	kind     string  // name of the event without the prefix "timer_", such as "start", "cancel" or "expire_entry"
	timer    string  // address of the timer in the memory of the kernel
	function string  // callback function of the timer; only set for a timer_start event
	jiffy    int64   // time of the event in jiffies, the ticks of the kernel; jiffyUnknown means that it is not known
	stamp    float64 // timestamp at the beginning of the line, in seconds; 0 means that the line has none
	expires  int64   // jiffy at which the timer is due; only set for a timer_start event
	bucket   int64   // the bucket_expiry field, the due jiffy as rounded by the kernel; 0 means that the line has none
}

// readLinux reads the timer events of a kernel trace. It ignores other lines.
func readLinux(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	l := &lines{ctx: ctx, in: in}
	k := &kernelTrace{o: o.Workload}
	for {
		more, err := l.next()
		if err != nil {
			return nil, err
		}
		if !more {
			return k.result(ctx, o)
		}
		k.lost += lost(l.text)
		at := kernelEvent.FindIndex(l.text)
		if at == nil || bytes.HasPrefix(l.text, []byte("#")) {
			continue
		}
		e, fault := kernelEventOf(string(l.text), at)
		switch {
		case l.long:
			k.faults.add(l.no, "", texts.Newf("longer than %d bytes", LineMax))
		case fault != nil:
			k.faults.add(l.no, fault.Path, fault.Message)
		default:
			e.line = l.no
			if fault := k.take(e); fault != nil {
				return nil, fault
			}
		}
	}
}

// kernelEventOf parses text, a line that contains a timer event. at is the range of the event's name in text,
// as returned by kernelEvent.FindIndex.
func kernelEventOf(text string, at []int) (kernelLine, *Fault) {
	name := strings.TrimLeft(text[at[0]:at[1]], " \t:")
	e := kernelLine{kind: strings.TrimSuffix(strings.TrimPrefix(name, "timer_"), ":"), jiffy: jiffyUnknown, stamp: stampOf(text[:at[0]])}
	values := map[string]string{}
	for _, word := range strings.Fields(strings.ReplaceAll(text[at[1]:], " = ", "=")) {
		if name, value, ok := strings.Cut(strings.Trim(word, "[]{},"), "="); ok {
			values[name] = value
		}
	}
	if e.timer = strings.TrimPrefix(values["timer"], "0x"); e.timer == "" {
		return e, &Fault{Path: "timer", Message: texts.Newf("missing; expected %s", "timer=ADDRESS")}
	}
	if len(e.timer) > AddressMax {
		return e, &Fault{Path: "timer", Message: texts.Newf("longer than %d bytes", AddressMax)}
	}
	e.kind, e.timer = strings.Clone(e.kind), strings.Clone(e.timer) // otherwise the whole line would be kept in memory
	switch e.kind {
	case "start":
		return e, e.start(values)
	case "expire_entry":
		if _, ok := values["now"]; ok {
			return e, number(values, "now", &e.jiffy)
		}
	}
	return e, nil
}

// start sets the fields of e from values, which maps the names of the fields of a timer_start event to their texts.
func (e *kernelLine) start(values map[string]string) *Fault {
	if e.function = strings.Clone(values["function"]); len(e.function) > scenario.NameMax {
		return &Fault{Path: "function", Message: texts.Newf("longer than %d bytes", scenario.NameMax)}
	}
	if n, err := strconv.ParseUint(values["expires"], 10, 64); err == nil && n > math.MaxInt64 {
		e.expires = math.MaxInt64 // never due; such a value does not give the jiffy of the call
		return nil
	}
	if fault := number(values, "expires", &e.expires); fault != nil {
		return fault
	}
	if _, ok := values["timeout"]; ok {
		var timeout int64
		if fault := number(values, "timeout", &timeout); fault != nil {
			return fault
		}
		if e.jiffy = e.expires - timeout; e.jiffy < -jiffiesWrap || timeout < -wheel.TickMax { // else a jiffy that has not wrapped yet
			return &Fault{Path: "timeout", Message: texts.Newf("expires %d less %d is no jiffy", e.expires, timeout)}
		}
	} else if _, ok := values["now"]; ok {
		if fault := number(values, "now", &e.jiffy); fault != nil {
			return fault
		}
	}
	if _, ok := values["bucket_expiry"]; ok {
		return number(values, "bucket_expiry", &e.bucket)
	}
	return nil
}

func number(values map[string]string, name string, to *int64) *Fault {
	n, err := strconv.ParseInt(values[name], 10, 64)
	if err != nil || n < 0 && name != "timeout" {
		return &Fault{Path: name, Message: texts.Newf("%s is not %s", quoted(values[name]), "a number of jiffies")}
	}
	*to = n
	return nil
}

// stampOf returns the timestamp, in seconds, of a line of a kernel trace, or 0 if the line has none. head is the
// part of the line before the event. The timestamp is the last word of head that is a number with a decimal
// point and, usually, a colon at its end, such as "5123.104217:", a number of microseconds, such as "1000000us", or a
// time of day, such as "[08:00:01.000000100]".
func stampOf(head string) float64 {
	words := strings.Fields(head)
	for i := len(words) - 1; i >= 0; i-- {
		word := strings.TrimRight(words[i], ":")
		if seconds, err := strconv.ParseFloat(word, 64); err == nil && strings.Contains(word, ".") {
			return seconds
		}
		if number, ok := strings.CutSuffix(word, "us"); ok {
			if micros, err := strconv.ParseUint(number, 10, 64); err == nil {
				return float64(micros) / 1e6
			}
		}
		if at, err := time.Parse("[15:04:05]", word); err == nil {
			return at.Sub(at.Truncate(24 * time.Hour)).Seconds()
		}
	}
	return 0
}
