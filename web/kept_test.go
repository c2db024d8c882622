package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// slowly returns a computation that takes d, and how often it ended and with which error.
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

// asks waits for a result as a request does, whose client leaves after so long.
func asks[T any](t *testing.T, k *kept[T], from func(context.Context) (T, error), leaves time.Duration) error {
	client, leave := context.WithCancel(t.Context())
	defer leave()
	defer time.AfterFunc(leaves, leave).Stop()
	ctx, cancel := context.WithTimeout(client, answerWait)
	defer cancel()
	_, err := k.of(ctx, "key", from)
	return err
}

// What takes longer than a request waits is computed once, over several requests.
func TestComputedOverSeveralRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKept[int](newMakers(), 1)
		from, ended := slowly(30 * time.Second)
		for tries := 1; ; tries++ {
			began := time.Now()
			err := asks(t, k, from, time.Hour)
			if time.Since(began) > answerWait {
				t.Errorf("answered after %s", time.Since(began))
			}
			if err == nil && tries == 3 {
				break
			}
			if !errors.Is(err, errComputing) || tries > 3 {
				t.Fatalf("try %d: %v", tries, err)
			}
			time.Sleep(computingRetry)
		}
		if got, err := k.of(t.Context(), "key", nil); got != 7 || err != nil || len(*ended) != 1 {
			t.Errorf("%d, %v; computed %v", got, err, *ended)
		}
	})
}

// What no request waits for is not computed to its end: at once if the clients have
// disconnected, after makingIdle if they were asked to try again.
func TestComputingEndsWithoutRequests(t *testing.T) {
	for what, c := range map[string]struct{ leaves, ends time.Duration }{
		"disconnected": {time.Second, time.Second},
		"asked again":  {time.Hour, answerWait + makingIdle},
	} {
		synctest.Test(t, func(t *testing.T) {
			k := newKept[int](newMakers(), 1)
			from, ended := slowly(time.Hour)
			began := time.Now()
			asks(t, k, from, c.leaves)
			k.makers.running.Wait()
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

// A computation is cut after makingWait, with an error of its own, also while it is asked
// for all the time.
func TestComputingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKept[int](newMakers(), 1)
		from, ended := slowly(time.Hour)
		began, err := time.Now(), errComputing
		for errors.Is(err, errComputing) {
			err = asks(t, k, from, time.Hour)
		}
		if took := time.Since(began); took != makingWait || !errors.Is(err, errTakesLong) || len(*ended) != 1 {
			t.Errorf("%v after %s", err, took)
		}
	})
}

// At most MakingsMax results are being made; shutdown ends them.
func TestComputingsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMakers()
		k := newKept[int](m, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		from := func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }
		for i := range MakingsMax {
			go k.of(ctx, string(rune('a'+i)), from)
		}
		synctest.Wait()
		if _, err := k.of(ctx, "one more", from); !errors.Is(err, fairqueue.ErrBusy) {
			t.Errorf("one more: %v", err)
		}
		m.shutdown(t.Context())
		synctest.Wait()
		if len(m.places) != 0 || len(k.making) != 0 {
			t.Errorf("%d places, %d makings are left", len(m.places), len(k.making))
		}
	})
}
