package sim

import (
	"cmp"
	"context"
	"errors"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// ErrTooMany is returned if a range holds more records than the caller's maximum.
var ErrTooMany = errors.New("sim: more records than asked for")

// Run is a program that is computed once for all its viewers. A first pass counts events,
// fills the timeline and saves checkpoints; states and records are recomputed from the
// checkpoints on request. The results never change, so a Run may be used by any number of
// goroutines.
type Run struct {
	Prog    *program.Program
	store   *Store
	sizes   runSizes
	making  chan struct{} // holds an element while chunks are made, so that no chunk is made twice at the same time
	folding chan struct{} // holds an element while events are folded onto a state that lists all timers
	ctx     context.Context
	end     context.CancelCauseFunc // ends ctx, and with it the first pass
	mem     *budget.Reservation     // of the program and of the first pass's engine
	over    chan struct{}           // closed when the first pass has ended

	idleSince time.Time // when its last viewer left; guarded by the store
	expected  time.Time // until when a viewer is expected to return; guarded by the store
	wokenAt   time.Time // when its first pass was last allowed PassIdleMax without viewers; guarded by the store

	mu          sync.Mutex
	reached     int64         // last tick computed; -1: none
	done        bool          // the first pass is over
	err         error         // why it ended early
	resumed     chan struct{} // closed when the paused first pass may go on; nil: it is not paused
	news        chan struct{} // closed when reached, done or err changes
	borders     []border      // ends of chunks; the first is before the first event
	checkpoints []checkpoint  // in order; the first is before the first event
	spacing     int64         // work between checkpoints
	warm        warmPool
	paused      *tickReplay // replay paused within a tick that is divided into chunks, or nil
	longStep    longStep    // last one found by openEnd
	timeline    *Timeline
}

// border is the end of a chunk. All events up to tick precede it, or only some of those of
// tick if within is true. seq is the last event before it.
type border struct {
	tick, seq int64
	within    bool              // tick has more events after the border
	costs     []engine.LaneCost // of the lanes, at the end of a tick that is divided into chunks; otherwise nil
}

// ends reports whether all events of a tick precede the border.
func (b *border) ends(tick int64) bool { return b.tick > tick || b.tick == tick && !b.within }

// checkpoint is an engine at the end of a tick (-1: before the first event). It is never run,
// only cloned.
type checkpoint struct {
	border
	engine *engine.Engine
	bytes  int64
	mem    *sharedMemory // nil for the first one, which the run's own reservation covers
	open   []openBucket  // the timeline's bucket as of this tick
}

// Digest returns the digest of the run's program.
func (r *Run) Digest() string { return r.Prog.Digest() }

// Program returns the program that is run.
func (r *Run) Program() *program.Program { return r.Prog }

// Computed returns the last tick that the first pass has computed, and whether the pass has ended.
func (r *Run) Computed() (tick int64, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reached, r.done
}

// Timeline returns a copy of the run's timeline, as far as it is computed.
func (r *Run) Timeline() *Timeline {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.timeline.Clone()
}

// await waits until ready, which is called with r.mu held, returns true.
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

// Wait waits until the first pass has computed everything up to tick, or the whole run.
func (r *Run) Wait(ctx context.Context, tick int64) error {
	return r.await(ctx, func() bool { return r.done || r.reached >= tick })
}

// EndSeq waits for the first pass and returns the number of events of the run.
func (r *Run) EndSeq(ctx context.Context) (int64, error) {
	if err := r.await(ctx, func() bool { return r.done }); err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders[len(r.borders)-1].seq, nil
}

// chunkOfTick waits for the chunk that holds the end of a tick and returns its number.
func (r *Run) chunkOfTick(ctx context.Context, tick int64) (int, error) {
	return r.awaitChunk(ctx, func(b *border) bool { return b.ends(tick) })
}

// chunkOfSeq waits for the chunk that holds an event and returns its number. Past the last
// event it returns the last chunk.
func (r *Run) chunkOfSeq(ctx context.Context, seq int64) (int, error) {
	return r.awaitChunk(ctx, func(b *border) bool { return b.seq >= seq })
}

// awaitChunk returns the number of the first chunk whose end satisfies `ends`.
func (r *Run) awaitChunk(ctx context.Context, ends func(*border) bool) (int, error) {
	k := 0
	err := r.await(ctx, func() bool {
		rest := r.borders[1:]
		k = sort.Search(len(rest), func(i int) bool { return ends(&rest[i]) })
		return k < len(rest) || r.done
	})
	if err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return min(k, len(r.borders)-2), nil
}

// SeqAt returns the seq of the last event at or before a tick, or 0 if there is none.
func (r *Run) SeqAt(ctx context.Context, tick int64) (int64, error) {
	if tick < 0 {
		return 0, nil
	}
	k, err := r.chunkOfTick(ctx, tick)
	if err != nil {
		return 0, err
	}
	if _, to := r.bordersOf(k); to.tick <= tick {
		return to.seq, nil
	}
	c, err := r.chunk(ctx, k)
	if err != nil {
		return 0, err
	}
	n := sort.Search(len(c.records), func(i int) bool { return c.records[i].Tick > tick })
	return c.first - 1 + int64(n), nil
}

// TickOf returns the tick of an event. It returns 0 for seq 0, before the first event.
func (r *Run) TickOf(ctx context.Context, seq int64) (int64, error) {
	if seq <= 0 {
		return 0, nil
	}
	k, err := r.chunkOfSeq(ctx, seq)
	if err != nil {
		return 0, err
	}
	if from, to := r.bordersOf(k); (from.within || to.within) && seq <= to.seq {
		return to.tick, nil
	}
	c, err := r.chunkWith(ctx, seq)
	if err != nil {
		return 0, err
	}
	return c.records[seq-c.first].Tick, nil
}

// chunkWith returns the chunk that holds an event, or a *PositionError if there is no such event.
func (r *Run) chunkWith(ctx context.Context, seq int64) (*chunk, error) {
	k, err := r.chunkOfSeq(ctx, seq)
	if err != nil {
		return nil, err
	}
	c, err := r.chunk(ctx, k)
	if err != nil {
		return nil, err
	}
	if seq > c.last() {
		return nil, &PositionError{Seq: seq, Last: c.last()}
	}
	return c, nil
}

// PositionError reports that a run has no event Seq. Its last event is Last.
type PositionError struct{ Seq, Last int64 }

func (e *PositionError) Error() string {
	return "seq: " + strconv.FormatInt(e.Seq, 10) + " is not an event of this run, which has " + strconv.FormatInt(e.Last, 10)
}

// failed returns the error with which the first pass ended, or nil.
func (r *Run) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// eventsComputed returns the number of events up to the last border.
func (r *Run) eventsComputed() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders[len(r.borders)-1].seq
}
