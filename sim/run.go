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
	prog    *program.Program
	store   *Store
	sizes   Sizes
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
	borders     []Border      // ends of chunks; the first is before the first event
	checkpoints []checkpoint  // in order; the first is before the first event
	spacing     int64         // work between checkpoints
	warm        warmPool
	paused      *tickReplay // replay paused within a tick that is divided into chunks, or nil
	longStep    longStep    // last one found by openEnd
	timeline    *Timeline
}

// Border is the end of a chunk. All events up to Tick precede it, or only some of those of
// Tick if Within is true. Seq is the last event before it.
type Border struct {
	Tick, Seq int64
	Within    bool              // tick has more events after the border
	costs     []engine.LaneCost // of the lanes, at the end of a tick that is divided into chunks; otherwise nil
}

// ends reports whether all events of a tick precede the border.
func (b *Border) ends(tick int64) bool { return b.Tick > tick || b.Tick == tick && !b.Within }

// checkpoint is an engine at the end of a tick (-1: before the first event). It is never run,
// only cloned.
type checkpoint struct {
	Border
	engine *engine.Engine
	bytes  int64
	mem    *sharedMemory // nil for the first one, which the run's own reservation covers
	open   []openBucket  // the timeline's bucket as of this tick
}

// Digest returns the digest of the run's program.
func (r *Run) Digest() string { return r.prog.Digest() }

// Program returns the program that is run.
func (r *Run) Program() *program.Program { return r.prog }

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
	return r.borders[len(r.borders)-1].Seq, nil
}

// ChunkOfTick waits for the chunk that holds the end of a tick and returns its number.
func (r *Run) ChunkOfTick(ctx context.Context, tick int64) (int, error) {
	return r.awaitChunk(ctx, func(b *Border) bool { return b.ends(tick) })
}

// ChunkOfSeq waits for the chunk that holds an event and returns its number. Past the last
// event it returns the last chunk.
func (r *Run) ChunkOfSeq(ctx context.Context, seq int64) (int, error) {
	return r.awaitChunk(ctx, func(b *Border) bool { return b.Seq >= seq })
}

// awaitChunk returns the number of the first chunk whose end satisfies `ends`.
func (r *Run) awaitChunk(ctx context.Context, ends func(*Border) bool) (int, error) {
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
	k, err := r.ChunkOfTick(ctx, tick)
	if err != nil {
		return 0, err
	}
	if _, to := r.BordersOf(k); to.Tick <= tick {
		return to.Seq, nil
	}
	c, err := r.Chunk(ctx, k)
	if err != nil {
		return 0, err
	}
	n := sort.Search(len(c.Records), func(i int) bool { return c.Records[i].Tick > tick })
	return c.First - 1 + int64(n), nil
}

// TickOf returns the tick of an event. It returns 0 for seq 0, before the first event.
func (r *Run) TickOf(ctx context.Context, seq int64) (int64, error) {
	if seq <= 0 {
		return 0, nil
	}
	k, err := r.ChunkOfSeq(ctx, seq)
	if err != nil {
		return 0, err
	}
	if from, to := r.BordersOf(k); (from.Within || to.Within) && seq <= to.Seq {
		return to.Tick, nil
	}
	c, err := r.ChunkWith(ctx, seq)
	if err != nil {
		return 0, err
	}
	return c.Records[seq-c.First].Tick, nil
}

// ChunkWith returns the chunk that holds an event, or a *PositionError if there is no such event.
func (r *Run) ChunkWith(ctx context.Context, seq int64) (*Chunk, error) {
	k, err := r.ChunkOfSeq(ctx, seq)
	if err != nil {
		return nil, err
	}
	c, err := r.Chunk(ctx, k)
	if err != nil {
		return nil, err
	}
	if seq > c.Last() {
		return nil, &PositionError{Seq: seq, Last: c.Last()}
	}
	return c, nil
}

// PositionError reports that a run has no event Seq. Its last event is Last.
type PositionError struct{ Seq, Last int64 }

func (e *PositionError) Error() string {
	return "seq: " + strconv.FormatInt(e.Seq, 10) + " is not an event of this run, which has " + strconv.FormatInt(e.Last, 10)
}

// Err returns the error with which the first pass ended, or nil.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Borders returns the ends of the chunks computed so far, the first of which is before the first
// event, and whether no more will follow: the first pass is over or has ended with an error. The
// slice must not be changed.
func (r *Run) Borders() (borders []Border, over bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders, r.done || r.err != nil, r.err
}

// Enter waits for a turn in the queue in which runs are computed.
func (r *Run) Enter(ctx context.Context) (context.Context, func(), error) {
	return r.store.queue.Enter(ctx)
}

// EventsComputed returns the number of events up to the last border.
func (r *Run) EventsComputed() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders[len(r.borders)-1].Seq
}
