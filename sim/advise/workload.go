package advise

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// Limits of a workload.
const (
	SampleEvents    = 150_000   // a sample is extended by whole periods until it has this many events
	SampleEventsMax = 3_000_000 // maximum number of events of a sample; a longer period is cut
	TimersMax       = 2_000_000 // maximum number of pending timers at the start of a sample, after scaling
	ScaleMax        = 1000
	sampleBuckets   = 1024 // parts of a program among which the sample begins and ends
)

// Workload is a sample of what callers do: the timers that are pending at its start, and operations. Events are operations
// and timer runs that fire. A Workload is immutable and safe for concurrent use.
type Workload struct {
	Name   string
	Tick   time.Duration // length of a base tick
	Events int64         // operations and fired runs in the sample
	Whole  bool          // whether the sample is the whole workload
	Fired  int64         // timer runs that fire in the sample
	Herd   *compare.Herd // the largest group of repeating timers that fire together; nil if there is none, or unknown
	from   int64         // tick at which the pending timers are scheduled
	until  int64         // last tick
	setup  []pending     // timers pending at from, in the order in which they were scheduled
	ops    []program.Planned
	timers int // IDs are 1 to timers
	delays int // number of distinct delays and periods, at most fifoDelaysMax+1
	every  int64
	// inOrder is whether timers are due in the order in which they are scheduled, and none repeats.
	inOrder bool
}

// pending is a timer that is scheduled before the sample begins.
type pending struct {
	id    uint32
	times int32
	due   int64
	every int64
	delay int64 // from its last scheduling or run to due
}

// Pending returns the number of timers that are pending at the start of the sample.
func (w *Workload) Pending() int { return len(w.setup) }

// Duration returns the length of the sample in the time of the workload.
func (w *Workload) Duration() time.Duration { return time.Duration(w.until-w.from+1) * w.Tick }

// Rate returns the number of events per second of the workload.
func (w *Workload) Rate() float64 { return float64(w.Events) / w.Duration().Seconds() }

// ErrNoOperations is returned for a workload in which no timer is scheduled.
var ErrNoOperations = errors.New("the workload schedules no timer; expected one that does")

// FromProgram returns a sample of the operations of p: all of them if they are few, otherwise whole periods that begin when
// most timers are pending. Stalls, jumps of the wall clock and the lanes of p are ignored.
func FromProgram(p *program.Program) (*Workload, error) {
	nanos, err := scenario.ParseTick(p.Scenario.Tick)
	if err != nil {
		return nil, err
	}
	w := &Workload{Name: p.Scenario.Name, Tick: time.Duration(nanos), until: p.Until, timers: p.Timers(), Whole: true}
	for i := range p.Ops {
		if o := &p.Ops[i]; o.Kind.Named() {
			w.ops = append(w.ops, *o)
		}
	}
	if w.timers == 0 {
		return nil, ErrNoOperations
	}
	if herds := compare.Herds(p); len(herds) > 0 {
		w.Herd = &herds[0]
	}
	w.every = w.period()
	ref := newReference(w)
	ref.run(0, w.until)
	w.Events, w.Fired = ref.total, ref.fired
	if from, until := ref.window(); w.Events > SampleEvents && until-from < w.until {
		w.cut(from, until)
	}
	w.finish()
	return w, nil
}

// finish derives what depends on the final operations.
func (w *Workload) finish() {
	seen := map[int64]bool{}
	note := func(d int64) {
		if d > 0 && len(seen) <= fifoDelaysMax {
			seen[d] = true
		}
	}
	last := int64(0)
	w.inOrder = true
	due := func(at, every int64) {
		w.inOrder = w.inOrder && at >= last && every <= 0
		last = at
	}
	for i := range w.setup {
		p := &w.setup[i]
		note(p.delay)
		note(p.every)
		due(p.due, p.every)
	}
	for i := range w.ops {
		o := &w.ops[i]
		note(o.Delay)
		note(o.Every)
		if o.Kind.Arms() {
			due(o.At+o.Delay, o.Every)
		}
	}
	w.delays = len(seen)
}

// period returns the number of ticks in which a workload repeats itself, roughly: the longest interval of a repeating timer
// or the delay that nine of ten are not longer than, whichever is longer.
func (w *Workload) period() int64 {
	var delays []int64
	longest := int64(1)
	for i := range w.ops {
		longest = max(longest, w.ops[i].Every)
		if w.ops[i].Kind.Arms() {
			delays = append(delays, w.ops[i].Delay)
		}
	}
	slices.Sort(delays)
	return max(longest, delays[len(delays)*9/10])
}

// reference runs a workload on a hierarchical wheel to find out when timers are pending and fire.
type reference struct {
	*Workload
	wheel    hierarchical.Wheel
	handles  []wheel.Timer
	armed    []program.Planned // for each ID, the operation that scheduled it
	runs     []uint32          // for each ID, the number of runs that have fired
	events   []int64           // number of events in each bucket of ticks
	live     []int64           // number of pending timers at the end of each bucket
	next     int               // index of the next operation
	bucket   int64             // ticks in a bucket
	total    int64
	fired    int64
	expiries []wheel.Expiry
}

func newReference(w *Workload) *reference {
	r := &reference{Workload: w, handles: make([]wheel.Timer, w.timers+1), armed: make([]program.Planned, w.timers+1), runs: make([]uint32, w.timers+1)}
	r.wheel, _ = hierarchical.New(hierarchical.Config{Slots: []int{64}, Grow: true, Endless: true, Width: 1, Program: true}) // these values are valid
	r.bucket = w.until/sampleBuckets + 1
	r.events, r.live = make([]int64, sampleBuckets), make([]int64, sampleBuckets)
	return r
}

// run executes the operations of the ticks from to until.
func (r *reference) run(from, until int64) {
	for at := from; ; at++ {
		if r.next < len(r.ops) {
			at = max(at, r.ops[r.next].At)
		} else {
			at = until + 1
		}
		for due, ok := r.wheel.Next(); ok && due <= min(at, until); due, ok = r.wheel.Next() {
			r.expiries, _ = r.wheel.Advance(due, r.expiries[:0], 0)
			for _, e := range r.expiries {
				r.runs[e.Key]++
			}
			r.count(due, int64(len(r.expiries)))
			r.fired += int64(len(r.expiries))
		}
		if at > until {
			return
		}
		r.wheel.Advance(at, nil, 0)
		for ; r.next < len(r.ops) && r.ops[r.next].At == at; r.next++ {
			r.operate(&r.ops[r.next])
		}
		r.count(at, 0)
	}
}

func (r *reference) operate(o *program.Planned) {
	r.count(o.At, 1)
	if o.Target != 0 {
		r.wheel.Cancel(r.handles[o.Target])
	}
	if o.Kind.Arms() {
		r.handles[o.ID], _, _ = r.wheel.Schedule(wheel.Spec{Due: o.At + o.Delay, Key: o.ID, Every: o.Every, Times: o.Times})
		r.armed[o.ID] = *o
	}
}

func (r *reference) count(at, events int64) {
	r.events[at/r.bucket] += events
	r.live[at/r.bucket] = int64(r.wheel.Len())
	r.total += events
}

// window returns the ticks of the sample.
func (r *reference) window() (from, until int64) {
	most := slices.Max(r.live)
	first := slices.IndexFunc(r.live, func(n int64) bool { return n*10 >= most*9 })
	first = min(first+1, sampleBuckets-1) // at the end of which they are pending
	from = int64(first) * r.bucket
	until = from
	n := int64(0)
	for b := first; b < sampleBuckets && until < r.until; b++ {
		if until-from >= r.every && n >= SampleEvents || n+r.events[b] > SampleEventsMax && n > 0 {
			break
		}
		n += r.events[b]
		until = min(int64(b+1)*r.bucket-1, r.until)
	}
	return from, until
}

// cut makes w the sample of the ticks from until, with the timers pending before from.
func (w *Workload) cut(from, until int64) {
	r := newReference(w)
	if from > 0 {
		r.run(0, from-1)
	}
	for id := uint32(1); int(id) <= w.timers; id++ {
		due, ok := r.wheel.Due(r.handles[id])
		if !ok {
			continue
		}
		o := &r.armed[id]
		p := pending{id: id, due: due, every: o.Every, times: o.Times, delay: o.Delay}
		if ran := r.runs[id]; ran > 0 {
			p.delay = o.Every
			if o.Times > 0 {
				p.times -= int32(ran)
			}
		}
		w.setup = append(w.setup, p)
	}
	w.sortSetup()
	before := r.next
	counted := newReference(w)
	*counted = *r
	counted.total, counted.fired = 0, 0
	counted.run(from, until)
	w.ops, w.from, w.until, w.Whole = w.ops[before:counted.next], from, until, false
	w.Events, w.Fired = counted.total, counted.fired
}

// sortSetup puts the pending timers into the order in which they were scheduled.
func (w *Workload) sortSetup() {
	slices.SortFunc(w.setup, func(a, b pending) int {
		return cmp.Or(cmp.Compare(a.due-a.delay, b.due-b.delay), cmp.Compare(a.id, b.id))
	})
}

// Questions describe a steady workload of timers with one delay.
type Questions struct {
	Pending     int           // number of pending timers, 1 to TimersMax
	Delay       time.Duration // delay of every timer, at least 1 µs
	ResetShare  float64       // share of timers that are reset before they are due, 0 to 1
	CancelShare float64       // share of timers that are cancelled before they are due, 0 to 1 − ResetShare
}

// Workload returns a workload in which every timer waits for a reset, a cancel or its due tick, by the given shares and at
// an evenly distributed time; a timer that was cancelled or has fired is replaced by a new one. It returns an error that
// names a value out of range.
func (q Questions) Workload() (*Workload, error) {
	switch {
	case q.Pending < 1 || q.Pending > TimersMax:
		return nil, fmt.Errorf("--pending: %d is not between 1 and %d", q.Pending, TimersMax)
	case q.Delay < time.Microsecond || q.Delay > maxDelay:
		return nil, fmt.Errorf("--delay: %v is not between %v and %v", q.Delay, time.Microsecond, maxDelay)
	case !(q.ResetShare >= 0 && q.ResetShare <= 1):
		return nil, fmt.Errorf("--reset-share: %v is not between 0 and 1", q.ResetShare)
	case !(q.CancelShare >= 0 && q.CancelShare+q.ResetShare <= 1):
		return nil, fmt.Errorf("--cancel-share: %v is not between 0 and 1, or more than 1 together with --reset-share", q.CancelShare)
	}
	w := &Workload{Tick: max(time.Microsecond, min(time.Millisecond, q.Delay/1000)), timers: q.Pending}
	delay := int64((q.Delay + w.Tick - 1) / w.Tick)
	w.every = delay
	wait := float64(delay) * (1 - (q.ResetShare+q.CancelShare)/2) // mean time from one scheduling to the next
	perWait := 2 - q.ResetShare                                   // mean number of events in it
	w.until = max(delay, int64(SampleEvents/float64(q.Pending)*wait/perWait))
	w.until = max(1, min(w.until, int64(SampleEventsMax/float64(q.Pending)*wait/perWait)))
	rng := rand.New(rand.NewPCG(uint64(q.Pending), uint64(delay)))
	for i := range q.Pending {
		q.steady(w, uint32(i+1), delay, rng)
	}
	slices.SortStableFunc(w.ops, func(a, b program.Planned) int { return cmp.Compare(a.At, b.At) })
	w.sortSetup()
	w.Events = int64(len(w.ops)) + w.Fired
	w.finish()
	return w, nil
}

// maxDelay is the maximum of Questions.Delay.
const maxDelay = 366 * 24 * time.Hour

// steady appends the timers of one caller, of whom one is pending at any time. The first has the ID id.
func (q Questions) steady(w *Workload, id uint32, delay int64, rng *rand.Rand) {
	age := rng.Int64N(delay) // of the first timer
	w.setup = append(w.setup, pending{id: id, due: delay - age, delay: delay})
	for at := int64(0); ; {
		left := delay - age
		draw, after := rng.Float64(), rng.Int64N(max(left-1, 1))+1 // before it is due
		age = 0
		ends := draw < q.ResetShare+q.CancelShare && left > 1
		if ends {
			if at += after; at > w.until {
				return
			}
		} else {
			if at+left <= w.until {
				w.Fired++
			}
			if at += left + 1; at > w.until {
				return
			}
		}
		w.timers++
		next := program.Planned{At: at, Kind: scenario.OpSchedule, ID: uint32(w.timers), Delay: delay}
		switch {
		case ends && draw < q.ResetShare:
			next.Kind, next.Target = scenario.OpReset, id
		case ends:
			w.ops = append(w.ops, program.Planned{At: at, Kind: scenario.OpCancel, Target: id})
		}
		w.ops = append(w.ops, next)
		id = uint32(w.timers)
	}
}

// Scaled returns a workload with n times the timers of w: n copies, each a few ticks after the one before. It returns an
// error if they are more than TimersMax or n is out of range.
func (w *Workload) Scaled(n int) (*Workload, error) {
	if n < 1 || n > ScaleMax {
		return nil, fmt.Errorf("--scale: %d is not between 1 and %d", n, ScaleMax)
	}
	if int64(len(w.setup)+len(w.ops))*int64(n) > scaledMax {
		return nil, fmt.Errorf("--scale: %d times %d timers and operations; expected at most %d in all", n, len(w.setup)+len(w.ops), scaledMax)
	}
	if n == 1 {
		return w, nil
	}
	c := *w
	c.setup, c.ops = nil, make([]program.Planned, 0, n*len(w.ops))
	shift := max(1, min(7, (w.until-w.from)/int64(100*n)))
	for k := range n {
		add := uint32(k * w.timers)
		for _, p := range w.setup {
			p.id, p.due = p.id+add, p.due+int64(k)*shift
			c.setup = append(c.setup, p)
		}
		for _, o := range w.ops {
			o.At += int64(k) * shift
			if o.ID != 0 {
				o.ID += add
			}
			if o.Target != 0 {
				o.Target += add
			}
			c.ops = append(c.ops, o)
		}
	}
	c.until += int64(n-1) * shift
	c.timers *= n
	slices.SortStableFunc(c.ops, func(a, b program.Planned) int { return cmp.Compare(a.At, b.At) })
	c.sortSetup()
	c.Events, c.Fired = w.Events*int64(n), w.Fired*int64(n)
	return &c, nil
}

// scaledMax is the maximum number of timers and operations of a scaled sample.
const scaledMax = 8_000_000

// widened returns w with ticks of n base ticks. Due ticks are rounded up, as package timer does. rounding is the greatest
// number of base ticks by which one of them was. ok is false if a repeating timer has a period that is not a
// multiple of n.
func (w *Workload) widened(n int64) (c *Workload, rounding int64, ok bool) {
	if n == 1 {
		return w, 0, true
	}
	d := *w
	d.Tick *= time.Duration(n)
	d.from, d.until = w.from/n, w.until/n
	up := func(due int64) int64 {
		wide := (due + n - 1) / n
		rounding = max(rounding, wide*n-due)
		return wide
	}
	d.setup = slices.Clone(w.setup)
	for i := range d.setup {
		p := &d.setup[i]
		if p.every%n != 0 {
			return nil, 0, false
		}
		since := (p.due - p.delay) / n
		p.due, p.every = up(p.due), p.every/n
		p.delay = p.due - since
	}
	d.ops = slices.Clone(w.ops)
	for i := range d.ops {
		o := &d.ops[i]
		if o.Every%n != 0 {
			return nil, 0, false
		}
		if o.Kind.Arms() {
			o.Delay = up(o.At+o.Delay) - o.At/n
		}
		o.At, o.Every = o.At/n, o.Every/n
	}
	d.finish()
	return &d, rounding, true
}
