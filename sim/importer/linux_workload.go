package importer

import (
	"context"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// kernelTrace collects the timer events of a kernel trace.
type kernelTrace struct {
	events []kernelLine
	starts int // number of timer_start events
	faults Faults

	o        WorkloadOptions
	expiries int   // number of timer_expire_entry events
	lost     int64 // number of events that the trace reports as lost
}

// take stores event e. It ignores timer_init and timer_expire_exit events, which are not needed. It returns a
// Fault if the trace has too many events.
func (k *kernelTrace) take(e kernelLine) *Fault {
	switch e.kind {
	case "start":
		k.starts++
	case "expire_entry":
		k.expiries++
	case "cancel":
	default:
		return nil
	}
	if k.starts > scenario.OpsMax {
		return &Fault{Line: e.line, Message: texts.Newf("more than %d operations are not allowed", scenario.OpsMax)}
	}
	if len(k.events) == kernelEventsMax {
		return &Fault{Line: e.line, Message: texts.Newf("more than %d events are not allowed", kernelEventsMax)}
	}
	k.events = append(k.events, e)
	return nil
}

// result returns a Result with a scenario made from the events of the trace. The ticks of the scenario are
// jiffies, and its start is the earliest jiffy of an event, so that timers are in the same slots as in the
// kernel.
func (k *kernelTrace) result(ctx context.Context, o *Options) (*Result, error) {
	wrapped := k.unwrap()
	hz, guessed := k.hz()
	k.setJiffies(hz)
	first := int64(math.MaxInt64)
	for i := range k.events {
		first = min(first, k.events[i].jiffy)
	}
	w := &kernelWorkload{names: map[kernelTimer]string{}, taken: map[string]bool{}, now: map[string]string{}, cancelled: map[string]int{}, due: map[string]int64{}}
	w.faults, w.bad, w.o = k.faults, k.faults.Count, k.o
	w.noExpiries = k.expiries == 0
	for i := range k.events {
		w.take(&k.events[i], first)
	}
	w.drop()
	if err := w.badLines(); err != nil {
		return nil, err
	}
	if w.starts == 0 {
		return nil, refuse("the file has no timer_start, and so no timer")
	}
	res, err := w.scenario(ctx, o, first, hz)
	if err != nil {
		return nil, err
	}
	if wrapped > 0 {
		res.Notes = append(res.Notes, texts.Of("import.note.wrapped", "line", wrapped))
	}
	if guessed {
		res.Notes = append(res.Notes, texts.Of("import.note.guessed", "hz", int64(hz)))
	}
	if k.lost > 0 {
		res.Notes = append(res.Notes, texts.Of("import.note.lost", "n", k.lost))
	}
	return res, nil
}

// jiffiesWrap is the number of jiffies after which the counter of a 32-bit kernel wraps.
const jiffiesWrap = 1 << 32

// unwrap makes the jiffies of a 32-bit kernel increase where its counter wraps, and returns the line in which it has
// wrapped first, or 0 if it does not wrap. A counter wraps if all jiffies have 32 bits and a jiffy is more than half of
// the range less than an earlier one, or if a timer is due after the counter wraps, which makes the jiffy of its call
// negative.
func (k *kernelTrace) unwrap() (line int64) {
	last := int64(jiffyUnknown)
	for i := range k.events {
		e := &k.events[i]
		if e.jiffy >= jiffiesWrap || e.expires >= jiffiesWrap {
			k.refuseNegative()
			return 0
		}
		if e.jiffy == jiffyUnknown {
			continue
		}
		if line == 0 && (e.jiffy < 0 || last != jiffyUnknown && last-e.jiffy > jiffiesWrap/2) {
			line = e.line
		}
		last = max(last, e.jiffy)
	}
	if line == 0 {
		return 0
	}
	near := func(to, jiffy int64) int64 { return to + int64(int32(jiffy-to)) } // the closest one that is equal modulo 2^32
	last = jiffyUnknown
	for i := range k.events {
		e := &k.events[i]
		if e.jiffy != jiffyUnknown {
			if last == jiffyUnknown {
				last = (e.jiffy + jiffiesWrap) % jiffiesWrap
			}
			e.jiffy = near(last, e.jiffy)
			last = e.jiffy
		}
		if e.kind == "start" && last != jiffyUnknown {
			e.expires = near(last, e.expires)
			if e.bucket > 0 {
				e.bucket = near(e.expires, e.bucket)
			}
		}
	}
	return line
}

// refuseNegative adds a fault for each event whose jiffy is negative, in a trace whose jiffies do not wrap.
func (k *kernelTrace) refuseNegative() {
	for i := range k.events {
		if e := &k.events[i]; e.jiffy < 0 && e.jiffy != jiffyUnknown {
			k.faults.add(e.line, "timeout", texts.Newf("expires %d less %d is no jiffy", e.expires, e.expires-e.jiffy))
			e.jiffy = jiffyUnknown
		}
	}
}

// hzKnown lists the usual numbers of jiffies, the ticks of a Linux kernel, per second.
var hzKnown = []float64{100, 250, 300, 1000}

// hzDefault is the number of jiffies (ticks of the kernel) per second that is assumed if the trace does not determine
// it.
const hzDefault = 250

// hzDeviation is the maximum deviation of the rate in a trace from the nearest rate in hzKnown, as the
// natural logarithm of their ratio: about 15 %.
const hzDeviation = 0.15

// hz returns the number of jiffies per second. If the options do not set it, hz measures the rate between the
// first and the last of the events that have both a jiffy and a time, and returns the closest rate in
// hzKnown, or hzDefault if the rate cannot be measured. guessed is true if the trace does not confirm the
// result.
func (k *kernelTrace) hz() (hz float64, guessed bool) {
	if k.o.HZ > 0 {
		return float64(k.o.HZ), false
	}
	var first, last *kernelLine
	for i := range k.events {
		if e := &k.events[i]; e.jiffy != jiffyUnknown && e.stamp > 0 {
			if first == nil {
				first = e
			}
			last = e
		}
	}
	if first == nil || last.stamp <= first.stamp || last.jiffy-first.jiffy < 10 {
		return hzDefault, true
	}
	seen := float64(last.jiffy-first.jiffy) / (last.stamp - first.stamp)
	best := hzKnown[0]
	for _, hz := range hzKnown {
		if math.Abs(math.Log(seen/hz)) < math.Abs(math.Log(seen/best)) {
			best = hz
		}
	}
	return best, math.Abs(math.Log(seen/best)) > hzDeviation
}

// setJiffies estimates the jiffy (the time in ticks of the kernel) of each event whose jiffy is unknown, because its
// line does not contain it. The estimate is the latest known jiffy of the preceding events plus the time that has
// passed since then, at hz jiffies per second, but at most the earliest known jiffy of the following events, unless
// that is less than the latest known jiffy itself. If no jiffy of a preceding event is known, the estimate is the
// earliest known jiffy, or 0 if none is known at all.
func (k *kernelTrace) setJiffies(hz float64) {
	next := int64(math.MaxInt64)
	nexts := make([]int64, len(k.events))
	for i := len(k.events) - 1; i >= 0; i-- {
		if k.events[i].jiffy != jiffyUnknown {
			next = min(next, k.events[i].jiffy)
		}
		nexts[i] = next
	}
	var last *kernelLine // with the greatest jiffy, since processors write concurrently
	for i := range k.events {
		e := &k.events[i]
		switch {
		case e.jiffy != jiffyUnknown:
			if last == nil || e.jiffy >= last.jiffy {
				last = e
			}
		case last == nil && nexts[i] == math.MaxInt64:
			e.jiffy = 0
		case last == nil:
			e.jiffy = nexts[i]
		default:
			passed := max(0, int64((e.stamp-last.stamp)*hz))
			e.jiffy = max(last.jiffy, min(last.jiffy+passed, nexts[i]))
		}
	}
}

// kernelTimer identifies a timer of the kernel. The address alone is not sufficient, because it may be reused for
// a timer with a different function.
type kernelTimer struct{ address, function string }

// kernelWorkload builds a workload from the events of a kernel trace.
type kernelWorkload struct {
	workload
	names map[kernelTimer]string // names of the timers in the scenario, as returned by kernelWorkload.name
	taken map[string]bool        // set of the values in the names map
	now   map[string]string      // name of the timer that was last started at each address
	// cancelled maps the address of a timer to the index in ops of its cancel operation. The entry exists only
	// while the latest event of that address is the timer_cancel event that the operation was made from.
	cancelled     map[string]int
	expiryCancels map[int]bool // indices in ops of the cancel operations that belong to an expiry, for drop

	noExpiries bool             // whether the trace contains no timer_expire_entry events
	due        map[string]int64 // jiffy at which the kernel expires the timer that was last started at each address
	assumed    int64            // number of timer_cancel events taken as expiries: noExpiries is set and the timer was due
	starts     int64            // number of set operations: one per timer_start event, except those that far counts
	cancels    int64            // number of cancel operations, not counting those in expiryCancels
	unknown    int64            // number of ignored timer_cancel events: their timer_start is missing or counted in far
	far        int64            // number of timer_start events whose due tick is too large for a scenario
}

// kernelRoom is the minimum distance, in ticks, from a due tick to wheel.TickMax. It leaves room for lanes
// that round due ticks up.
const kernelRoom = 1 << 56

// take converts event e to an operation and adds it to the workload. first is the jiffy of tick 0. If a
// timer_expire_entry event directly follows a timer_cancel event of the same timer, the timer was not cancelled but
// has expired, and take adds the index of the cancel operation to w.expiryCancels, so that drop removes the operation.
func (w *kernelWorkload) take(e *kernelLine, first int64) {
	index, wasCancel := w.cancelled[e.timer]
	delete(w.cancelled, e.timer)
	switch e.kind {
	case "start":
		if e.expires-first > wheel.TickMax-kernelRoom {
			w.skipFar(e, first)
			return
		}
		w.starts++
		w.due[e.timer] = max(e.expires, e.bucket)
		w.put(e, first, scenario.Op{Kind: scenario.OpSet, Timer: w.name(e), Delay: e.expires - e.jiffy})
	case "cancel":
		name, known := w.now[e.timer]
		if !known {
			w.unknown++
			return
		}
		if w.noExpiries && e.jiffy+1 >= w.due[e.timer] { // the jiffy of a cancel is rounded down
			w.assumed++
			return
		}
		w.cancels++
		w.cancelled[e.timer] = len(w.ops)
		w.put(e, first, scenario.Op{Kind: scenario.OpCancel, Timer: name})
	case "expire_entry":
		if !wasCancel {
			return
		}
		if w.expiryCancels == nil {
			w.expiryCancels = map[int]bool{}
		}
		w.expiryCancels[index] = true
		w.cancels--
	}
}

// skipFar handles e, a timer_start event whose due tick is too large for a scenario. It adds no set operation. If
// an earlier event started the timer, skipFar adds a cancel operation. first is the jiffy of tick 0.
func (w *kernelWorkload) skipFar(e *kernelLine, first int64) {
	w.far++
	if name, known := w.now[e.timer]; known {
		w.cancels++
		w.put(e, first, scenario.Op{Kind: scenario.OpCancel, Timer: name})
		delete(w.now, e.timer)
	}
}

func (w *kernelWorkload) put(e *kernelLine, first int64, op scenario.Op) {
	op.At = e.jiffy - first
	w.ops = append(w.ops, op)
	w.lines = append(w.lines, e.line)
	w.buckets = append(w.buckets, e.bucket)
}

// name returns a unique name for the timer of e, such as "process_timeout@3f80": its function and the last digits
// of its address. The name has as many digits as necessary to make it unique, but at least 4, padded with zeros.
func (w *kernelWorkload) name(e *kernelLine) string {
	key := kernelTimer{e.timer, e.function}
	name, ok := w.names[key]
	for digits := min(4, len(e.timer)); !ok; digits++ {
		zeros := max(0, digits-len(e.timer))
		name = e.function + "@" + strings.Repeat("0", zeros) + e.timer[len(e.timer)-digits+zeros:]
		ok = !w.taken[name]
	}
	w.names[key], w.taken[name], w.now[e.timer] = name, true, name
	return name
}

// drop removes the cancel operations in w.expiryCancels, and sorts the remaining operations by time. They may
// be out of order because processors write their events concurrently.
func (w *kernelWorkload) drop() {
	var order []int
	for i := range w.ops {
		if !w.expiryCancels[i] {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return w.ops[order[a]].At < w.ops[order[b]].At })
	ops, lines, buckets := make([]scenario.Op, len(order)), make([]int64, len(order)), make([]int64, len(order))
	for k, i := range order {
		ops[k], lines[k], buckets[k] = w.ops[i], w.lines[i], w.buckets[i]
	}
	w.ops, w.lines, w.buckets = ops, lines, buckets
}

// end returns the last tick of the scenario, or -1 if the planner should compute it. Kernel timers may be due
// many minutes after the last operation. To omit most of that time, the scenario continues after the last
// operation for at most one second or, if the trace is longer than that, for at most the length of the trace.
// second is the number of ticks in a second.
func (w *kernelWorkload) end(second int64) int64 {
	due, last := int64(0), int64(0)
	for i := range w.ops {
		last = max(last, w.ops[i].At)
		due = max(due, last, w.ops[i].At+w.ops[i].Delay)
	}
	if far := last + max(last, second); due > far {
		return far
	}
	return -1 // the planner adds the lanes' rounding
}

// scenario plans a scenario with the collected operations. It returns the program, with notes for the user about what
// was read. first is the jiffy of tick 0, and hz is the number of jiffies per second.
func (w *kernelWorkload) scenario(ctx context.Context, o *Options, first int64, hz float64) (*Result, error) {
	s := &scenario.Scenario{Name: nameOf(o.Name), Tick: (time.Second / time.Duration(hz)).String(), Start: first, Until: w.end(int64(hz)), Lanes: o.Lanes, Ops: w.ops}
	s.Title = scenario.Text{Plain: s.Name}
	levels := int64(9)
	if hz <= 100 {
		levels = 8
	}
	linux := lane("linux", catalog.Params{"levels": levels})
	if len(s.Lanes) == 0 {
		s.Lanes = []scenario.LaneSpec{linux, lane("hierarchical", nil), lane("heap", nil)}
	}
	p, err := w.plan(s, o)
	if err != nil {
		return nil, err
	}
	notes := []texts.Message{texts.Of("import.note.kernel", "timers", len(w.names), "starts", w.starts, "cancels", w.cancels, "jiffy", first, "hz", int64(hz))}
	notes = append(notes, w.skipped()...)
	if w.noExpiries && w.cancels+w.assumed > 0 {
		notes = append(notes, texts.Of("import.note.assumed", "expiries", w.assumed, "cancels", w.cancels))
	}
	if w.unknown > 0 {
		notes = append(notes, texts.Of("import.note.unknown", "n", w.unknown))
	}
	if w.far > 0 {
		notes = append(notes, texts.Of("import.note.far", "n", w.far))
	}
	predicted, err := w.predict(ctx, s, linux, o)
	return &Result{Program: p, Notes: append(notes, predicted...)}, err
}
