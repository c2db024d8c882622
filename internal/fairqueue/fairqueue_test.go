package fairqueue

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// work does work that takes d, in steps of a millisecond by the clock of a synctest bubble.
func work(t *testing.T, q *Queue, client string, d time.Duration) (took time.Duration) {
	t.Helper()
	start := time.Now()
	ctx, leave, err := q.Enter(WithClient(t.Context(), client))
	if err != nil {
		t.Error(err)
		return 0
	}
	defer leave()
	for range d / time.Millisecond {
		time.Sleep(time.Millisecond)
		if err := Pace(ctx); err != nil {
			t.Error(err)
		}
	}
	return time.Since(start)
}

func TestOneTurnAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		start := time.Now()
		var wg sync.WaitGroup
		for k := range 5 {
			wg.Go(func() { work(t, q, strconv.Itoa(k), 100*time.Millisecond) })
		}
		wg.Wait()
		if took := time.Since(start); took != 500*time.Millisecond {
			t.Fatalf("five turns of 100 ms took %v, want 500 ms", took)
		}
	})
}

func TestShortWorkDoesNotWaitForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { work(t, q, "greedy", time.Second) })
		}
		time.Sleep(100 * time.Millisecond)
		for range 10 {
			if took := work(t, q, "modest", time.Millisecond); took > Slice+2*time.Millisecond {
				t.Errorf("1 ms of work beside 20 pieces of a second took %v", took)
			}
			time.Sleep(5 * time.Millisecond)
		}
		wg.Wait()
	})
}

func TestClientsShareEvenly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		var wg sync.WaitGroup
		var one time.Duration
		for range 9 { // nine pieces of one client, one of the other
			wg.Go(func() { work(t, q, "nine", time.Second) })
		}
		wg.Go(func() { one = work(t, q, "one", time.Second) })
		wg.Wait()
		if one > 2*time.Second+2*Slice {
			t.Fatalf("a second of work beside one other client took %v, want 2 s", one)
		}
	})
}

// Of the work of one client, the work that has used least time runs first.
func TestWorkOfOneClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		var wg sync.WaitGroup
		for range 9 {
			wg.Go(func() { work(t, q, "hall", time.Second) })
		}
		time.Sleep(500 * time.Millisecond)
		if took := work(t, q, "hall", 3*Slice); took > 8*Slice {
			t.Errorf("%v of work beside nine that have run for long took %v", 3*Slice, took)
		}
		wg.Wait()
	})
}

func TestTimeWithoutWorkEarnsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		work(t, q, "old", 10*time.Millisecond)
		work(t, q, "busy", 10*time.Second)
		var wg sync.WaitGroup
		var old, busy time.Duration
		wg.Go(func() { busy = work(t, q, "busy", time.Second) })
		wg.Go(func() { old = work(t, q, "old", time.Second) })
		wg.Wait()
		if old < 1900*time.Millisecond || busy > 2200*time.Millisecond {
			t.Fatalf("old took %v and busy %v, want 2 s for both", old, busy)
		}
	})
}

func TestCancelledWaiterLeavesTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		_, leave, _ := q.Enter(t.Context())
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, _, err := q.Enter(ctx)
			failed <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		leave()
		work(t, q, "next", time.Millisecond)
	})
}

func TestPaceStopsCancelledWork(t *testing.T) {
	q := New(1)
	ctx, cancel := context.WithCancel(t.Context())
	turn, leave, err := q.Enter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := Pace(turn); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := Pace(turn); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v after the context was cancelled", err)
	}
	leave()
	work(t, q, "next", time.Millisecond)
}

func TestCancelledWhileOthersHaveTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		ctx, cancel := context.WithCancel(t.Context())
		turn, leave, _ := q.Enter(ctx)
		go work(t, q, "other", time.Second)
		synctest.Wait()
		time.Sleep(Slice)
		time.AfterFunc(Slice/2, cancel)
		if err := Pace(turn); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want that the work was cancelled", err)
		}
		leave()
		time.Sleep(2 * time.Second)
		work(t, q, "next", time.Millisecond)
	})
}

func TestNestedEnterNeedsNoSecondTurn(t *testing.T) {
	q := New(1)
	ctx, leave, _ := q.Enter(t.Context())
	again, leaveAgain, err := q.Enter(ctx)
	if err != nil || again != ctx {
		t.Fatalf("a nested turn gave %v", err)
	}
	leaveAgain()
	leave()
}

func TestOutsideLetsOthersWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		ctx, leave, _ := q.Enter(t.Context())
		defer leave()
		err := Outside(ctx, func() {
			if took := work(t, q, "other", 10*time.Millisecond); took != 10*time.Millisecond {
				t.Errorf("10 ms of work took %v while the turn was given away", took)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestGoroutinesShareATurn(t *testing.T) {
	q := New(1)
	ctx, leave, _ := q.Enter(WithClient(t.Context(), "one"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				time.Sleep(time.Millisecond)
				if err := Pace(ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	other := make(chan time.Duration)
	go func() { other <- work(t, q, "two", 5*time.Millisecond) }()
	wg.Wait()
	leave()
	<-other
	work(t, q, "three", time.Millisecond) // the turn was returned exactly once
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	if q.free != 1 {
		t.Fatalf("%d turns are free, want 1", q.free)
	}
}

func TestOverdueTurnIsLent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		_, leave, _ := q.Enter(t.Context()) // and never calls Pace
		for range 3 {
			if took := work(t, q, "other", 10*time.Millisecond); took > Overdue+10*time.Millisecond {
				t.Errorf("10 ms of work beside a turn that is not given away took %v", took)
			}
		}
		leave()
		var wg sync.WaitGroup
		start := time.Now()
		for range 2 {
			wg.Go(func() { work(t, q, "two", 10*time.Millisecond) })
		}
		wg.Wait()
		if took := time.Since(start); took != 20*time.Millisecond {
			t.Errorf("two pieces of 10 ms took %v, want one after the other", took)
		}
	})
}

func TestWaitingIsBounded(t *testing.T) {
	q := New(1)
	_, leave, _ := q.Enter(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range WaitingMax + 1 { // one is admitted in place of the overdue turn
		wg.Go(func() { q.Enter(ctx) })
	}
	for waits := 0; waits < WaitingMax; {
		time.Sleep(time.Millisecond)
		q.pool.mu.Lock()
		waits = len(q.waiting)
		q.pool.mu.Unlock()
	}
	if _, _, err := q.Enter(t.Context()); !errors.Is(err, ErrBusy) {
		t.Fatalf("got %v with %d waiting", err, WaitingMax)
	}
	cancel()
	wg.Wait()
	leave()
}

func TestClientsAreForgotten(t *testing.T) {
	q := New(1)
	for k := range 3 * clientsMax {
		_, leave, err := q.Enter(WithClient(t.Context(), strconv.Itoa(k)))
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	if n := len(q.clients); n > clientsMax {
		t.Fatalf("%d clients are remembered, at most %d expected", n, clientsMax)
	}
}

func BenchmarkPace(b *testing.B) {
	q := New(1)
	ctx, leave, _ := q.Enter(b.Context())
	defer leave()
	for b.Loop() {
		Pace(ctx)
	}
}
