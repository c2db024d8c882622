package sim

import (
	"context"
	"sort"
	"unsafe"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// Chunk contains the records between two borders: those of one or more complete ticks or, if a tick has
// more than Sizes.ChunkEvents records, of part of that tick. A Chunk is immutable.
type Chunk struct {
	First   int64           // number in the run of Records[0]
	Records []engine.Record // records in trace order
	// Steps has an element for each step that ends in the chunk: the number of records in the chunk up to and
	// including the last record of the step.
	Steps []int
	began int64     // number of the last event before the step that contains Records[0]
	Costs costTable // costs of the lanes at the end of each tick; empty if they are not stored
	part  *tickPart // further data if the chunk is part of a tick; nil if it contains complete ticks
}

// tickPart describes a chunk that is part of one tick.
type tickPart struct {
	events   int64             // number of events of the chunk
	before   []engine.LaneCost // costs of the lanes before the tick, indexed by lane
	spent    []int64           // total cost of each lane before the chunk's first record, indexed by lane
	opsAfter int64             // number of the last event before the operations; math.MaxInt64 if in a later chunk
	ends     bool              // whether the chunk is the last one of the tick
}

// recordBytes is the size of an engine.Record in bytes.
const recordBytes = int64(unsafe.Sizeof(engine.Record{}))

func (c *Chunk) bytes() int64 {
	n := int64(cap(c.Records))*recordBytes + int64(cap(c.Steps))*8 + c.Costs.bytes()
	if c.part != nil {
		n += int64(len(c.part.spent)) * (8 + laneCostBytes)
	}
	return n
}

// Last returns the number in the run of the chunk's last record.
func (c *Chunk) Last() int64 { return c.First - 1 + int64(len(c.Records)) }

// Tick returns the indices [from, to) of the records of tick t in c.Records.
func (c *Chunk) Tick(t int64) (from, to int64) {
	a := sort.Search(len(c.Records), func(i int) bool { return c.Records[i].Tick >= t })
	b := sort.Search(len(c.Records), func(i int) bool { return c.Records[i].Tick > t })
	return int64(a), int64(b)
}

// Chunk returns chunk k from the cache or, if it is not cached, recomputes it. The first pass must
// already have computed it. The error is that of ctx, a *NoMemoryError, or fairqueue.ErrBusy if too much work waits.
func (r *Run) Chunk(ctx context.Context, k int) (*Chunk, error) {
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	ctx, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	done, err := acquire(ctx, r.making)
	if err != nil {
		return nil, err
	}
	defer done()
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	return r.makeChunks(ctx, k)
}

// MissingAfter returns the number k of the chunk after the one that contains event seq; k is 0 if seq is 0.
// missing reports whether the first pass has computed chunk k but the chunk is not cached. A caller can then
// compute the chunk in advance.
func (r *Run) MissingAfter(seq int64) (k int, missing bool) {
	r.mu.Lock()
	k = sort.Search(len(r.borders), func(i int) bool { return r.borders[i].Seq >= seq })
	made := k+1 < len(r.borders)
	r.mu.Unlock()
	return k, made && r.store.chunks.get(r, k) == nil
}

// acquire acquires the semaphore sem, which has capacity 1, and returns a function that releases it. While
// it waits, it gives up the turn that ctx carries, so that other work can use the processor. It returns the
// error of ctx if ctx is done, or fairqueue.ErrBusy if it cannot get another turn.
func acquire(ctx context.Context, sem chan struct{}) (done func(), err error) {
	done = func() { <-sem }
	select {
	case sem <- struct{}{}: // without giving up the turn
		return done, nil
	default:
	}
	var ended error
	err = fairqueue.Outside(ctx, func() {
		select {
		case sem <- struct{}{}:
		case <-ctx.Done():
			ended = ctx.Err()
		}
	})
	if ended != nil {
		return nil, ended
	}
	if err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// makeChunks computes chunk k and, if it is part of a tick, the adjacent chunks that the same replay can
// fill. It caches them and returns chunk k.
func (r *Run) makeChunks(ctx context.Context, k int) (*Chunk, error) {
	from, to := r.BordersOf(k)
	first, made := k, []*Chunk(nil)
	if from.Within || to.Within {
		var end int
		var err error
		first, end = r.blockOf(k, to.Tick)
		if made, err = r.makeBlock(ctx, to.Tick, first, end); err != nil {
			return nil, err
		}
	} else {
		c, err := r.makeChunk(ctx, from, to)
		if err != nil {
			return nil, err
		}
		made = []*Chunk{c}
	}
	r.cache(first, made...)
	return made[k-first], nil
}

// cache adds made, a list of consecutive chunks of the run, to the store's cache. first is the number of made[0].
func (r *Run) cache(first int, made ...*Chunk) {
	if r.isGone() { // otherwise the cache would keep the run in memory
		return
	}
	for i, c := range made {
		r.store.chunks.put(r, first+i, c)
	}
}

// BordersOf returns the borders at the start and at the end of chunk k.
func (r *Run) BordersOf(k int) (from, to Border) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders[k], r.borders[k+1]
}

// makeChunk replays the events between two borders and returns them as a chunk. Both borders must be at the
// end of a tick.
func (r *Run) makeChunk(ctx context.Context, from, to Border) (*Chunk, error) {
	e, leave, err := r.enterAt(ctx, from.Tick)
	if err != nil {
		return nil, err
	}
	defer leave()
	c := newChunk(from, to, len(e.Lanes))
	if err := c.replay(e, to.Tick); err != nil {
		return nil, err
	}
	return c, nil
}

// ScanChunk returns chunk k for a search. It does not cache a chunk of complete ticks that it has to
// compute, so that a search through a long run does not evict other chunks. It does cache parts of a
// tick, because several are computed together.
func (r *Run) ScanChunk(ctx context.Context, k int) (*Chunk, error) {
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	from, to := r.BordersOf(k)
	if from.Within || to.Within {
		return r.Chunk(ctx, k)
	}
	return r.makeChunk(ctx, from, to)
}

// EndsTick reports whether the chunk ends at the end of a tick.
func (c *Chunk) EndsTick() bool { return c.part == nil || c.part.ends }
