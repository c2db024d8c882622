package sim

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/budget"
)

// chunkCache caches recently used chunks of all runs. When it is full, it evicts the least recently used
// chunk of the run whose chunks take the most memory. A long run that is read once thus evicts only its own
// chunks, and a run that is played in a loop keeps the few chunks that it needs.
type chunkCache struct {
	memory *budget.Budget // budget from which the memory of each chunk is reserved

	mu    sync.Mutex
	runs  map[*Run]*runChunks
	bytes int64 // total memory of all cached chunks, in bytes
	limit int64 // maximum value of bytes
	large largeChunk
}

// largeChunk is the most recently made chunk that is larger than the limit of the cache. It is kept in addition to the
// cached chunks. run is nil if there is none.
type largeChunk struct {
	run *Run
	k   int
	keptChunk
}

// runChunks holds the cached chunks of one run, keyed by chunk number, and their total size in bytes.
type runChunks struct {
	lru   *simplelru.LRU[int, keptChunk]
	bytes int64
}

// keptChunk is a cached chunk and the reservation of its memory.
type keptChunk struct {
	*Chunk
	mem *budget.Reservation
}

// chunksMax is the maximum number of cached chunks of a run, regardless of their size.
const chunksMax = 1 << 14

func newChunkCache(memory *budget.Budget, limit int64) *chunkCache {
	return &chunkCache{memory: memory, limit: limit, runs: map[*Run]*runChunks{}}
}

// of returns the cached chunks of run r, after adding an empty entry to c.runs if there is none. c.mu must be held.
func (c *chunkCache) of(r *Run) *runChunks {
	kept := c.runs[r]
	if kept == nil {
		kept = &runChunks{}
		kept.lru, _ = simplelru.NewLRU(chunksMax, func(_ int, v keptChunk) { // fails for a size < 1 only
			n := v.mem.Bytes()
			kept.bytes -= n
			c.bytes -= n
			v.mem.Release()
		})
		c.runs[r] = kept
	}
	return kept
}

// get returns chunk k of run r, or nil if it is not cached.
func (c *chunkCache) get(r *Run, k int) *Chunk {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.large.run == r && c.large.k == k {
		return c.large.Chunk
	}
	kept := c.runs[r]
	if kept == nil {
		return nil
	}
	v, _ := kept.lru.Get(k)
	return v.Chunk
}

// put caches v as chunk k of run r, unless v is larger than the limit of the cache or its memory cannot be reserved.
func (c *chunkCache) put(r *Run, k int, v *Chunk) {
	n := v.bytes()
	if n > c.limit {
		return
	}
	mem, err := c.memory.Try(n)
	if err != nil && c.reclaim(n) {
		mem, err = c.memory.Try(n)
	}
	if err != nil && n <= c.memory.Limit()/urgentShare {
		mem, err = c.memory.TryUrgent(n)
	}
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.of(r)
	kept.lru.Remove(k) // otherwise the memory of the old chunk would not be released
	kept.lru.Add(k, keptChunk{v, mem})
	kept.bytes += n
	c.bytes += n
	for c.bytes > c.limit {
		c.drop()
	}
}

// putLarge keeps v, chunk k of run r, whose memory is reserved by mem, in place of the previous large chunk.
func (c *chunkCache) putLarge(r *Run, k int, v *Chunk, mem *budget.Reservation) {
	c.dropLarge()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.large = largeChunk{r, k, keptChunk{v, mem}}
}

// dropLarge drops the large chunk and reports whether there was one.
func (c *chunkCache) dropLarge() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	had := c.large.run != nil
	c.large.mem.Release()
	c.large = largeChunk{}
	return had
}

// drop removes the least recently used chunk of the run whose chunks take the most memory. c.mu must be held.
func (c *chunkCache) drop() {
	var of *Run
	for r, kept := range c.runs {
		if of == nil || kept.bytes > c.runs[of].bytes {
			of = r
		}
	}
	kept := c.runs[of]
	kept.lru.RemoveOldest()
	if kept.lru.Len() == 0 {
		delete(c.runs, of)
	}
}

// forget removes all chunks of run r from the cache.
func (c *chunkCache) forget(r *Run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.large.run == r {
		c.large.mem.Release()
		c.large = largeChunk{}
	}
	if kept := c.runs[r]; kept != nil {
		kept.lru.Purge()
		delete(c.runs, r)
	}
}

// chunkFloor limits how far the cache shrinks when memory is short: reclaim drops no more chunks once the cache is
// down to 1/chunkFloor of its limit. Without any cached chunks, a playing session would have to recompute a chunk
// for each frame.
const chunkFloor = 4

// reclaim drops the large chunk or, if there is none, chunks until it has freed need bytes or the cache is down to
// 1/chunkFloor of its limit. It reports whether it dropped any.
func (c *chunkCache) reclaim(need int64) bool {
	if c.dropLarge() {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.bytes
	for c.bytes > c.limit/chunkFloor && before-c.bytes < need {
		c.drop()
	}
	return c.bytes < before
}
