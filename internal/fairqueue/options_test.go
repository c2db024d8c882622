package fairqueue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A client that has used somewhat more than its share does not wait for many new clients, because
// these are charged at their start.
func TestNewClientsGoBehindModestOnes(t *testing.T) {
	for entry, most := range map[time.Duration]time.Duration{0: time.Second, 20 * time.Millisecond: Slice + 2*time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			q := NewWith(Options{Turns: 1, Entry: entry})
			work(t, q, "modest", 15*time.Millisecond)
			var wg sync.WaitGroup
			for k := range 30 {
				wg.Go(func() { work(t, q, fmt.Sprint("new", k), 10*time.Millisecond) })
			}
			synctest.Wait()
			took := work(t, q, "modest", time.Millisecond)
			wg.Wait()
			if took > most || entry == 0 && took < most/5 {
				t.Errorf("with an entry of %v, 1 ms of work beside 30 new clients took %v", entry, took)
			}
		})
	}
}

// A client with short slices does not wait for others that arrived at the same time.
func TestShortSlicesGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		work(t, q, "brief", time.Millisecond)
		work(t, q, "other", 30*time.Millisecond)
		work(t, q, "other", time.Millisecond) // begins after all that brief has used
		var wg sync.WaitGroup
		for k := range 30 {
			wg.Go(func() { work(t, q, fmt.Sprint("new", k), 10*time.Millisecond) })
		}
		synctest.Wait()
		if took := work(t, q, "brief", time.Millisecond); took > Slice+time.Millisecond {
			t.Errorf("1 ms of work beside 30 new clients took %v, want at most one slice more", took)
		}
		wg.Wait()
	})
}

// A turn lasts as long as the queue's slice if others wait.
func TestSliceOfAQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewWith(Options{Turns: 1, Slice: 3 * time.Millisecond})
		var wg sync.WaitGroup
		wg.Go(func() { work(t, q, "long", 100*time.Millisecond) })
		synctest.Wait()
		if took := work(t, q, "short", time.Millisecond); took != 4*time.Millisecond {
			t.Errorf("1 ms of work took %v, want 4 ms", took)
		}
		wg.Wait()
	})
}

// Work that enters another queue gives up its turn until it leaves that queue.
func TestTurnOfAnotherQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, inner := New(1), New(1)
		ctx, leave, err := outer.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		within, leaveInner, err := inner.Enter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if took := work(t, outer, "other", 5*time.Millisecond); took != 5*time.Millisecond {
			t.Errorf("5 ms of work in the outer queue took %v", took)
		}
		if err := Pace(within); err != nil {
			t.Error(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { work(t, outer, "long", 5*time.Millisecond) })
		synctest.Wait()
		before := time.Now()
		leaveInner()
		leaveInner()
		if took := time.Since(before); took != 5*time.Millisecond {
			t.Errorf("leaving waited %v for the outer turn, want 5 ms", took)
		}
		wg.Wait()
		leave()
		work(t, outer, "last", time.Millisecond) // both queues are free again
		work(t, inner, "last", time.Millisecond)
	})
}

// If the context ends while work waits for its outer turn, Pace returns an error, and the queues
// stay usable.
func TestOuterTurnIsNotTakenAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, inner := New(1), New(1)
		ctx, cancel := context.WithCancel(t.Context())
		turn, leave, err := outer.Enter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, leaveInner, err := inner.Enter(turn)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { work(t, outer, "long", 50*time.Millisecond) })
		synctest.Wait()
		cancel()
		leaveInner()
		if err := Pace(turn); !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v", err)
		}
		leave()
		wg.Wait()
		work(t, outer, "last", time.Millisecond)
	})
}

// A writer gives up the turn between two writes, and ends with the context.
func TestWriterPaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		ctx, cancel := context.WithCancel(t.Context())
		turn, leave, err := q.Enter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		var wg sync.WaitGroup
		wg.Go(func() { work(t, q, "other", time.Millisecond) })
		synctest.Wait()
		time.Sleep(Slice)
		var b bytes.Buffer
		w := Writer(turn, &b)
		before := time.Now()
		if _, err := w.Write([]byte("text")); err != nil || b.String() != "text" || time.Since(before) != time.Millisecond {
			t.Errorf("%q after %v: %v", b.String(), time.Since(before), err)
		}
		cancel()
		if n, err := w.Write([]byte("more")); n != 0 || !errors.Is(err, context.Canceled) || b.String() != "text" {
			t.Errorf("%d bytes, error %v", n, err)
		}
		wg.Wait()
	})
}
