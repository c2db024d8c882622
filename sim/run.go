package sim

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// ErrTooMany is returned by methods of Run if a range of events contains more records than the caller's limit allows.
var ErrTooMany = errors.New("sim: more records than requested")

// Run is a program that is computed once for all its viewers. Its first pass counts events, fills the
// timeline and saves checkpoints. States and records are then recomputed from the checkpoints on
// request. The results never change. A Run is safe for concurrent use by multiple goroutines.
type Run struct {
	prog    *program.Program
	store   *Store
	sizes   Sizes
	making  chan struct{} // semaphore of capacity 1, held while a chunk is computed
	folding chan struct{} // semaphore of capacity 1, held while events are folded into a state that lists all timers
	ctx     context.Context
	end     context.CancelCauseFunc // cancels ctx, which stops the first pass
	mem     *budget.Reservation     // reservation for the program and for the engine of the first pass
	over    chan struct{}           // closed when the first pass has ended

	idleSince time.Time // time at which the run was added or lost its last viewer, whichever is later; guarded by Store.mu
	expected  time.Time // time until which a viewer is expected to return; guarded by Store.mu
	wokenAt   time.Time // time of the latest call to Store.pauseLater, which replaces earlier calls; guarded by Store.mu

	mu          sync.Mutex
	reached     int64         // last tick computed; -1 means none
	done        bool          // whether the first pass has computed the whole run
	err         error         // reason why the first pass ended early; nil if it did not
	resumed     chan struct{} // closed to resume the paused first pass; nil if it is not paused
	news        chan struct{} // closed, and then replaced, when the first pass makes progress or ends
	borders     []Position    // ends of ticks at which chunks end: chunk k lies between borders[k] and borders[k+1]
	steps       []int64       // number of steps before each border, once StepNumber has been called; nil until then
	checkpoints []checkpoint  // checkpoints in order of tick; the first one is before the first event
	spacing     int64         // replay time between two checkpoints, in units of Engine.ReplayCost
	warm        engine.Pool   // recently used engines, kept for seeks to nearby ticks
	timeline    *Timeline
}

// checkpoint is a saved copy of the engine at the end of Tick, or before the first event if Tick is -1. The
// saved engine is only cloned, never run.
type checkpoint struct {
	Position
	engine *engine.Engine // engine at the checkpoint: a result of Engine.Packed, except in the first checkpoint
	bytes  int64          // memory of the checkpoint in bytes, excluding the handles, which Run.mem covers
	copied int64          // memory of an unpacked copy of the engine, in bytes
	mem    *sharedMemory  // reservation of the memory; nil for the first checkpoint, which Run.mem covers
	open   []openBucket   // for each lane, the values of the timeline bucket that contains Tick, up to the end of Tick
}

// Digest returns the digest of the run's program. It identifies the run in the store.
func (r *Run) Digest() string { return r.prog.Digest() }

// Program returns the run's program.
func (r *Run) Program() *program.Program { return r.prog }

// Computed returns the last tick that the first pass has computed, or -1 if there is none. done reports
// whether the whole run is computed.
func (r *Run) Computed() (tick int64, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reached, r.done
}

// Timeline returns a copy of the run's timeline as far as it has been computed.
func (r *Run) Timeline() *Timeline {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.timeline.Clone()
}

// await waits until ready returns true. It calls ready, with r.mu held, immediately and then each time the first pass
// makes progress. If ctx is done or the first pass fails before ready returns true, await returns an error.
func (r *Run) await(ctx context.Context, ready func() bool) error {
	for {
		r.mu.Lock()
		ok, err, news := ready(), r.err, r.news
		r.mu.Unlock()
		switch {
		case ok:
			return nil
		case err != nil:
			return err
		}
		var ended error
		err = fairqueue.Outside(ctx, func() { // others may compute meanwhile, this run's first pass too
			select {
			case <-news:
			case <-ctx.Done():
				ended = ctx.Err()
			}
		})
		if err = cmp.Or(ended, err); err != nil {
			return err
		}
	}
}

// Wait waits until the first pass has computed tick or the end of the run. It returns an error if ctx is
// done or the first pass fails before then.
func (r *Run) Wait(ctx context.Context, tick int64) error {
	return r.await(ctx, func() bool { return r.done || r.reached >= tick })
}

// EndSeq waits until the first pass has ended and returns the number of events of the run.
func (r *Run) EndSeq(ctx context.Context) (int64, error) {
	if err := r.await(ctx, func() bool { return r.done }); err != nil {
		return 0, err
	}
	return r.EventsComputed(), nil
}

// PositionError reports that a run has no event with the number Seq. Last is the number of the run's last event.
type PositionError struct{ Seq, Last int64 }

// Unwrap returns the error as shown to a user.
func (e *PositionError) Unwrap() error {
	return texts.Errorf(texts.Invalid, "seq", "%d is not an event of this run, which has %s", e.Seq, strconv.FormatInt(e.Last, 10))
}

func (e *PositionError) Error() string { return e.Unwrap().Error() }

// Err returns the error with which the first pass ended, or nil.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Borders returns the ends of the chunks computed so far, preceded by the border before the first event. over reports
// whether the first pass has ended, and err is the error that ended it early, if any. The caller must not change the
// slice.
func (r *Run) Borders() (borders []Position, over bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders, r.done || r.err != nil, r.err
}

// Enter waits for a turn (the permission to use a processor) in the queue of the run's store. It returns a
// context that carries the turn, and a function that ends the turn.
func (r *Run) Enter(ctx context.Context) (context.Context, func(), error) {
	return r.store.queue.Enter(ctx)
}

// EventsComputed returns the number of events in the chunks that the first pass has computed so far.
func (r *Run) EventsComputed() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders[len(r.borders)-1].Seq
}
