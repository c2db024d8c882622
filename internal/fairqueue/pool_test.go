package fairqueue

import (
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Queues of a pool share its turns evenly, regardless of the number of their clients.
func TestPoolSharesEvenly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := NewPool(1)
		many, one := NewWith(Options{Pool: pool, Turns: 1}), NewWith(Options{Pool: pool, Turns: 1})
		var wg sync.WaitGroup
		start := time.Now()
		for k := range 9 {
			wg.Go(func() { work(t, many, strconv.Itoa(k), time.Second) })
		}
		var took time.Duration
		wg.Go(func() { took = work(t, one, "one", time.Second) })
		wg.Wait()
		if took > 2*time.Second+2*Slice {
			t.Errorf("a second of work beside another queue took %v, want 2 s", took)
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("ten seconds of work in one turn took %v", took)
		}
	})
}

// A queue takes no more turns than its own, and leaves the pool's other turns to others.
func TestQueueOfAPoolIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := NewPool(2)
		heavy, light := NewWith(Options{Pool: pool, Turns: 1}), NewWith(Options{Pool: pool, Turns: 2})
		var wg sync.WaitGroup
		for k := range 4 {
			wg.Go(func() { work(t, heavy, strconv.Itoa(k), time.Second) })
		}
		synctest.Wait()
		if took := work(t, light, "light", 10*time.Millisecond); took != 10*time.Millisecond {
			t.Errorf("10 ms of work took %v beside a queue of one turn", took)
		}
		wg.Wait()
	})
}

// An overdue turn is lent to work of another queue, too.
func TestOverdueTurnIsLentToAnotherQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := NewPool(1)
		long, short := NewWith(Options{Pool: pool, Turns: 1}), NewWith(Options{Pool: pool, Turns: 1})
		_, leave, _ := long.Enter(t.Context()) // and never calls Pace
		if took := work(t, short, "short", time.Millisecond); took != Overdue+time.Millisecond {
			t.Errorf("1 ms of work took %v, want %v", took, Overdue+time.Millisecond)
		}
		leave()
		pool.mu.Lock()
		defer pool.mu.Unlock()
		if pool.free != 1 {
			t.Errorf("%d turns are free, want 1", pool.free)
		}
	})
}
