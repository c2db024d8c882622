package sim

import (
	"context"
	"sort"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// ChunkOf waits until p is computed and returns the number of the chunk that contains the last event before p or, if p is
// the end of a tick, the end of that tick. If the run ends before p, it is the last chunk.
func (r *Run) ChunkOf(ctx context.Context, p Position) (k int, err error) {
	err = r.await(ctx, func() bool {
		ends := r.borders[1:]
		k = sort.Search(len(ends), func(i int) bool {
			if p.ByTick() {
				return ends[i].Tick >= p.Tick
			}
			return ends[i].Seq >= p.Seq
		})
		computed := k < len(ends)
		k = min(k, len(ends)-1)
		return computed || r.done
	})
	return k, err
}

// ChunkWith returns the chunk that contains event seq, or a *PositionError if there is no such event. It does not look up
// the chunk known, which may be nil.
func (r *Run) ChunkWith(ctx context.Context, known *Chunk, seq int64) (*Chunk, error) {
	if known.Has(seq) {
		return known, nil
	}
	k, err := r.ChunkOf(ctx, After(seq))
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
	var mem *budget.Reservation // for a chunk that is larger than the cache; nil for others
	if from, to := r.BordersOf(k); r.large(from, to) {
		r.store.chunks.dropLarge()
		if mem, err = r.store.Reserve((to.Seq - from.Seq) * (recordBytes + stepBytes)); err != nil {
			return nil, err
		}
	}
	c, err := r.makeChunk(ctx, k)
	if err != nil {
		mem.Release()
		return nil, err
	}
	r.cache(k, c, mem)
	return c, nil
}

// large reports whether the chunk between two borders, usually a single tick with very many events, takes more memory
// than all cached chunks may take.
func (r *Run) large(from, to Position) bool {
	return (to.Seq-from.Seq)*recordBytes > r.store.chunks.limit
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

// cache adds c, chunk k of the run, to the store's cache. mem is the reservation of a chunk that is larger than the
// cache, and nil for others, for which the cache reserves memory.
func (r *Run) cache(k int, c *Chunk, mem *budget.Reservation) {
	r.mu.Lock()
	defer r.mu.Unlock() // so that the run is not dropped in between; the cache would keep its memory
	switch {
	case r.isGone():
		mem.Release()
	case mem != nil:
		mem.Set(c.bytes())
		r.store.chunks.putLarge(r, k, c, mem)
	default:
		r.store.chunks.put(r, k, c)
	}
}

// BordersOf returns the borders at the start and at the end of chunk k.
func (r *Run) BordersOf(k int) (from, to Position) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.borders[k], r.borders[k+1]
}

// makeChunk replays the events of chunk k.
func (r *Run) makeChunk(ctx context.Context, k int) (*Chunk, error) {
	from, to := r.BordersOf(k)
	e, leave, err := r.enterAt(ctx, from.Tick)
	if err != nil {
		return nil, err
	}
	defer leave()
	c := newChunk(from, to, e)
	if err := c.replay(e, to.Tick); err != nil {
		return nil, err
	}
	return c, nil
}

// ScanChunk returns chunk k for a search. It does not cache a chunk that it has to compute, so that a search through a
// long run does not evict other chunks, unless the chunk is larger than the cache.
func (r *Run) ScanChunk(ctx context.Context, k int) (*Chunk, error) {
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	if r.large(r.BordersOf(k)) {
		return r.Chunk(ctx, k)
	}
	return r.makeChunk(ctx, k)
}
