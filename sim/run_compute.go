package sim

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
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

// compute is the first pass, from the last checkpoint to until. It ends early when
// ctx is done, which carries a turn.
func (r *Run) compute(ctx context.Context) {
	e := r.checkpoints[len(r.checkpoints)-1].engine.cloneFor(r.prog, nil)
	e.keep(false)
	e.Bind(ctx)
	pass := firstPass{run: r, engine: e, lastBorder: r.borders[len(r.borders)-1], last: make([]laneTotals, len(e.lanes))}
	pass.at, pass.worked = border{tick: e.At(), seq: e.told()}, e.work()
	pass.bordered, pass.marked = pass.worked, pass.worked
	for i, l := range e.lanes {
		pass.last[i].read(l)
	}
	for n, bordered := 0, false; ; n++ {
		if bordered || n%r.sizes.sliceTicks == 0 { // a tick may be long: work counts, too
			if err := pass.end(ctx); err != nil {
				pass.stop(err)
				return
			}
		}
		t, ok := e.Next()
		if !ok {
			break
		}
		bordered = pass.tick(t)
		if err := e.Err(); err != nil {
			pass.stop(err)
			return
		}
	}
	e.runTo(r.prog.Until)
	if err := e.Err(); err != nil {
		pass.stop(err)
		return
	}
	pass.at = border{tick: r.prog.Until, seq: e.told()}
	pass.border()
	pass.publish(r.prog.Until, true, nil)
}

// firstPass is the state of a first pass between two ticks.
type firstPass struct {
	run        *Run
	engine     *Engine
	at         border // the last tick that is whole
	lastBorder border
	bordered   int64 // work done at the last border
	marked     int64 // work done at the last checkpoint
	worked     int64 // work done at the last whole tick
	last       []laneTotals
}

// stop ends the pass after its last whole tick.
func (p *firstPass) stop(err error) {
	switch {
	case errors.Is(err, errTickEvents):
		err = &TooLongError{p.at.tick}
	case p.run.ctx.Err() != nil:
		err = context.Cause(p.run.ctx)
	}
	p.border()
	p.publish(p.at.tick, false, err)
}

// work is what replaying up to here costs: what the lanes did, without the empty
// slots, which are counted and not walked.
func (e *Engine) work() (n int64) {
	for _, l := range e.lanes {
		c := l.wheel.Cost()
		n += c.Touched + c.Compared + c.Moved
		if w, ok := l.wheel.(wheel.ReplayCoster); ok {
			n += w.ReplayCost()
		}
	}
	return n + e.told()
}

// end says why the pass ends here, nil if it goes on.
func (p *firstPass) end(ctx context.Context) error {
	if err := fairqueue.Pace(ctx); err != nil {
		return err
	}
	if p.engine.work() > p.run.sizes.workMax {
		return &TooLongError{p.engine.At()}
	}
	return nil
}

// tick computes one busy tick. It returns true if it placed borders.
func (p *firstPass) tick(t int64) (bordered bool) {
	if p.engine.finishTick(t) != nil {
		return false
	}
	for i, l := range p.engine.lanes {
		p.run.timeline.note(i, t, p.last[i].read(l))
	}
	before, worked := p.at.seq, p.worked
	p.at, p.worked = border{tick: t, seq: p.engine.told()}, p.engine.work()
	switch most := p.run.sizes.chunkEvents; {
	case p.at.seq-p.lastBorder.seq == most || p.at.seq-p.lastBorder.seq < most && p.worked-p.bordered >= p.run.sizes.chunkWork:
		p.add(p.at)
		p.bordered = p.worked
	case p.at.seq-p.lastBorder.seq < most:
		return false
	case p.at.seq-before < most: // this tick does not fit into the chunk
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
	for seq := before + p.run.sizes.chunkEvents; seq < p.at.seq; seq += p.run.sizes.chunkEvents {
		list = append(list, border{tick: t, seq: seq, within: true})
	}
	end := border{tick: t, seq: p.at.seq}
	if p.at.seq-before > p.run.sizes.chunkEvents {
		end.costs = p.engine.costs()
	}
	p.add(append(list, end)...)
}

// border ends a chunk after the last whole tick.
func (p *firstPass) border() {
	if p.at.tick != p.lastBorder.tick {
		p.add(p.at)
	}
}

// add adds borders, those of one tick at once.
func (p *firstPass) add(list ...border) {
	p.lastBorder = list[len(list)-1]
	p.run.mu.Lock()
	p.run.borders = append(p.run.borders, list...)
	p.run.mu.Unlock()
}

// checkpoint keeps a clone of the engine. If the run's bytes for checkpoints, or the
// memory of the store, are full, every second one is dropped and the spacing doubles.
func (p *firstPass) checkpoint() {
	r := p.run
	bytes := p.engine.bytes()
	mem, err := r.store.memory.Try(bytes)
	if err != nil {
		r.spaceOut()
		return
	}
	c := checkpoint{border: p.at, engine: p.engine.clone(nil).bare(), bytes: bytes, mem: newSharedMemory(mem), open: r.timeline.open(p.at.tick)}
	r.mu.Lock()
	if r.isGone() {
		mem.Release()
	} else {
		r.checkpoints = append(r.checkpoints, c)
	}
	sum := int64(0)
	for _, m := range r.checkpoints {
		sum += m.bytes
	}
	r.mu.Unlock()
	if sum > r.sizes.checkpointBytes {
		r.spaceOut()
	}
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

// fail ends a run whose first pass could not begin.
func (r *Run) fail(err error) {
	p := firstPass{run: r, lastBorder: r.borders[len(r.borders)-1]}
	p.publish(p.lastBorder.tick, false, err)
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
