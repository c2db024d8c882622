package sim

import (
	"context"

	"github.com/wheelscope/wheelscope/wheel"
)

// runSizes says how much a run leaves behind.
type runSizes struct {
	chunkEvents     int64 // events from one border to the next
	chunkWork       int64 // or so much work
	checkpointWork  int64 // work from one checkpoint to the next
	checkpointBytes int64 // of one run; past it every second checkpoint goes
	workMax         int64 // of a first pass; a run that has more is not computed further
	sliceTicks      int   // busy ticks between two looks at whether to go on; a border is another
}

// defaultSizes: the work between checkpoints is about 3 ms of replay.
var defaultSizes = runSizes{
	chunkEvents: 8192, chunkWork: 1 << 18,
	checkpointWork: 1 << 18, checkpointBytes: 256 << 20,
	workMax: 1 << 32, sliceTicks: 1 << 14,
}

// TooLongError says that a run has more in it than a first pass computes. Up to
// Tick it can be looked at.
type TooLongError struct{ Tick int64 }

func (e *TooLongError) Error() string {
	return "until: the run is too long to be computed ahead; it can be seen up to tick " + itoa(e.Tick)
}

// compute is the first pass, from the last checkpoint to until. stop says, now
// and then, whether to end early.
func (r *Run) compute(stop func() error) {
	e := r.checkpoints[len(r.checkpoints)-1].engine.cloneFor(r.prog, nil)
	e.keep(false)
	pass := firstPass{run: r, engine: e, lastBorder: r.borders[len(r.borders)-1], last: make([]laneTotals, len(e.lanes))}
	pass.worked = e.work()
	pass.bordered, pass.marked, pass.events = pass.worked, pass.worked, e.told()
	for i, l := range e.lanes {
		pass.last[i].read(l)
	}
	for n, bordered := 0, false; ; n++ {
		if bordered || n%r.sizes.sliceTicks == 0 { // a tick may be long: work counts, too
			if err := pass.end(stop); err != nil {
				pass.border()
				pass.publish(e.At(), false, err)
				return
			}
		}
		t, ok := e.Next()
		if !ok {
			break
		}
		bordered = pass.tick(t)
	}
	_ = e.runTo(context.Background(), r.prog.Until) // nothing but idle ticks
	pass.border()
	pass.publish(r.prog.Until, true, nil)
}

// firstPass is the state of a first pass between two ticks.
type firstPass struct {
	run        *Run
	engine     *Engine
	lastBorder border
	bordered   int64 // work done at the last border
	marked     int64 // work done at the last checkpoint
	worked     int64 // work done at the end of the last busy tick
	events     int64 // events by then
	last       []laneTotals
}

// work is what replaying up to here costs: what the lanes did, without the empty
// slots, which are counted and not walked.
func (e *Engine) work() (n int64) {
	for _, l := range e.lanes {
		c := l.wheel.Cost()
		n += c.Touched + c.Compared + c.Moved
		if w, ok := l.wheel.(wheel.Laborious); ok {
			n += w.Labour()
		}
	}
	return n + e.told()
}

// end says why the pass ends here, nil if it goes on.
func (p *firstPass) end(stop func() error) error {
	if err := stop(); err != nil {
		return err
	}
	if p.engine.work() > p.run.sizes.workMax {
		return &TooLongError{p.engine.At()}
	}
	return nil
}

// tick computes one busy tick. It returns true if it placed borders.
func (p *firstPass) tick(t int64) (bordered bool) {
	for i, l := range p.engine.lanes {
		_ = l.finishTick(context.Background(), t)
		p.run.timeline.note(i, t, p.last[i].read(l))
	}
	before, worked := p.events, p.worked
	p.events, p.worked = p.engine.told(), p.engine.work()
	switch most := p.run.sizes.chunkEvents; {
	case p.events-p.lastBorder.seq == most || p.events-p.lastBorder.seq < most && p.worked-p.bordered >= p.run.sizes.chunkWork:
		p.add(border{tick: t, seq: p.events})
		p.bordered = p.worked
	case p.events-p.lastBorder.seq < most:
		return false
	case p.events-before < most: // this tick does not fit into the chunk
		p.add(border{tick: t - 1, seq: before})
		p.bordered = worked
	default:
		p.divide(t, before)
		p.bordered = p.worked
	}
	if p.worked-p.marked >= p.run.spacing {
		p.checkpoint()
		p.marked = p.worked
	}
	p.publish(p.lastBorder.tick, false, nil)
	return true
}

// divide puts borders around and within a tick that has as many events as a chunk
// holds, or more.
func (p *firstPass) divide(t, before int64) {
	var list []border
	if before > p.lastBorder.seq {
		list = append(list, border{tick: t - 1, seq: before})
	}
	for seq := before + p.run.sizes.chunkEvents; seq < p.events; seq += p.run.sizes.chunkEvents {
		list = append(list, border{tick: t, seq: seq, within: true})
	}
	end := border{tick: t, seq: p.events}
	if p.events-before > p.run.sizes.chunkEvents {
		end.costs = p.engine.costs()
	}
	p.add(append(list, end)...)
}

// border ends a chunk here.
func (p *firstPass) border() {
	if at := p.engine.At(); at != p.lastBorder.tick {
		p.add(border{tick: at, seq: p.engine.told()})
	}
}

// add adds borders, those of one tick at once.
func (p *firstPass) add(list ...border) {
	p.lastBorder = list[len(list)-1]
	p.run.mu.Lock()
	p.run.borders = append(p.run.borders, list...)
	p.run.mu.Unlock()
}

// checkpoint leaves a clone of the engine behind; where the budget of bytes is
// full, every second one goes and the spacing doubles.
func (p *firstPass) checkpoint() {
	r := p.run
	at := border{tick: p.engine.At(), seq: p.events}
	c := checkpoint{border: at, engine: p.engine.clone(nil).bare(), bytes: p.engine.bytes(), open: r.timeline.open(at.tick)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checkpoints = append(r.checkpoints, c)
	var sum int64
	for _, m := range r.checkpoints {
		sum += m.bytes
	}
	if sum <= r.sizes.checkpointBytes {
		return
	}
	kept := r.checkpoints[:0]
	for k, m := range r.checkpoints {
		if k%2 == 0 {
			kept = append(kept, m)
		}
	}
	clear(r.checkpoints[len(kept):])
	r.checkpoints = kept
	r.spacing *= 2
}

// publish tells those who wait how far the pass has come.
func (p *firstPass) publish(t int64, done bool, err error) {
	r := p.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reached, r.done, r.err = t, done, err
	r.timeline.Computed, r.timeline.Done, r.timeline.Events = t, done, p.lastBorder.seq
	close(r.news)
	r.news = make(chan struct{})
}

// bytes is the memory that the engine holds.
func (e *Engine) bytes() (n int64) {
	for _, l := range e.lanes {
		n += l.bytes()
	}
	return n
}

// laneTotals are the counts of a lane that a timeline is made from.
type laneTotals struct{ expire, cascade, reject, finding int64 }

// laneTick is what a lane did in one tick.
type laneTick struct {
	laneTotals
	live, cost int64
}

// read takes the lane's totals and gives what is new since the last read.
func (t *laneTotals) read(l *Lane) laneTick {
	told := &l.log.Count
	now := laneTotals{told[wheel.KindExpire], told[wheel.KindCascade], told[wheel.KindReject], told[wheel.KindFinding]}
	d := laneTick{laneTotals{now.expire - t.expire, now.cascade - t.cascade, now.reject - t.reject, now.finding - t.finding}, int64(l.wheel.Len()), l.cost.Tick}
	*t = now
	return d
}
