package sim

import (
	"cmp"
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// TickEventsMax is the default of Sizes.TickEvents. The records of a tick are in memory together, at 64 bytes each.
const TickEventsMax = 5_000_000 // maximum number of events of all lanes in one tick of a run that is viewed

// Sizes holds the sizes and limits of a run's chunks, checkpoints and first pass.
type Sizes struct {
	ChunkEvents     int64 // maximum number of events of a chunk of several ticks
	TickEvents      int64 // maximum number of events of all lanes in one tick; a first pass ends before a tick that has more
	ChunkWork       int64 // work after which a chunk ends at the end of the current tick, in units of Engine.Work
	CheckpointCost  int64 // initial replay time from one checkpoint to the next, in units of Engine.ReplayCost
	CheckpointBytes int64 // maximum memory of a run's checkpoints; when it is exceeded, every second checkpoint is dropped
	CacheBytes      int64 // maximum memory of the cached chunks of all runs of a store
	BesideEngines   int64 // number of engines that a run uses in addition to its checkpoints; their memory is subtracted from CheckpointBytes
	WarmBytes       int64 // maximum memory of the engines that a run keeps for seeks to nearby ticks; if it is exceeded, only one engine is kept
	WorkMax         int64 // maximum work of a first pass, in units of Engine.Work
	// SliceTicks is the number of ticks with events after which a first pass checks whether to stop. It also
	// checks after each tick at which a chunk ends.
	SliceTicks int
}

// DefaultSizes contains the defaults for StoreOptions.Sizes. CheckpointCost corresponds to about 3 ms of replay.
var DefaultSizes = Sizes{
	ChunkEvents: 8192, ChunkWork: 1 << 18, TickEvents: TickEventsMax,
	CheckpointCost: 1 << 19, CheckpointBytes: 256 << 20, CacheBytes: ChunkBytesMax, WarmBytes: 1 << 30,
	WorkMax: 1 << 32, SliceTicks: 1 << 14,
}

// fill sets fields that are zero to their values in DefaultSizes.
func (s *Sizes) fill() {
	d := &DefaultSizes
	s.ChunkEvents, s.ChunkWork = cmp.Or(s.ChunkEvents, d.ChunkEvents), cmp.Or(s.ChunkWork, d.ChunkWork)
	s.TickEvents = cmp.Or(s.TickEvents, d.TickEvents)
	s.CheckpointCost, s.CheckpointBytes = cmp.Or(s.CheckpointCost, d.CheckpointCost), cmp.Or(s.CheckpointBytes, d.CheckpointBytes)
	s.CacheBytes, s.WarmBytes = cmp.Or(s.CacheBytes, d.CacheBytes), cmp.Or(s.WarmBytes, d.WarmBytes)
	s.WorkMax, s.SliceTicks = cmp.Or(s.WorkMax, d.WorkMax), cmp.Or(s.SliceTicks, d.SliceTicks)
}

// TooLongError reports that the first pass of a run stopped because the run requires too much work or because the next
// tick has too many events. The run can be viewed up to Tick.
type TooLongError struct {
	Tick   int64
	Events int64 // Sizes.TickEvents if the next tick has more events than that; otherwise 0
}

// Unwrap returns the error as shown to a user. It concerns the field "until" of the scenario.
func (e *TooLongError) Unwrap() error {
	if e.Events > 0 {
		return texts.Errorf(texts.Invalid, "until", "tick %d has more than %d events; only the ticks before it can be viewed", e.Tick+1, e.Events)
	}
	return texts.Errorf(texts.Invalid, "until", "the run is too long to be computed completely; it can be viewed up to tick %d", e.Tick)
}

func (e *TooLongError) Error() string { return e.Unwrap().Error() }

// compute performs the first pass: it computes the run from the last checkpoint to the end. ctx must carry
// a turn of the store's queue; see Run.Enter. The pass stops early when ctx is done.
func (r *Run) compute(ctx context.Context) {
	e := r.checkpoints[len(r.checkpoints)-1].engine.CloneFor(r.prog)
	e.KeepEvents(false)
	pass := firstPass{run: r, engine: e, lastBorder: r.borders[len(r.borders)-1], last: make([]EventCounts, len(e.Lanes))}
	pass.at, pass.worked = Position{e.At(), e.Emitted(), true}, e.Work()
	pass.bordered, pass.marked = pass.worked, e.ReplayCost()
	e.BindPace(func() error {
		if pass.tooMany() {
			return pass.tickTooLarge()
		}
		return r.pacePass(ctx)
	})
	for i, l := range e.Lanes {
		pass.last[i].read(l)
	}
	for n, bordered := 0, false; ; n++ {
		if bordered || n%r.sizes.SliceTicks == 0 { // one tick may be long
			if err := pass.end(ctx); err != nil {
				pass.stop(ctx, err)
				return
			}
		}
		t, ok := e.Next()
		if !ok {
			break
		}
		var err error
		if bordered, err = pass.runTick(t); err != nil {
			pass.stop(ctx, err)
			return
		}
	}
	e.Finish()
	if err := e.Err(); err != nil {
		pass.stop(ctx, err)
		return
	}
	pass.at = Position{r.prog.Until, e.Emitted(), true}
	pass.border()
	pass.publish(r.prog.Until, true, nil)
}

// firstPass holds the state of the first pass of a run, which computes all ticks of the run in order.
type firstPass struct {
	run        *Run
	engine     *engine.Engine
	at         Position      // end of the last complete tick
	tick       int64         // tick that is being computed
	lastBorder Position      // end of the last chunk
	bordered   int64         // value of Engine.Work at the end of the last complete chunk
	marked     int64         // value of Engine.ReplayCost at the last checkpoint
	worked     int64         // value of Engine.Work at the end of the last complete tick
	last       []EventCounts // event counts of each lane at the end of the last complete tick
}

// stop ends the pass after its last complete tick and records err, the reason, as the run's error.
func (p *firstPass) stop(ctx context.Context, err error) {
	var excess *engine.TickError
	switch {
	case errors.As(err, &excess) && excess.What != engine.UnitsOfWork: // each visit is an event
		err = p.tickTooLarge()
	case excess != nil:
		err = &TooLongError{Tick: p.at.Tick}
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	p.border()
	p.publish(p.at.Tick, false, err)
}

// end returns an error if the pass must stop because ctx is done or the pass has exceeded Sizes.WorkMax. It
// blocks while the pass is paused.
func (p *firstPass) end(ctx context.Context) error {
	if err := p.run.pacePass(ctx); err != nil {
		return err
	}
	if p.engine.Work() > p.run.sizes.WorkMax {
		return &TooLongError{Tick: p.engine.At()}
	}
	return nil
}

// tooMany reports whether the tick after p.at has more than Sizes.TickEvents events so far.
func (p *firstPass) tooMany() bool { return p.engine.Emitted()-p.at.Seq > p.run.sizes.TickEvents }

// tickTooLarge ends the pass before the current tick, which has too many events.
func (p *firstPass) tickTooLarge() error {
	p.at.Tick = p.tick - 1
	return &TooLongError{p.at.Tick, p.run.sizes.TickEvents}
}

// runTick computes tick t, in which events occur. bordered reports whether it has ended a chunk. If the tick has too many
// events or the engine has stopped, runTick returns an error.
func (p *firstPass) runTick(t int64) (bordered bool, err error) {
	p.tick = t
	if err := p.engine.FinishTick(t); err != nil {
		return false, err
	}
	if p.tooMany() {
		return false, p.tickTooLarge()
	}
	for i, l := range p.engine.Lanes {
		p.run.timeline.Note(i, t, p.last[i].read(l))
	}
	before, worked := p.at, p.worked
	p.at, p.worked = Position{t, p.engine.Emitted(), true}, p.engine.Work()
	size := p.at.Seq - p.lastBorder.Seq
	if size < p.run.sizes.ChunkEvents && p.worked-p.bordered < p.run.sizes.ChunkWork {
		return false, nil
	}
	if size > p.run.sizes.ChunkEvents && before.Seq > p.lastBorder.Seq { // the tick does not fit into the chunk
		p.add(Position{t - 1, before.Seq, true})
		p.bordered = worked
	}
	if size := p.at.Seq - p.lastBorder.Seq; size >= p.run.sizes.ChunkEvents || p.worked-p.bordered >= p.run.sizes.ChunkWork {
		p.add(p.at)
		p.bordered = p.worked
	}
	if cost := p.engine.ReplayCost(); cost-p.marked >= p.run.spacing {
		p.checkpoint()
		p.marked = cost
	}
	p.publish(p.lastBorder.Tick, false, nil)
	return true, nil
}

// border ends the current chunk at the end of the last complete tick, unless the previous chunk ends there.
func (p *firstPass) border() {
	if p.at.Tick != p.lastBorder.Tick {
		p.add(p.at)
	}
}

// add ends a chunk at border b.
func (p *firstPass) add(b Position) {
	p.lastBorder = b
	p.run.mu.Lock()
	p.run.borders = append(p.run.borders, b)
	p.run.mu.Unlock()
}

// checkpointLimit returns the maximum memory, in bytes, of the checkpoints of a run. bytes is the memory of one
// engine of the run. The limit is CheckpointBytes minus the memory of BesideEngines engines. If that is less than
// half of CheckpointBytes, the limit is the memory of one engine or CheckpointBytes, whichever is smaller. A run
// without checkpoints would have to be computed from its beginning for each seek.
func (s *Sizes) checkpointLimit(bytes int64) int64 {
	limit := s.CheckpointBytes - s.BesideEngines*bytes
	if 2*limit < s.CheckpointBytes {
		limit = min(s.CheckpointBytes, bytes)
	}
	return limit
}

// checkpoint saves a clone of the engine. If the checkpoints then exceed the run's limit, it drops every second
// checkpoint and doubles the replay time between future ones until they fit. If the store has too little memory for
// the clone, checkpoint saves nothing, but drops every second existing checkpoint and doubles that time once.
func (p *firstPass) checkpoint() {
	r := p.run
	bytes := p.engine.Bytes()
	mem, err := r.store.memory.Try(bytes)
	if err != nil {
		r.spaceOut()
		return
	}
	c := checkpoint{Position: p.at, copied: bytes, mem: newSharedMemory(mem), open: r.timeline.open(p.at.Tick)}
	c.engine, c.bytes = p.engine.Packed()
	mem.Set(c.bytes)
	r.mu.Lock()
	if r.isGone() {
		mem.Release()
	} else {
		r.checkpoints = append(r.checkpoints, c)
	}
	r.mu.Unlock()
	for r.checkpointBytes() > r.sizes.checkpointLimit(bytes) && r.spaceOut() {
	}
}

// publish records tick t as reached, whether the pass is done, and its error, if any, and wakes waiting goroutines.
func (p *firstPass) publish(t int64, done bool, err error) {
	r := p.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reached, r.done, r.err = t, done, err
	r.timeline.Computed, r.timeline.Done, r.timeline.Events = t, done, p.lastBorder.Seq
	close(r.news)
	r.news = make(chan struct{})
}

// fail records err as the reason why the first pass of the run could not begin.
func (r *Run) fail(err error) {
	p := firstPass{run: r, lastBorder: r.borders[len(r.borders)-1]}
	p.publish(p.lastBorder.Tick, false, err)
}

// EventCounts holds the number of events in one lane for each of the kinds that a Timeline counts.
type EventCounts struct{ Expire, Cascade, Reject, Finding int64 }

// TickCounts holds a lane's event counts and cost in one tick. Live is the number of timers that are
// pending at the end of the tick.
type TickCounts struct {
	EventCounts
	Live, cost int64
}

// read sets t to the event totals of lane l and returns the counts since the previous call, usually of one tick.
func (t *EventCounts) read(l *engine.Lane) TickCounts {
	counts := &l.Log.Count
	now := EventCounts{counts[wheel.KindExpire], counts[wheel.KindCascade], counts[wheel.KindReject], counts[wheel.KindFinding]}
	d := TickCounts{EventCounts{now.Expire - t.Expire, now.Cascade - t.Cascade, now.Reject - t.Reject, now.Finding - t.Finding}, int64(l.Wheel.Len()), l.TickCost()}
	*t = now
	return d
}
