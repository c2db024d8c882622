package api

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// slowly returns a computation that takes d, and the errors with which it ended so far.
func slowly(d time.Duration) (from func(context.Context) (int, error), ended *[]error) {
	ended = new([]error)
	return func(ctx context.Context) (int, error) {
		var err error
		select {
		case <-time.After(d):
		case <-ctx.Done():
			err = ctx.Err()
		}
		*ended = append(*ended, err)
		return 7, err
	}, ended
}

// intBytes returns the assumed memory of a result of slowly.
func intBytes(int) int64 { return 1000 }

// asks waits for a result like a request whose client disconnects after a given time.
func asks[T any](t *testing.T, k *cache[T], from func(context.Context) (T, error), leaves time.Duration) error {
	client, leave := context.WithCancel(t.Context())
	defer leave()
	defer time.AfterFunc(leaves, leave).Stop()
	ctx, cancel := context.WithTimeout(client, protocol.AnswerWait)
	defer cancel()
	_, err := k.get(ctx, "key", from)
	return err
}

// A computation longer than a request's wait is done once, over several requests.
func TestComputedOverSeveralRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newCache(newComputePool(sim.NewStore(sim.StoreOptions{})), 1, intBytes)
		from, ended := slowly(30 * time.Second)
		for tries := 1; ; tries++ {
			began := time.Now()
			err := asks(t, k, from, time.Hour)
			if time.Since(began) > protocol.AnswerWait {
				t.Errorf("answered after %s", time.Since(began))
			}
			if err == nil && tries == 3 {
				break
			}
			if !errors.Is(err, ErrComputing) || tries > 3 {
				t.Fatalf("try %d: %v", tries, err)
			}
			time.Sleep(2 * time.Second)
		}
		if got, err := k.get(t.Context(), "key", nil); got != 7 || err != nil || len(*ended) != 1 {
			t.Errorf("%d, %v; computed %v", got, err, *ended)
		}
	})
}

// A computation without waiting requests is cancelled: at once if the clients have disconnected,
// after makingIdle if they were asked to retry.
func TestComputingEndsWithoutRequests(t *testing.T) {
	for what, c := range map[string]struct{ leaves, ends time.Duration }{
		"disconnected": {time.Second, time.Second},
		"asked again":  {time.Hour, protocol.AnswerWait + makingIdle},
	} {
		synctest.Test(t, func(t *testing.T) {
			k := newCache(newComputePool(sim.NewStore(sim.StoreOptions{})), 1, intBytes)
			from, ended := slowly(time.Hour)
			began := time.Now()
			asks(t, k, from, c.leaves)
			k.pool.running.Wait()
			if took := time.Since(began); took != c.ends || len(*ended) != 1 || !errors.Is((*ended)[0], context.Canceled) {
				t.Errorf("%s: ended after %s with %v, want %s", what, took, *ended, c.ends)
			}
			quick, _ := slowly(0)
			if err := asks(t, k, quick, time.Hour); err != nil {
				t.Errorf("%s: then asked again: %v", what, err)
			}
		})
	}
}

// A computation is cancelled after MakingWait, with its own error, even if requests for it keep
// coming.
func TestComputingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newCache(newComputePool(sim.NewStore(sim.StoreOptions{})), 1, intBytes)
		from, ended := slowly(time.Hour)
		began, err := time.Now(), ErrComputing
		for errors.Is(err, ErrComputing) {
			err = asks(t, k, from, time.Hour)
		}
		if took := time.Since(began); took != MakingWait || !errors.Is(err, ErrTakesLong) || len(*ended) != 1 {
			t.Errorf("%v after %s", err, took)
		}
	})
}

// At most MakingsMax results are being computed; shutdown cancels them.
func TestComputingsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newComputePool(sim.NewStore(sim.StoreOptions{}))
		k := newCache(m, 1, intBytes)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		from := func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }
		for i := range MakingsMax {
			go k.get(ctx, string(rune('a'+i)), from)
		}
		synctest.Wait()
		if _, err := k.get(ctx, "one more", from); !errors.Is(err, fairqueue.ErrBusy) {
			t.Errorf("one more: %v", err)
		}
		m.shutdown(t.Context())
		synctest.Wait()
		if len(m.places) != 0 || len(k.computing) != 0 {
			t.Errorf("%d places, %d makings are left", len(m.places), len(k.computing))
		}
	})
}

// The memory of cached results is reserved, and they are dropped if it is needed.
func TestKeptResultsTakeMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := budget.New(1 << 30)
		k := newCache(newComputePool(sim.NewStore(sim.StoreOptions{Memory: memory})), 3, intBytes)
		before := memory.Used()
		for _, key := range []string{"a", "b", "c", "d", "d"} {
			if _, err := k.get(t.Context(), key, func(context.Context) (int, error) { return 7, nil }); err != nil {
				t.Fatal(err)
			}
		}
		if took := memory.Used() - before; took != 3*intBytes(0) {
			t.Errorf("three results take %d bytes of the budget, want %d", took, 3*intBytes(0))
		}
		if _, err := memory.Reserve(memory.Free() + intBytes(0) + 1); err != nil {
			t.Errorf("results keep memory that is needed: %v", err)
		}
		if keys := k.results.Keys(); len(keys) != 1 || keys[0] != "d" {
			t.Errorf("%q are kept, want the one used last", keys)
		}
		full := newCache(newComputePool(sim.NewStore(sim.StoreOptions{Memory: budget.New(1)})), 3, intBytes)
		if got, err := full.get(t.Context(), "a", func(context.Context) (int, error) { return 7, nil }); got != 7 || err != nil || full.results.Len() != 0 {
			t.Errorf("without memory: %d, %v, %d kept", got, err, full.results.Len())
		}
	})
}

// Cached comparisons and digests of traces count towards the budget.
func TestCachedAnswersAreInTheBudget(t *testing.T) {
	memory := budget.New(1 << 30)
	store := sim.NewStore(sim.StoreOptions{Memory: memory})
	defer store.Close()
	a := NewAnswers(session.NewLibrary(store, nil))
	defer a.Shutdown(context.Background())
	compareAgain := func() string {
		run := openRun(t, a, "cascade-storm")
		comparison, err := a.Compare(t.Context(), run, "en")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Digest(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(comparison)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := compareAgain()
	for i, k := range []interface{ reclaim(int64) bool }{a.charts, a.digests} {
		used := memory.Used()
		if !k.reclaim(1) || memory.Used() >= used {
			t.Errorf("%d: what is cached takes no memory", i)
		}
	}
	compareAgain()
	fill(memory)()
	if n := a.charts.results.Len() + a.digests.results.Len(); n != 0 {
		t.Errorf("%d answers are cached though their memory is needed", n)
	}
	if again := compareAgain(); again != first { // the run was dropped, too
		t.Errorf("%.80q, want %.80q", again, first)
	}
}

// openRun returns the computed run of a built-in scenario, which may be dropped afterwards.
func openRun(t *testing.T, a *Answers, name string) *sim.Run {
	t.Helper()
	p, err := a.library.Program(name)
	if err != nil {
		t.Fatal(err)
	}
	run, err := a.library.Store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	return run
}

// fill reserves all memory of a budget until release is called.
func fill(memory *budget.Budget) (release func()) {
	var all []*budget.Reservation
	for bytes := int64(64 << 20); bytes >= 64<<10; bytes /= 4 {
		for mem, err := memory.Reserve(bytes); err == nil; mem, err = memory.Reserve(bytes) {
			all = append(all, mem)
		}
	}
	return func() {
		for _, mem := range all {
			mem.Release()
		}
	}
}
