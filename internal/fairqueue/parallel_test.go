package fairqueue

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Work is done in parallel only as far as turns of the pool are free, and gives way to work that waits.
func TestParallel(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	for _, c := range []struct{ pool, turns, taken, want int }{
		{1, 1, 0, 1}, // no turn is free
		{2, 1, 0, 2}, // one that the queue does not grant otherwise
		{2, 2, 1, 1}, // other work has it
		{3, 2, 1, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			pool := NewPool(c.pool)
			q, other := NewWith(Options{Pool: pool, Turns: c.turns}), NewWith(Options{Pool: pool, Turns: c.pool})
			for range c.taken {
				_, leave, err := other.Enter(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer leave()
			}
			ctx, leave, err := q.Enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var running, most, done atomic.Int64
			Parallel(ctx, 5, func(ctx context.Context, i int) {
				if n := running.Add(1); n > most.Load() {
					most.Store(n)
				}
				time.Sleep(time.Millisecond)
				running.Add(-1)
				done.Add(1 << (8 * i))
			})
			if most.Load() != int64(c.want) || done.Load() != 0x0101010101 {
				t.Errorf("%+v: %d at a time, want %d; %x", c, most.Load(), c.want, done.Load())
			}
			leave()
			if pool.free != c.pool-c.taken || q.free != c.turns {
				t.Errorf("%+v: %d turns are free afterwards, %d of the queue", c, pool.free, q.free)
			}
		})
	}
}

// A turn beyond those of its queue gives way after a slice.
func TestParallelGivesWay(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	synctest.Test(t, func(t *testing.T) {
		pool := NewPool(2)
		q, other := NewWith(Options{Pool: pool, Turns: 1}), NewWith(Options{Pool: pool, Turns: 1})
		ctx, leave, err := q.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		waited := make(chan time.Duration, 1)
		go func() {
			time.Sleep(25 * time.Millisecond)
			began := time.Now()
			_, leave, err := other.Enter(t.Context())
			if err != nil {
				t.Error(err)
			}
			waited <- time.Since(began)
			leave()
		}()
		began := time.Now()
		Parallel(ctx, 2, func(ctx context.Context, i int) {
			for range 50 {
				time.Sleep(time.Millisecond)
				if err := Pace(ctx); err != nil {
					t.Error(err)
				}
			}
		})
		if took := time.Since(began); took < 50*time.Millisecond || took >= 100*time.Millisecond {
			t.Errorf("100 ms of work, of which half is done in parallel until other work waits, took %v", took)
		}
		if wait := <-waited; wait > 2*q.slice {
			t.Errorf("other work waited for %v", wait)
		}
	})
}
