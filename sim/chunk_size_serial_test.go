//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package sim

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// TestChunksOfAGreatTick checks that a tick with more than 100,000 events is divided into chunks
// of limited size, and that the cache stays within its limit at every position.
func TestChunksOfAGreatTick(t *testing.T) {
	r := openOneTick(t, 25_000)
	ctx := t.Context()
	end, err := r.EndSeq(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var fired int64
	for k := range len(r.borders) - 1 {
		c, err := r.Chunk(ctx, k)
		if err != nil {
			t.Fatal(err)
		}
		from, to := r.BordersOf(k)
		if n := int64(len(c.Records)); n > r.sizes.ChunkEvents || n != to.Seq-from.Seq || c.First != from.Seq+1 || int64(cap(c.Records)) != n {
			t.Fatalf("chunk %d has %d records from %d on, room for %d, between seq %d and %d", k, n, c.First, cap(c.Records), from.Seq, to.Seq)
		}
		for i := range c.Records {
			if c.Records[i].Kind == wheel.KindExpire {
				fired++
			}
		}
		if r.store.chunks.bytes > r.store.chunks.limit {
			t.Fatalf("the cache holds %d bytes, %d at most are allowed", r.store.chunks.bytes, r.store.chunks.limit)
		}
	}
	if fired != 100_000 {
		t.Errorf("%d expiries, want 100000", fired)
	}
	for _, seq := range []int64{end / 7, end / 3, end / 2, end - end/4, end - 5} {
		if s, err := r.SeekSeq(ctx, seq, 1); err != nil || s.Seq != seq {
			t.Fatalf("event %d: %v", seq, err)
		}
		if _, err := r.LastStep(ctx, seq, 100); err != nil {
			t.Fatal(err)
		}
		if r.store.chunks.bytes > r.store.chunks.limit {
			t.Fatalf("the cache holds %d bytes after event %d, %d at most are allowed", r.store.chunks.bytes, seq, r.store.chunks.limit)
		}
	}
}
