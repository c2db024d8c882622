package sim

import (
	"testing"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// TestChunksOfSmallRunsAreKept checks that a run with many chunks does not displace those of a run
// with few, neither when the cache is full nor when memory is short.
func TestChunksOfSmallRunsAreKept(t *testing.T) {
	const size = 100
	chunkOf := func() *Chunk { return &Chunk{Records: make([]engine.Record, size)} }
	c := newChunkCache(budget.New(1<<30), 16*size*recordBytes)
	few, many := &Run{}, &Run{}
	for k := range 2 {
		c.put(few, k, chunkOf())
	}
	for k := range 100 {
		c.put(many, k, chunkOf())
	}
	if n := c.runs[many].lru.Len(); n != 14 {
		t.Errorf("%d chunks of the larger run are kept beside 2, want 14", n)
	}
	if !c.reclaim(8*size*recordBytes) || c.runs[many].lru.Len() != 6 {
		t.Errorf("%d chunks of the larger run are kept, want 6", c.runs[many].lru.Len())
	}
	for k := range 2 {
		if c.get(few, k) == nil {
			t.Errorf("chunk %d of the smaller run is gone", k)
		}
	}
	c.forget(many)
	c.forget(few)
	if c.bytes != 0 || c.memory.Used() != 0 {
		t.Errorf("%d bytes are counted and %d reserved for no chunks", c.bytes, c.memory.Used())
	}
}
