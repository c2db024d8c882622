package advise

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// Limits of a workload.
const (
	SampleEvents    = 150_000   // a sample is extended by whole periods until it has this many events
	SampleEventsMax = 500_000   // maximum number of events of a sample; a longer period is cut
	TimersMax       = 2_000_000 // maximum number of pending timers at the start of a sample, after scaling
	ScaleMax        = 1000
)

// Workload is a sample of what callers do: the timers that are pending at its start, and operations. Events are operations
// and timer runs that fire. A Workload is immutable and safe for concurrent use.
type Workload struct {
	Name   string
	Tick   time.Duration // length of a base tick
	Events int64         // operations and fired runs in the sample
	// Operations is the number of operations of the workload, of which the sample may be a part.
	Operations int64
	Whole      bool          // whether the sample is the whole workload
	Fired      int64         // timer runs that fire in the sample
	Herd       *compare.Herd // the largest group of repeating timers that fire together; nil if there is none, or unknown
	from       int64         // tick at which the pending timers are scheduled
	until      int64         // last tick
	setup      []pending     // timers pending at from, in the order in which they were scheduled
	ops        []program.Planned
	timers     int // IDs are 1 to timers
	delays     int // number of distinct delays and periods, at most fifoDelaysMax+1
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
	w := &Workload{Name: p.Scenario.Name, Tick: time.Duration(nanos), until: p.Until, timers: p.Timers()}
	ops := func(yield func(*program.Planned) bool) {
		for i := range p.Ops {
			if o := &p.Ops[i]; o.Kind.Named() && !yield(o) {
				return
			}
		}
	}
	ref := newReference()
	for o := range ops {
		ref.add(o)
	}
	if herds := compare.Herds(p); len(herds) > 0 {
		w.Herd = &herds[0]
	}
	return w, w.sample(ref, ops)
}

// sample makes w a sample of ops, which ref has seen and which must be the same each time.
func (w *Workload) sample(ref *reference, ops iter.Seq[*program.Planned]) error {
	if w.timers == 0 {
		return ErrNoOperations
	}
	ref.advance(w.until)
	w.Operations = ref.total - ref.fired
	from, until := ref.window(w.until)
	if w.Whole = ref.total <= SampleEvents || until-from >= w.until; w.Whole {
		from, until = 0, w.until
	}
	w.take(ops, from, until)
	w.finish()
	return nil
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

// sortSetup puts the pending timers into the order in which they were scheduled.
func (w *Workload) sortSetup() {
	slices.SortFunc(w.setup, func(a, b pending) int {
		return cmp.Or(cmp.Compare(a.due-a.delay, b.due-b.delay), cmp.Compare(a.id, b.id))
	})
}

// First returns the part of w that begins with it and has about the given number of events, or w if it has no more.
func (w *Workload) First(events int64) *Workload {
	ops := int64(len(w.ops)) * events / max(w.Events, 1)
	if w.Events <= events || ops == 0 {
		return w
	}
	c := *w
	c.ops, c.Whole = w.ops[:ops], false
	c.until = c.ops[ops-1].At
	r := newReference()
	r.advance(w.from)
	r.timers = make([]armed, w.timers+1)
	for _, p := range w.setup {
		r.timers[p.id].handle, _, _ = r.wheel.Schedule(wheel.Spec{Due: p.due, Key: p.id, Every: p.every, Times: p.times})
	}
	for i := range c.ops {
		r.add(&c.ops[i])
	}
	r.advance(c.until)
	c.Events, c.Fired = r.total, r.fired
	return &c
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
	case q.Delay < time.Microsecond || q.Delay > DelayMax:
		return nil, fmt.Errorf("--delay: %v is not between %v and %v", q.Delay, time.Microsecond, DelayMax)
	case !(q.ResetShare >= 0 && q.ResetShare <= 1):
		return nil, fmt.Errorf("--reset-share: %v is not between 0 and 1", q.ResetShare)
	case !(q.CancelShare >= 0 && q.CancelShare+q.ResetShare <= 1):
		return nil, fmt.Errorf("--cancel-share: %v is not between 0 and 1, or more than 1 together with --reset-share", q.CancelShare)
	}
	w := &Workload{Tick: q.Tick(), timers: q.Pending}
	delay := int64((q.Delay + w.Tick - 1) / w.Tick)
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
	w.Operations = int64(len(w.ops))
	w.Events = w.Operations + w.Fired
	w.finish()
	return w, nil
}

// Tick returns the length of a base tick of the workload: a thousandth of the delay, at most 1 ms.
func (q Questions) Tick() time.Duration {
	return max(time.Microsecond, min(time.Millisecond, q.Delay/1000))
}

// DelayMax is the maximum of Questions.Delay.
const DelayMax = 366 * 24 * time.Hour

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
			// Not scheduled after the sample begins: in a queue of one delay, the timers of the sample would go before it.
			p.id, p.due = p.id+add, min(p.due+int64(k)*shift, max(p.due, w.from+p.delay))
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
	c.Events, c.Fired, c.Operations = w.Events*int64(n), w.Fired*int64(n), w.Operations*int64(n)
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
