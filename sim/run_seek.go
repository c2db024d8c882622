package sim

import (
	"context"
	"sort"
	"unsafe"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// Seek waits until p is computed and returns the state at p. The state lists at most limit timers per wheel.Place, or all
// if limit is wheel.AllEntries. The Count of a place always includes all timers. If there is no such event, Seek returns
// a *PositionError.
func (r *Run) Seek(ctx context.Context, p Position, limit int) (*engine.Snapshot, error) {
	switch {
	case p.IsStart():
		return r.Start().Snapshot(limit), nil
	case p.ByTick():
		return r.seekTick(ctx, p.Tick, func([]*engine.Lane) int { return limit })
	}
	return r.seekEvent(ctx, p.Seq, limit)
}

// seekTick returns the state at the end of tick. limit is called with the lanes in that state.
func (r *Run) seekTick(ctx context.Context, tick int64, limit func([]*engine.Lane) int) (*engine.Snapshot, error) {
	if err := r.Wait(ctx, tick); err != nil {
		return nil, err
	}
	e, leave, err := r.engineAfter(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer leave()
	return r.snapshot(e, limit(e.Lanes))
}

// snapshot returns the state of engine e, with at most limit timers per wheel.Place, as in Seek.
func (r *Run) snapshot(e *engine.Engine, limit int) (*engine.Snapshot, error) {
	mem, err := r.store.Reserve(listBytes(limit, e.Lanes...))
	if err != nil {
		return nil, err
	}
	defer mem.Release()
	return e.Snapshot(limit), nil
}

// SeekWithChunk is like Seek for the end of tick, for a caller that will also need the chunk that contains it. If
// that chunk is not cached, one replay computes both the state and the chunk. limit is called with the
// lanes at the end of tick and returns the maximum number of timers to list per wheel.Place.
func (r *Run) SeekWithChunk(ctx context.Context, tick int64, limit func([]*engine.Lane) int) (*engine.Snapshot, error) {
	k, err := r.ChunkOf(ctx, EndOf(tick))
	if err != nil {
		return nil, err
	}
	from, to := r.BordersOf(k)
	if tick <= from.Tick || to.Tick-from.Tick > costTicksMax || r.large(from, to) || r.store.chunks.get(r, k) != nil {
		return r.seekTick(ctx, tick, limit)
	}
	e, leave, err := r.enterAt(ctx, from.Tick)
	if err != nil {
		return nil, err
	}
	defer leave()
	c := newChunk(from, to, e)
	if err := c.replay(e, tick); err != nil {
		return nil, err
	}
	s, err := r.snapshot(e, limit(e.Lanes))
	if err != nil {
		return nil, err
	}
	if err := c.replay(e, to.Tick); err != nil {
		return nil, err
	}
	r.cache(k, c, nil)
	return s, nil
}

// enterFolding waits for a turn (the permission to use a processor) and then for the semaphore r.folding, so
// that at most one state with all timers of the run is in memory. It returns a context that carries the turn,
// and a function done that the caller must call to release the semaphore and end the turn.
func (r *Run) enterFolding(ctx context.Context) (inside context.Context, done func(), err error) {
	inside, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	release, err := acquire(inside, r.folding)
	if err != nil {
		leave()
		return nil, nil, err
	}
	return inside, func() { release(); leave() }, nil
}

// listBytes returns the memory, in bytes, of the timers listed in a state of the given lanes. It returns 0
// unless limit is wheel.AllEntries, because other lists are short.
func listBytes(limit int, lanes ...*engine.Lane) (n int64) {
	if limit != wheel.AllEntries {
		return 0
	}
	for _, l := range lanes {
		n += int64(l.Wheel.Len()) * int64(unsafe.Sizeof(wheel.Entry{}))
	}
	return n
}

// seekEvent returns the state directly after event seq. Within a tick, it folds the tick's events up to there.
func (r *Run) seekEvent(ctx context.Context, seq int64, limit int) (*engine.Snapshot, error) {
	c, err := r.ChunkWith(ctx, nil, seq)
	if err != nil {
		return nil, err
	}
	at := c.At(seq)
	if at.Whole {
		return r.Seek(ctx, at, limit)
	}
	tick := at.Tick
	from, _ := c.Tick(tick)
	after, _ := c.CostsOf(tick)
	ctx, done, err := r.enterFolding(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := r.EngineAt(ctx, tick-1)
	if err != nil {
		return nil, err
	}
	recs := c.Records[from : seq-c.First+1]
	mem, err := r.store.Reserve(foldBytes(recs, e.Lanes...))
	if err != nil {
		r.Leave(e)
		return nil, err
	}
	defer mem.Release()
	s := e.Snapshot(wheel.AllEntries)
	r.Leave(e)
	if err := s.Fold(r.prog, tick, recs, limit, after); err != nil {
		return nil, err
	}
	return s, nil
}

// foldTimerBytes is the approximate memory, in bytes, that one timer takes while events are folded: its
// entry in the state, and its entry in the index of the fold.
const foldTimerBytes = 2*int64(unsafe.Sizeof(wheel.Entry{})) + 80

// foldBytes returns the approximate memory, in bytes, needed to fold recs onto the states of the given lanes.
func foldBytes(recs []engine.Record, lanes ...*engine.Lane) (n int64) {
	for _, l := range lanes {
		n += int64(l.Wheel.Len())
	}
	for i := range recs {
		if recs[i].Kind == wheel.KindSchedule {
			n++
		}
	}
	return n * foldTimerBytes
}

// Start returns the engine of the run before the first event. The caller must not run or change it.
func (r *Run) Start() *engine.Engine {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.checkpoints[0].engine
}

// engineAfter is like enterAt, but the engine has just run tick, so that it also has the lanes' costs for that tick.
func (r *Run) engineAfter(ctx context.Context, tick int64) (e *engine.Engine, leave func(), err error) {
	if e, leave, err = r.enterAt(ctx, tick-1); err != nil {
		return nil, nil, err
	}
	e.FinishTick(tick)
	if err := e.Err(); err != nil {
		leave()
		return nil, nil, err
	}
	return e, leave, nil
}

// enterAt waits for a turn (the permission to use a processor) in the store's queue and returns an engine at the end
// of tick; see EngineAt. The caller must call leave, which returns the engine to the run and ends the turn.
func (r *Run) enterAt(ctx context.Context, tick int64) (e *engine.Engine, leave func(), err error) {
	ctx, end, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	if e, err = r.EngineAt(ctx, tick); err != nil {
		end()
		return nil, nil, err
	}
	return e, func() { r.Leave(e); end() }, nil
}

// EngineAt returns an engine at the end of tick, which must be computed, or in its initial state if tick is
// -1. The caller has exclusive use of the engine until it calls Leave or releases the engine. ctx must carry a turn of
// the store's queue; see Enter. The error is that of ctx or a *NoMemoryError.
func (r *Run) EngineAt(ctx context.Context, tick int64) (*engine.Engine, error) {
	e, err := r.nearest(tick)
	if err != nil {
		return nil, err
	}
	e.Bind(ctx)
	if e.At() < tick {
		e.RunTo(tick)
	}
	if err := e.Err(); err != nil {
		r.Leave(e)
		return nil, err
	}
	return e, nil
}

// nearest returns an engine at or before tick, as close to tick as possible: either one that the run has
// kept or a clone of a checkpoint.
func (r *Run) nearest(tick int64) (*engine.Engine, error) {
	r.mu.Lock()
	mark := r.checkpointBefore(tick)
	e := r.warm.Take(mark.Tick, tick, mark.copied)
	r.mu.Unlock()
	if e == nil {
		mem, err := r.store.reserveUrgent(mark.copied)
		if err != nil {
			return nil, err
		}
		e = mark.engine.CloneFor(r.prog)
		e.Memory = mem
	}
	e.KeepEvents(false)
	return e, nil
}

// checkpointBefore returns the last checkpoint at or before tick. r.mu must be held.
func (r *Run) checkpointBefore(tick int64) checkpoint {
	k := sort.Search(len(r.checkpoints), func(i int) bool { return r.checkpoints[i].Tick > tick }) - 1
	return r.checkpoints[k]
}

// Leave takes back an engine obtained from EngineAt. The run keeps the engine for the next seek to a
// nearby tick, unless the engine has failed or the run has been dropped.
func (r *Run) Leave(e *engine.Engine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Err() != nil || r.isGone() {
		e.Release()
		return
	}
	e.Unbind()
	e.Memory.Set(e.Bytes())
	r.warm.Put(e)
}
