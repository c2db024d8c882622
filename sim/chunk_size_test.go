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

// TestChunkCacheHoldsNoMoreThanItsBytes checks that a chunk larger than the cache is not kept in it, and
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

// TestLargeChunk checks that a chunk larger than the cache is reserved and kept until another large one is made, memory
// is short, or the run is dropped.
func TestLargeChunk(t *testing.T) {
	r := openOneTick(t, 25_000)
	s := r.store
	before := s.memory.Used()
	c, err := r.Chunk(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	n := c.bytes()
	if n <= s.chunks.limit || n > int64(len(c.Records))*(recordBytes+stepBytes)*2 || c.Records[0].Tick != c.Records[len(c.Records)-1].Tick {
		t.Fatalf("the chunk of %d records takes %d bytes", len(c.Records), n)
	}
	if used := s.memory.Used() - before - r.warm.Bytes(); used != n || s.chunks.bytes != 0 {
		t.Errorf("%d bytes are reserved for a chunk of %d, %d in the cache", used, n, s.chunks.bytes)
	}
	if again, err := r.ScanChunk(t.Context(), 0); again != c || err != nil {
		t.Errorf("the chunk is made again: %v", err)
	}
	if !s.chunks.reclaim(1) || s.chunks.get(r, 0) != nil {
		t.Error("the chunk is kept when memory is short")
	}
	r.dropWarm()
	all, err := s.memory.Reserve(s.most() - s.memory.Used() - n/2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Chunk(t.Context(), 0); !errors.As(err, new(*NoMemoryError)) {
		t.Errorf("without memory for the chunk: %v", err)
	}
	all.Release()
}

// TestTickTooLarge checks that a run ends before a tick with more events than the limit, and can be viewed up to there.
func TestTickTooLarge(t *testing.T) {
	for _, c := range []struct {
		most int64
		tick int64 // -2 if the run is computed to its end
	}{{2_000_000, -2}, {400_000, 49}, {100_000, -1}} {
		sizes := DefaultSizes
		sizes.TickEvents = c.most
		p := plantest.Load(t, plantest.OneTick(25_000))
		_, r := openRunSized(t, p, sizes)
		err := r.Wait(t.Context(), p.Until)
		var long *TooLongError
		switch errors.As(err, &long); {
		case c.tick == -2 && err == nil:
		case long == nil || long.Tick != c.tick || long.Events != c.most:
			t.Errorf("at most %d events: %v", c.most, err)
		case c.tick >= 0:
			if s, err := r.Seek(t.Context(), EndOf(c.tick), 0); err != nil || s.Lanes[0].Live != 25_000 {
				t.Errorf("at the tick before: %v", err)
			}
		}
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
			if _, err := r.Seek(ctx, After(seq), 0); !errors.Is(err, context.Canceled) {
				t.Fatalf("event %d, cancelled at call number %d: %v", seq, left, err)
			}
		}
		s, err := r.Seek(t.Context(), After(seq), 0)
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
