package importer

import (
	"context"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// kernelTrace gathers a kernel's timer events.
type kernelTrace struct {
	events []kernelLine
	starts int
	faults Faults

	o        WorkloadOptions
	expiries int   // events timer_expire_entry
	lost     int64 // events that the trace reports as lost
}

// take keeps an event that matters; timer_init and timer_expire_exit do not. The fault
// is that of an event too many.
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
	if k.starts > sim.OpsMax {
		return &Fault{Line: e.line, Message: say.Of("more than %d operations are not allowed", sim.OpsMax)}
	}
	if len(k.events) == kernelEventsMax {
		return &Fault{Line: e.line, Message: say.Of("more than %d events are not allowed", kernelEventsMax)}
	}
	k.events = append(k.events, e)
	return nil
}

// result makes a scenario of the events: ticks are jiffies, and the scenario starts
// at the jiffy of the first, so that the lanes' slots are the kernel's own.
func (k *kernelTrace) result(ctx context.Context, o *Options) (*Result, error) {
	hz, guessed := k.hz()
	k.time(hz)
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
	if err := w.skip(); err != nil {
		return nil, err
	}
	if w.starts == 0 {
		return nil, refuse("the file has no timer_start, and so no timer")
	}
	res, err := w.scenario(ctx, o, first, hz)
	if err != nil {
		return nil, err
	}
	if guessed {
		res.Notes = append(res.Notes, say.Of("%d jiffies a second is a guess, since the trace does not show the kernel's HZ; --hz gives it", int64(hz)))
	}
	if k.lost > 0 {
		res.Notes = append(res.Notes, say.Of("events that the trace reports as lost: %d; operations are missing", k.lost))
	}
	return res, nil
}

// hzKnown are the frequencies that kernels are built with.
var hzKnown = []float64{100, 250, 300, 1000}

// hzDefault is taken where the trace does not tell times enough to see.
const hzDefault = 250

// hzDeviation is by how much the rate in a trace may differ from the frequency of a kernel,
// as a natural logarithm: 15 %.
const hzDeviation = 0.15

// hz returns the number of jiffies in a second: as the user gives it, or by the first and
// the last event that have both clocks. guessed reports whether these do not show it.
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

// time gives each event that tells no jiffy the one at its time: from the last event
// that told one, by the trace's clock, and not past the next.
func (k *kernelTrace) time(hz float64) {
	next := int64(math.MaxInt64)
	nexts := make([]int64, len(k.events))
	for i := len(k.events) - 1; i >= 0; i-- {
		if k.events[i].jiffy != jiffyUnknown {
			next = min(next, k.events[i].jiffy)
		}
		nexts[i] = next
	}
	var last *kernelLine // with the greatest jiffy: processors write side by side
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

// kernelTimer is a timer of the kernel: an address is used again for others.
type kernelTimer struct{ address, function string }

// kernelWorkload is a workload made of a kernel's events.
type kernelWorkload struct {
	workload
	names     map[kernelTimer]string
	taken     map[string]bool
	now       map[string]string // the name that an address stands for
	cancelled map[string]int    // by address: the operation that its last event made, a cancel
	gone      map[int]bool      // operations that were none

	noExpiries bool             // the trace has no timer_expire_entry
	due        map[string]int64 // by address: the jiffy at which the kernel collects the timer
	assumed    int64            // cancels that were taken for expiries
	starts     int64
	cancels    int64
	unknown    int64 // events of timers that were started before the trace began
	far        int64 // starts of timers that are due past the last tick
}

// kernelRoom is what a lane's rounding may add to a due tick.
const kernelRoom = 1 << 56

// take makes an operation of an event. When a timer expires the kernel tells
// timer_cancel as well, right before timer_expire_entry: that is no cancel.
func (w *kernelWorkload) take(e *kernelLine, first int64) {
	index, wasCancel := w.cancelled[e.timer]
	delete(w.cancelled, e.timer)
	switch e.kind {
	case "start":
		if e.expires-first > wheel.TickMax-kernelRoom {
			w.never(e, first)
			return
		}
		w.starts++
		w.due[e.timer] = max(e.expires, e.bucket)
		w.put(e, first, sim.Op{Kind: sim.OpSet, Timer: w.name(e), Delay: e.expires - e.jiffy})
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
		w.put(e, first, sim.Op{Kind: sim.OpCancel, Timer: name})
	case "expire_entry":
		if !wasCancel {
			return
		}
		if w.gone == nil {
			w.gone = map[int]bool{}
		}
		w.gone[index] = true
		w.cancels--
	}
}

// never leaves out a start of a timer that is due past the last tick. What the same timer was
// set to before is cancelled by it.
func (w *kernelWorkload) never(e *kernelLine, first int64) {
	w.far++
	if name, known := w.now[e.timer]; known {
		w.cancels++
		w.put(e, first, sim.Op{Kind: sim.OpCancel, Timer: name})
		delete(w.now, e.timer)
	}
}

func (w *kernelWorkload) put(e *kernelLine, first int64, op sim.Op) {
	op.At = e.jiffy - first
	w.ops = append(w.ops, op)
	w.lines = append(w.lines, e.line)
	w.buckets = append(w.buckets, e.bucket)
}

// name is what a timer is called: its function and as many of the last digits of its
// address as tell it from others, 4 at least, with zeros before the first.
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

// drop leaves out the operations that were none, and puts the rest in order of time:
// processors write their events side by side.
func (w *kernelWorkload) drop() {
	var order []int
	for i := range w.ops {
		if !w.gone[i] {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return w.ops[order[a]].At < w.ops[order[b]].At })
	ops, lines, buckets := make([]sim.Op, len(order)), make([]int64, len(order)), make([]int64, len(order))
	for k, i := range order {
		ops[k], lines[k], buckets[k] = w.ops[i], w.lines[i], w.buckets[i]
	}
	w.ops, w.lines, w.buckets = ops, lines, buckets
}

// end is the last tick that is shown: that at which the last timer is due, or as long
// again as the trace, at least a second more. A kernel has timers of many minutes.
func (w *kernelWorkload) end(second int64) int64 {
	due, last := int64(0), int64(0)
	for i := range w.ops {
		last = max(last, w.ops[i].At)
		due = max(due, last, w.ops[i].At+w.ops[i].Delay)
	}
	if far := last + max(last, second); due > far {
		return far
	}
	return -1 // planning adds what the lanes' rounding needs
}

// scenario makes the scenario, and says how the kernel's rounding is met.
func (w *kernelWorkload) scenario(ctx context.Context, o *Options, first int64, hz float64) (*Result, error) {
	s := &sim.Scenario{Name: nameOf(o.Name), Tick: (time.Second / time.Duration(hz)).String(), Start: first, Until: w.end(int64(hz)), Lanes: o.Lanes, Ops: w.ops}
	s.Title = sim.Text{Plain: s.Name}
	levels := int64(9)
	if hz <= 100 {
		levels = 8
	}
	linux := lane("linux", catalog.Params{"levels": levels})
	if len(s.Lanes) == 0 {
		s.Lanes = []sim.LaneSpec{linux, lane("hierarchical", nil), lane("heap", nil)}
	}
	p, err := w.plan(s, o)
	if err != nil {
		return nil, err
	}
	notes := []say.Message{
		say.Of("%d timers, %d starts, %d cancels; tick 0 is jiffy %d; %d jiffies a second", len(w.names), w.starts, w.cancels, first, int64(hz)),
	}
	notes = append(notes, w.skipped()...)
	if w.noExpiries && w.cancels+w.assumed > 0 {
		notes = append(notes, say.Of("the trace has no timer_expire_entry, which distinguishes expiries from cancels: %d timer_cancel at the jiffy of the expiry or later are taken as expiries, %d as cancels", w.assumed, w.cancels))
	}
	if w.unknown > 0 {
		notes = append(notes, say.Of("events left out, since their timers were started before the trace began: %d", w.unknown))
	}
	if w.far > 0 {
		notes = append(notes, say.Of("starts left out, since their timers are due past the last tick there is: %d", w.far))
	}
	told, err := w.predict(ctx, s, linux, o)
	return &Result{Program: p, Notes: append(notes, told...)}, err
}
