package sim

import (
	"context"
	"errors"
	"strconv"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// runSizes holds the sizes and limits of a run's chunks, checkpoints and first pass.
type runSizes struct {
	chunkEvents     int64 // most events between two borders
	chunkWork       int64 // or most work between them
	checkpointWork  int64 // work between two checkpoints
	checkpointBytes int64 // of one run; beyond it every second checkpoint is dropped
	workMax         int64 // most work of a first pass, which stops beyond it
	sliceTicks      int   // busy ticks between two checks whether to stop; it is checked after each border, too
}

// defaultSizes are the sizes of a store's runs. checkpointWork is about 3 ms of replay.
var defaultSizes = runSizes{
	chunkEvents: 8192, chunkWork: 1 << 18,
	checkpointWork: 1 << 18, checkpointBytes: 256 << 20,
	workMax: 1 << 32, sliceTicks: 1 << 14,
}

// TooLongError reports that a run takes more work, or has a tick with more events, than a first
// pass may compute. The run can be viewed up to Tick.
type TooLongError struct{ Tick int64 }

func (e *TooLongError) Error() string {
	return "until: the run is too long to be computed ahead; it can be seen up to tick " + strconv.FormatInt(e.Tick, 10)
}

// compute is the first pass: it runs from the last checkpoint to the end. It stops early if
// ctx, which carries a turn in the queue, is done.
func (r *Run) compute(ctx context.Context) {
	e := r.checkpoints[len(r.checkpoints)-1].engine.CloneFor(r.Prog, nil)
	e.KeepEvents(false)
	e.BindPace(func() error { return r.pacePass(ctx) })
	pass := firstPass{run: r, engine: e, lastBorder: r.borders[len(r.borders)-1], last: make([]EventCounts, len(e.Lanes))}
	pass.at, pass.worked = border{tick: e.At(), seq: e.Emitted()}, e.Work()
	pass.bordered, pass.marked = pass.worked, pass.worked
	for i, l := range e.Lanes {
		pass.last[i].read(l)
	}
	for n, bordered := 0, false; ; n++ {
		if bordered || n%r.sizes.sliceTicks == 0 { // one tick may be long
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
	e.RunTo(r.Prog.Until)
	if err := e.Err(); err != nil {
		pass.stop(err)
		return
	}
	pass.at = border{tick: r.Prog.Until, seq: e.Emitted()}
	pass.border()
	pass.publish(r.Prog.Until, true, nil)
}

// firstPass is the state of a first pass between two ticks.
type firstPass struct {
	run        *Run
	engine     *engine.Engine
	at         border // the last complete tick
	lastBorder border
	bordered   int64 // work done at the last border
	marked     int64 // work done at the last checkpoint
	worked     int64 // work done at the last complete tick
	last       []EventCounts
}

// stop ends the pass after its last complete tick.
func (p *firstPass) stop(err error) {
	switch {
	case errors.Is(err, engine.ErrTickEvents):
		err = &TooLongError{p.at.tick}
	case p.run.ctx.Err() != nil:
		err = context.Cause(p.run.ctx)
	}
	p.border()
	p.publish(p.at.tick, false, err)
}

// end returns the reason to end the pass here, or nil. It blocks while the pass is paused.
func (p *firstPass) end(ctx context.Context) error {
	if err := p.run.pacePass(ctx); err != nil {
		return err
	}
	if p.engine.Work() > p.run.sizes.workMax {
		return &TooLongError{p.engine.At()}
	}
	return nil
}

// tick computes one busy tick. It reports whether it added borders.
func (p *firstPass) tick(t int64) (bordered bool) {
	if p.engine.FinishTick(t) != nil {
		return false
	}
	for i, l := range p.engine.Lanes {
		p.run.timeline.Note(i, t, p.last[i].read(l))
	}
	before, worked := p.at.seq, p.worked
	p.at, p.worked = border{tick: t, seq: p.engine.Emitted()}, p.engine.Work()
	switch most := p.run.sizes.chunkEvents; {
	case p.at.seq-p.lastBorder.seq == most || p.at.seq-p.lastBorder.seq < most && p.worked-p.bordered >= p.run.sizes.chunkWork:
		p.add(p.at)
		p.bordered = p.worked
	case p.at.seq-p.lastBorder.seq < most:
		return false
	case p.at.seq-before < most: // the tick does not fit into the chunk
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

// divide adds borders around and within tick t, which has at least as many events as a chunk
// holds. Its argument before is the last event before the tick.
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
		end.costs = p.engine.Costs()
	}
	p.add(append(list, end)...)
}

// border ends the current chunk after the last complete tick, unless a chunk ends there already.
func (p *firstPass) border() {
	if p.at.tick != p.lastBorder.tick {
		p.add(p.at)
	}
}

// add appends borders. Those of one tick must be added in one call.
func (p *firstPass) add(list ...border) {
	p.lastBorder = list[len(list)-1]
	p.run.mu.Lock()
	p.run.borders = append(p.run.borders, list...)
	p.run.mu.Unlock()
}

// checkpoint saves a clone of the engine. If the checkpoints exceed the run's limit, or the
// store has no memory for the clone, every second one is dropped and the spacing doubles.
func (p *firstPass) checkpoint() {
	r := p.run
	bytes := p.engine.Bytes()
	mem, err := r.store.memory.Try(bytes)
	if err != nil {
		r.spaceOut()
		return
	}
	c := checkpoint{border: p.at, engine: p.engine.Clone(nil).Bare(), bytes: bytes, mem: newSharedMemory(mem), open: r.timeline.open(p.at.tick)}
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

// publish records the progress of the pass and wakes the goroutines that wait for it.
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

// EventCounts holds the totals of a lane from which the timeline is computed.
type EventCounts struct{ Expire, Cascade, Reject, Finding int64 }

// TickCounts holds the counts of a lane in one tick.
type TickCounts struct {
	EventCounts
	Live, cost int64
}

// read updates the totals from the lane and returns the difference.
func (t *EventCounts) read(l *engine.Lane) TickCounts {
	counts := &l.Log.Count
	now := EventCounts{counts[wheel.KindExpire], counts[wheel.KindCascade], counts[wheel.KindReject], counts[wheel.KindFinding]}
	d := TickCounts{EventCounts{now.Expire - t.Expire, now.Cascade - t.Cascade, now.Reject - t.Reject, now.Finding - t.Finding}, int64(l.Wheel.Len()), l.TickCost()}
	*t = now
	return d
}
