package advise

import (
	"iter"
	"math/bits"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// Sizes of what is known about a workload besides its pending timers.
const (
	buckets   = 1024 // parts of a workload among which the sample begins and ends
	delaySub  = 4    // delays are counted by power of two and the next delaySub bits
	delayKeys = 64 << delaySub
)

// reference runs a workload on a hierarchical wheel to find out when timers are pending and fire. Its memory depends on the
// greatest ID of a timer, not on the number of operations.
type reference struct {
	wheel    hierarchical.Wheel
	timers   []armed // by ID
	events   [buckets]int64
	live     [buckets]int64 // number of pending timers at the end of each bucket
	bucket   int64          // ticks in a bucket; doubled when there are too many
	longest  int64          // longest interval of a repeating timer
	delays   [delayKeys]int64
	total    int64 // operations and fired runs
	fired    int64
	expiries []wheel.Expiry
	ended    func(id uint32) // called when a timer is no longer pending because it has fired; may be nil
}

// armed is a timer of a reference as last scheduled.
type armed struct {
	handle       wheel.Timer
	delay, every int64
	times        int32
	runs         int32 // number of runs that have fired
}

func newReference() *reference {
	r := &reference{bucket: 1, timers: make([]armed, 1)}
	r.wheel, _ = hierarchical.New(hierarchical.Config{Slots: []int{64}, Grow: true, Endless: true, Width: 1, Program: true}) // these values are valid
	return r
}

// add runs the workload up to operation o, and executes o.
func (r *reference) add(o *program.Planned) {
	r.advance(o.At)
	r.total++
	if o.Target != 0 {
		r.wheel.Cancel(r.timers[o.Target].handle)
	}
	if o.Kind.Arms() {
		for int(o.ID) >= len(r.timers) {
			r.timers = append(r.timers, armed{})
		}
		t := armed{delay: o.Delay, every: o.Every, times: o.Times}
		t.handle, _, _ = r.wheel.Schedule(wheel.Spec{Due: o.At + o.Delay, Key: o.ID, Every: o.Every, Times: o.Times})
		r.timers[o.ID] = t
		r.longest = max(r.longest, o.Every)
		r.delays[delayKey(o.Delay)]++
		if r.ended != nil && !r.wheel.Armed(t.handle) {
			r.ended(o.ID)
		}
	}
	r.count(o.At, 1)
}

// advance runs the workload until tick to, without the operations at it.
func (r *reference) advance(to int64) {
	for due, ok := r.wheel.Next(); ok && due <= to; due, ok = r.wheel.Next() {
		r.expiries, _ = r.wheel.Advance(due, r.expiries[:0], 0)
		for _, e := range r.expiries {
			t := &r.timers[e.Key]
			if t.runs++; r.ended != nil && !r.wheel.Armed(t.handle) {
				r.ended(e.Key)
			}
		}
		n := int64(len(r.expiries))
		r.total, r.fired = r.total+n, r.fired+n
		r.count(due, n)
	}
	r.wheel.Advance(to, nil, 0)
}

// count notes events at a tick.
func (r *reference) count(at, events int64) {
	for ; at/r.bucket >= buckets; r.bucket *= 2 {
		for i := range buckets / 2 {
			r.events[i], r.live[i] = r.events[2*i]+r.events[2*i+1], r.live[2*i+1]
		}
		clear(r.events[buckets/2:])
		clear(r.live[buckets/2:])
	}
	r.events[at/r.bucket] += events
	r.live[at/r.bucket] = int64(r.wheel.Len())
}

// delayKey returns the index of a delay in delays.
func delayKey(delay int64) int {
	d := uint64(max(delay, 1))
	n := bits.Len64(d) - 1
	sub := d << (63 - n) << 1 >> (64 - delaySub)
	return n<<delaySub | int(sub)
}

// period returns the number of ticks in which the workload repeats itself, roughly: the longest interval of a repeating timer
// or the delay that nine of ten are not longer than, whichever is longer.
func (r *reference) period() int64 {
	all := int64(0)
	for _, n := range r.delays {
		all += n
	}
	seen := int64(0)
	for key, n := range r.delays {
		if seen += n; seen*10 >= all*9 {
			exp := key >> delaySub
			return max(r.longest, 1<<exp+((int64(key&(1<<delaySub-1))+1)<<exp)>>delaySub)
		}
	}
	return r.longest
}

// window returns the ticks of the sample of a workload that ends at tick end.
func (r *reference) window(end int64) (from, until int64) {
	most, first := int64(0), 0
	for _, n := range r.live {
		most = max(most, n)
	}
	for r.live[first]*10 < most*9 {
		first++
	}
	first = min(first+1, int(end/r.bucket)) // at the end of which they are pending
	from = int64(first) * r.bucket
	until = from
	n, period := int64(0), r.period()
	for b := first; b < buckets && until < end; b++ {
		if until-from >= period && n >= SampleEvents || n+r.events[b] > SampleEventsMax && n > 0 {
			break
		}
		n += r.events[b]
		until = min(int64(b+1)*r.bucket-1, end)
	}
	return from, until
}

// take makes w the sample of the ticks from until of ops, with the timers pending before from.
func (w *Workload) take(ops iter.Seq[*program.Planned], from, until int64) {
	r, before, fired := newReference(), int64(0), int64(0)
	begun := false
	begin := func() {
		if r.advance(from - 1); from > 0 {
			w.setUp(r)
		}
		begun, before, fired = true, r.total, r.fired
	}
	for o := range ops {
		if !begun && o.At >= from {
			begin()
		}
		if o.At > until {
			break
		}
		if r.add(o); begun {
			w.ops = append(w.ops, *o)
		}
	}
	if !begun {
		begin()
	}
	r.advance(until)
	w.from, w.until = from, until
	w.Events, w.Fired = r.total-before, r.fired-fired
}

// setUp makes the pending timers of r those that are pending at the start of w.
func (w *Workload) setUp(r *reference) {
	for id := 1; id < len(r.timers); id++ {
		t := &r.timers[id]
		due, ok := r.wheel.Due(t.handle)
		if !ok {
			continue
		}
		p := pending{id: uint32(id), due: due, every: t.every, times: t.times, delay: t.delay}
		if t.runs > 0 {
			p.delay = t.every
			if t.times > 0 {
				p.times -= t.runs
			}
		}
		w.setup = append(w.setup, p)
	}
	w.sortSetup()
}
