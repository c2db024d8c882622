package sim

import (
	"context"
	"sort"
	"sync"
	"unsafe"

	"github.com/hashicorp/golang-lru/v2/simplelru"
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
	if c := r.chunks.get(r, k); c != nil {
		return c, nil
	}
	r.making.Lock()
	defer r.making.Unlock()
	if c := r.chunks.get(r, k); c != nil {
		return c, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := r.makeChunk(k)
	if !r.isGone() { // or the cache would hold on to the run
		r.chunks.put(r, k, c)
	}
	return c, nil
}

// makeChunk replays what lies between two borders.
func (r *Run) makeChunk(k int) *chunk {
	r.mu.Lock()
	from, to := r.borders[k], r.borders[k+1]
	r.mu.Unlock()
	e := r.engineAt(from.tick)
	defer r.leave(e)
	c := &chunk{first: from.seq + 1, records: make([]Record, 0, to.seq-from.seq)}
	c.replay(e, from, to)
	return c
}

// chunkKey names a chunk of a run.
type chunkKey struct {
	run *Run
	k   int
}

// chunkCache keeps the chunks of all runs that were used lately, within a budget
// of bytes.
type chunkCache struct {
	mu    sync.Mutex
	lru   *simplelru.LRU[chunkKey, *chunk]
	bytes int64
	most  int64
}

// chunksMax bounds the number of chunks kept, however small.
const chunksMax = 1 << 16

func newChunkCache(most int64) *chunkCache {
	c := &chunkCache{most: most}
	c.lru, _ = simplelru.NewLRU(chunksMax, func(_ chunkKey, v *chunk) { c.bytes -= v.bytes() }) // fails for a size < 1 only
	return c
}

func (c *chunkCache) get(r *Run, k int) *chunk {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, _ := c.lru.Get(chunkKey{r, k})
	return v
}

func (c *chunkCache) put(r *Run, k int, v *chunk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Add(chunkKey{r, k}, v)
	c.bytes += v.bytes()
	for c.bytes > c.most && c.lru.Len() > 1 {
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
