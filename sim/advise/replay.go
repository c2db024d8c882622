package advise

import (
	"context"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// player replays a workload on a structure.
type player struct {
	*Workload
	wheel   wheel.Wheel
	lazy    wheel.Rescheduler // the same wheel, or nil
	reset   port.Resetter     // the same wheel, or nil
	handles []wheel.Timer     // by timer ID
	fired   []wheel.Expiry
	count   *Count // what is counted; nil while the replay is timed
	now     int64
	// measured is the same wheel while it is counted, and spent its cost when the current tick began.
	measured structure
	spent    int64
	near     [2]uint32   // the last timer that was cancelled or reset, and the last that fired
	done     func() bool // reports whether the replay must end; nil means never
}

// Count is the work of a structure in a sample.
type Count struct {
	Slow       bool  // whether counting was given up because the structure needs too much work
	Rejected   int64 // timers rejected
	EarlyMax   int64 // in ticks of the structure
	LateMax    int64 // in ticks of the structure, without the rounding of due ticks to them
	PassedOver int64 // timers read or compared besides one for each timer that is scheduled, cancelled or fired
	Ticks      int64 // ticks with an operation or work
	WorstTick  int64 // units of work in the costliest tick
	Cost       int64 // units of work
	Bytes      int64 // peak memory
	Scattered  int64 // timers cancelled, reset or fired that are not next to the one before, so that they are not in the cache with it
	empty      int64 // memory before the first timer
	events     int64 // timers scheduled, cancelled and fired
}

// prepare schedules the timers that are pending when the sample begins.
func (p *player) prepare(w wheel.Wheel) {
	p.wheel, p.now = w, p.from
	p.lazy, _ = w.(wheel.Rescheduler)
	p.reset, _ = w.(port.Resetter)
	if p.handles == nil {
		p.handles = make([]wheel.Timer, p.timers+1)
	}
	clear(p.handles)
	f, queues := w.(*fifo)
	for i := range p.setup {
		t := &p.setup[i]
		s := wheel.Spec{Due: t.due, Key: t.id, Every: t.every, Times: t.times}
		var err error
		if queues {
			p.handles[t.id], _, err = f.schedule(s, t.delay)
		} else {
			p.handles[t.id], _, err = w.Schedule(s)
		}
		if err != nil && p.count != nil {
			p.count.Rejected++
		}
	}
}

// play replays the sample. prepare must have been called.
func (p *player) play() {
	for i := range p.ops {
		o := &p.ops[i]
		if o.At != p.now {
			p.advance(o.At)
			if p.done != nil && p.done() {
				return
			}
		}
		switch o.Kind {
		case scenario.OpCancel:
			p.cancel(o.Target)
			continue
		case scenario.OpReset:
			if p.resets(o.Target, o.ID, wheel.Spec{Due: o.At + o.Delay, Key: o.ID, Every: o.Every, Times: o.Times}) {
				continue
			}
			p.cancel(o.Target)
		case scenario.OpSet:
			p.cancel(o.Target)
		}
		t, runs, err := p.wheel.Schedule(wheel.Spec{Due: o.At + o.Delay, Key: o.ID, Every: o.Every, Times: o.Times})
		p.handles[o.ID] = t
		if p.count != nil {
			p.count.events += int64(1 + runs)
			if err != nil {
				p.count.Rejected++
			}
		}
	}
	p.advance(p.until)
}

// nearby is the greatest distance of the IDs of timers that are next to each other in memory, more or less, since
// structures give out their memory in the order in which timers are scheduled.
const nearby = 8

// touch counts timer id as scattered unless it is nearby the one before. kind is the index in near.
func (p *player) touch(kind int, id uint32) {
	if last := p.near[kind]; id > last+nearby || last > id+nearby {
		p.count.Scattered++
	}
	p.near[kind] = id
}

func (p *player) cancel(id uint32) {
	if p.count != nil {
		p.touch(0, id)
	}
	if p.wheel.Cancel(p.handles[id]) && p.count != nil {
		p.count.events++
	}
}

// resets resets timer id in the structure's own way and reports whether it has one.
func (p *player) resets(id, next uint32, s wheel.Spec) bool {
	if p.count != nil && (p.lazy != nil && s.Every <= 0 || p.reset != nil) {
		p.touch(0, id)
	}
	switch {
	case p.lazy != nil && s.Every <= 0:
		if _, ok := p.lazy.Reschedule(p.handles[id], s.Due); !ok {
			return false
		}
		p.handles[next] = p.handles[id]
		return true // the cost of the wheel has no timer for it, so it must not count as an event that explains one
	case p.reset != nil:
		p.handles[next], _, _ = p.reset.Reset(p.handles[id], s)
	default:
		return false
	}
	if p.count != nil {
		p.count.events++
	}
	return true
}

// advance moves the clock to tick to, and stops at every tick in which the wheel has work, as a driver does.
func (p *player) advance(to int64) {
	for {
		at, ok := p.wheel.Next()
		if at = max(at, p.now+1); !ok || at >= to {
			break
		}
		p.step(at)
	}
	p.step(to)
}

func (p *player) step(to int64) {
	if p.count != nil {
		p.open(to)
	}
	p.fired, _ = p.wheel.Advance(to, p.fired[:0], 0)
	p.now = to
	if p.count == nil {
		return
	}
	p.count.events += int64(len(p.fired))
	for i := range p.fired {
		late := to - p.fired[i].Due
		p.count.LateMax, p.count.EarlyMax = max(p.count.LateMax, late), max(p.count.EarlyMax, -late)
		p.touch(1, p.fired[i].Key)
	}
}

// open ends the tick before, whose cost is then known, and passes over the ticks before to, in which there is no work.
func (p *player) open(to int64) {
	p.count.Ticks++
	p.close()
	if to-1 > p.now {
		p.fired, _ = p.wheel.Advance(to-1, p.fired[:0], 0)
		p.count.events += int64(len(p.fired))
	}
	p.spent = p.measured.Cost().Total()
}

// close adds the tick before to the count.
func (p *player) close() {
	p.count.WorstTick = max(p.count.WorstTick, p.measured.Cost().Total()-p.spent)
	if p.count.Ticks%4096 == 0 {
		p.count.Bytes = max(p.count.Bytes, p.measured.Bytes())
	}
}

// workMax is the number of units of work for each event at which counting is given up.
const workMax = 50

// counted replays w, which has ticks of the candidate's width, on the candidate and returns its work. It returns an error if
// the candidate cannot be built or ctx is done.
func counted(ctx context.Context, w *Workload, c *Candidate) (*Count, error) {
	made, err := c.build(w.from)
	if err != nil {
		return nil, err
	}
	n := &Count{}
	p := &player{Workload: w, count: n, measured: made}
	calls := (workMax*(w.Events+int64(len(w.setup))) + 1<<20) / wheel.HookInterval
	p.done = func() bool { return n.Slow || n.Rejected > 0 || ctx.Err() != nil }
	if o, ok := made.(wheel.Observable); ok {
		o.SetHook(func() bool {
			calls--
			n.Slow = n.Slow || calls < 0
			return !p.done()
		})
	}
	n.empty = made.Bytes()
	p.prepare(made)
	scheduled := made.Cost()
	n.Bytes, p.spent = made.Bytes(), scheduled.Total()
	p.play()
	p.close()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	cost := made.Cost().Sub(scheduled)
	n.Cost, n.Bytes = cost.Total(), max(n.Bytes, made.Bytes())
	n.PassedOver = max(0, cost.Touched+cost.Compared-n.events)
	if c.Algorithm == "sorted" && w.inOrder {
		n.PassedOver = 0 // every timer is put at the tail: the comparisons are counted, not made
	}
	return n, nil
}
