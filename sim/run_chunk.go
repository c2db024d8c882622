package sim

import (
	"context"
	"sort"
	"sync"
	"unsafe"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// chunk is a stretch of records between two borders.
type chunk struct {
	first   int64    // seq of records[0]
	records []Record // in trace order
	steps   []int    // index behind the last record of each step
	costs   costTable
}

// recordBytes is the size of a Record.
const recordBytes = int64(unsafe.Sizeof(Record{}))

func (c *chunk) bytes() int64 {
	return int64(cap(c.records))*recordBytes + int64(cap(c.steps))*8 + c.costs.bytes()
}

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
	var ended error
	err = fairqueue.Outside(ctx, func() {
		select {
		case r.making <- struct{}{}:
		case <-ctx.Done():
			ended = ctx.Err()
		}
	})
	if ended != nil {
		return nil, ended
	}
	defer func() { <-r.making }()
	if err != nil {
		return nil, err
	}
	if c := r.store.chunks.get(r, k); c != nil {
		return c, nil
	}
	c, err := r.makeChunk(ctx, k)
	if err == nil && !r.isGone() { // or the cache would hold on to the run
		r.store.chunks.put(r, k, c)
	}
	return c, err
}

// makeChunk replays what lies between two borders.
func (r *Run) makeChunk(ctx context.Context, k int) (*chunk, error) {
	r.mu.Lock()
	from, to := r.borders[k], r.borders[k+1]
	r.mu.Unlock()
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
	c := &chunk{first: from.seq + 1, records: make([]Record, 0, to.seq-from.seq)}
	c.replay(e, from, to)
	return c, e.Err()
}

// chunkKey names a chunk of a run.
type chunkKey struct {
	run *Run
	k   int
}

// chunkCache keeps the chunks of all runs that were used lately, within a number of
// bytes and the memory of the store.
type chunkCache struct {
	memory *budget.Budget

	mu    sync.Mutex
	lru   *simplelru.LRU[chunkKey, keptChunk]
	bytes int64
	most  int64
}

// keptChunk is a chunk and its memory.
type keptChunk struct {
	*chunk
	mem *budget.Reservation
}

// chunksMax bounds the number of chunks kept, however small.
const chunksMax = 1 << 16

func newChunkCache(memory *budget.Budget, most int64) *chunkCache {
	c := &chunkCache{memory: memory, most: most}
	c.lru, _ = simplelru.NewLRU(chunksMax, func(_ chunkKey, v keptChunk) { // fails for a size < 1 only
		c.bytes -= v.mem.Bytes()
		v.mem.Release()
	})
	return c
}

func (c *chunkCache) get(r *Run, k int) *chunk {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, _ := c.lru.Get(chunkKey{r, k})
	return v.chunk
}

// put keeps a chunk, unless it is too large for that.
func (c *chunkCache) put(r *Run, k int, v *chunk) {
	n := v.bytes()
	if n > c.most {
		return
	}
	mem, err := c.memory.Try(n)
	if err != nil && c.reclaim(n) {
		mem, err = c.memory.Try(n)
	}
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(chunkKey{r, k}) // or the memory of the one before would not be released
	c.lru.Add(chunkKey{r, k}, keptChunk{v, mem})
	c.bytes += n
	for c.bytes > c.most {
		c.lru.RemoveOldest()
	}
}

// forget drops the chunks of a run.
func (c *chunkCache) forget(r *Run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range c.lru.Keys() {
		if key.run == r {
			c.lru.Remove(key)
		}
	}
}

// reclaim drops the chunks that were used least lately until need bytes are free.
func (c *chunkCache) reclaim(need int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.bytes
	for c.bytes > 0 && before-c.bytes < need {
		c.lru.RemoveOldest()
	}
	return c.bytes < before
}
