package sim

import (
	"context"
	"sort"
	"unsafe"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// chunk holds the records between two borders, chunkEvents of them at most. It holds
// whole ticks, or it is a part of one tick that has more events than that.
type chunk struct {
	first   int64    // seq of records[0]
	records []Record // in trace order
	steps   []int    // index behind the last record of each step that ends here
	began   int64    // seq with which the last step before records[0] ended
	costs   costTable
	part    *tickPart // nil: the chunk holds whole ticks
}

// tickPart is what is known of a chunk that is a part of one tick.
type tickPart struct {
	events   int64      // of the chunk
	before   []LaneCost // at the end of the tick before
	spent    []int64    // cost total of each lane before the chunk's first record
	opsAfter int64      // events of the tick up to this seq belong to the lanes' advances, later ones to operations
	ends     bool       // the chunk ends with the tick
}

// recordBytes is the size of a Record.
const recordBytes = int64(unsafe.Sizeof(Record{}))

func (c *chunk) bytes() int64 {
	n := int64(cap(c.records))*recordBytes + int64(cap(c.steps))*8 + c.costs.bytes()
	if c.part != nil {
		n += int64(len(c.part.spent)) * (8 + laneCostBytes)
	}
	return n
}

// last is the seq of the last record.
func (c *chunk) last() int64 { return c.first - 1 + int64(len(c.records)) }

// tick gives the indexes of the records of a tick, [from, to).
func (c *chunk) tick(t int64) (from, to int64) {
	a := sort.Search(len(c.records), func(i int) bool { return c.records[i].Tick >= t })
	b := sort.Search(len(c.records), func(i int) bool { return c.records[i].Tick > t })
	return int64(a), int64(b)
}

// chunk gives the chunk of a number, made again if nobody used it lately.
func (r *Run) chunk(ctx context.Context, k int) (*chunk, error) {
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	ctx, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	done, err := takePlace(ctx, r.making)
	if err != nil {
		return nil, err
	}
	defer done()
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	return r.makeChunks(ctx, k)
}

// missingAfter returns the number of the chunk behind that of seq, and whether it can be made and is not kept.
func (r *Run) missingAfter(seq int64) (k int, missing bool) {
	r.mu.Lock()
	k = sort.Search(len(r.borders), func(i int) bool { return r.borders[i].seq >= seq })
	made := k+1 < len(r.borders)
	r.mu.Unlock()
	return k, made && r.store.chunks.get(r, k) == nil
}

// takePlace puts an element into places, which has room for one, and returns the function that
// takes it out again. While it waits, others have the caller's turn.
func takePlace(ctx context.Context, places chan struct{}) (done func(), err error) {
	done = func() { <-places }
	select {
	case places <- struct{}{}: // without giving the turn away
		return done, nil
	default:
	}
	var ended error
	err = fairqueue.Outside(ctx, func() {
		select {
		case places <- struct{}{}:
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

// makeChunks makes chunk number k, and those beside it if they are parts of the same
// tick, puts them into the cache and returns number k.
func (r *Run) makeChunks(ctx context.Context, k int) (*chunk, error) {
	from, to := r.bordersOf(k)
	first, made := k, []*chunk(nil)
	if from.within || to.within {
		var end int
		var err error
		first, end = r.blockOf(k, to.tick)
		if made, err = r.makeBlock(ctx, to.tick, first, end); err != nil {
			return nil, err
		}
	} else {
		c, err := r.makeChunk(ctx, from, to)
		if err != nil {
			return nil, err
		}
		made = []*chunk{c}
	}
	if !r.isGone() { // or the cache would hold on to the run
		for i, c := range made {
			r.store.chunks.put(r, first+i, c)
		}
	}
	return made[k-first], nil
}

// bordersOf returns the borders of a chunk.
func (r *Run) bordersOf(k int) (from, to border) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders[k], r.borders[k+1]
}

// makeChunk replays what lies between two borders at the ends of ticks.
func (r *Run) makeChunk(ctx context.Context, from, to border) (*chunk, error) {
	ctx, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	e, err := r.engineAt(ctx, from.tick)
	if err != nil {
		return nil, err
	}
	defer r.leave(e)
	c := &chunk{first: from.seq + 1, records: make([]Record, 0, to.seq-from.seq), began: from.seq}
	if err := c.replay(e, from, to); err != nil {
		return nil, err
	}
	return c, nil
}
