//go:build !race

// Long tests of one goroutine; see the Makefile.

package sim

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// openOneTick returns a computed run of oneTick with a small cache of chunks.
func openOneTick(t *testing.T, timers int) *Run {
	t.Helper()
	s := NewStore(StoreOptions{})
	s.chunks = newChunkCache(s.memory, 4<<20)
	t.Cleanup(s.Close)
	r, err := s.Open(t.Context(), plantest.Load(t, plantest.OneTick(timers)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.EndSeq(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestChunkCacheHoldsNoMoreThanItsBytes checks that a chunk larger than the cache is not kept, and
// that a chunk that is put twice counts once.
func TestChunkCacheHoldsNoMoreThanItsBytes(t *testing.T) {
	c, r := newChunkCache(budget.New(1<<30), 1000*recordBytes), &Run{}
	c.put(r, 0, &Chunk{Records: make([]engine.Record, 2000)})
	if c.get(r, 0) != nil || c.bytes != 0 {
		t.Errorf("a chunk of twice the size is kept: %d bytes", c.bytes)
	}
	for range 2 {
		c.put(r, 1, &Chunk{Records: make([]engine.Record, 600)})
		if c.get(r, 1) == nil || c.bytes != 600*recordBytes {
			t.Errorf("%d bytes are counted for a chunk of %d", c.bytes, 600*recordBytes)
		}
	}
}

// TestReplayOfATickIsContinued checks that reading a tick chunk by chunk replays it only once.
func TestReplayOfATickIsContinued(t *testing.T) {
	r := openOneTick(t, 25_000)
	first, end := r.TickChunks(0)
	var engine *engine.Engine
	paused := 0
	for k := first; k < end; k++ {
		if _, err := r.Chunk(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		if r.paused == nil {
			continue
		}
		paused++
		if engine != nil && r.paused.engine != engine {
			t.Fatalf("chunk %d is made by another engine", k)
		}
		engine = r.paused.engine
	}
	if paused < 10 || r.paused != nil {
		t.Errorf("paused at %d of %d chunks; at the end %v", paused, end-first, r.paused)
	}
}

// TestWaitForAChunkEnds checks that a wait for a chunk being made ends with the caller's context.
func TestWaitForAChunkEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &Run{store: &Store{chunks: newChunkCache(budget.New(1<<30), 1<<20), queue: fairqueue.New(1)}, making: make(chan struct{}, 1)}
		r.making <- struct{}{}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := r.Chunk(ctx, 0)
			done <- err
		}()
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("returned %v while the chunk was being made", err)
		default:
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("returned %v, want %v", err, context.Canceled)
		}
	})
}

// stopped is a context that is cancelled after a number of calls of Err.
type stopped struct {
	context.Context
	left int
}

func (s *stopped) Err() error {
	if s.left--; s.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestGreatTickIsCancelled checks that a seek within a large tick ends soon after its context
// does, and that the engine left in the middle of the tick is not used again.
func TestGreatTickIsCancelled(t *testing.T) {
	r := openOneTick(t, 25_000)
	end, err := r.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, seq := range []int64{end / 3, end - end/4} {
		for left := range 6 {
			ctx := &stopped{context.Background(), left}
			if _, err := r.SeekSeq(ctx, seq, 0); !errors.Is(err, context.Canceled) {
				t.Fatalf("event %d, cancelled at call number %d: %v", seq, left, err)
			}
		}
		s, err := r.SeekSeq(t.Context(), seq, 0)
		if err != nil {
			t.Fatal(err)
		}
		all, err := r.Records(t.Context(), 0, seq, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		live := 0
		for i := range all {
			switch rec := &all[i]; {
			case rec.Lane == 0 && rec.Kind == wheel.KindSchedule:
				live++
			case rec.Lane == 0 && rec.Kind == wheel.KindExpire:
				live--
			}
		}
		if live != s.Lanes[0].Live {
			t.Errorf("event %d: %d timers in lane 0, its records leave %d", seq, s.Lanes[0].Live, live)
		}
	}
}
