package timer

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// WithTimeout behaves like context.WithTimeout, to within a tick.
func TestWithTimeout(t *testing.T) {
	type key struct{}
	inBubble(t, func(t *testing.T, w *Wheel) {
		begun := time.Now()
		parent, end := context.WithCancel(context.WithValue(t.Context(), key{}, 7))
		make2 := func(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
			ctx, cancel := w.WithTimeout(parent, d)
			if at, ok := ctx.Deadline(); !ok || at.Sub(begun) > d || ctx.Value(key{}) != 7 {
				t.Errorf("deadline %v, %v", at.Sub(begun), ok)
			}
			return ctx, cancel
		}
		expired, cancel := make2(parent, time.Second)
		defer cancel()
		canceled, cancel := make2(parent, time.Minute)
		cancel()
		cancel()
		of, cancel := make2(parent, time.Minute)
		defer cancel()
		within, cancel := make2(expired, time.Minute)
		defer cancel()
		derived, cancel := context.WithCancel(expired)
		defer cancel()
		<-expired.Done()
		if d := time.Since(begun); d < time.Second || d > 1002*time.Millisecond {
			t.Errorf("it ended after %v", d)
		}
		synctest.Wait()
		end()
		synctest.Wait()
		for what, c := range map[string]struct {
			ctx  context.Context
			want error
		}{"expired": {expired, context.DeadlineExceeded}, "canceled": {canceled, context.Canceled}, "of a parent": {of, context.Canceled},
			"within": {within, context.DeadlineExceeded}, "derived": {derived, context.DeadlineExceeded}} {
			select {
			case <-c.ctx.Done():
			default:
				t.Errorf("%s: it has not ended", what)
			}
			if !errors.Is(c.ctx.Err(), c.want) || !errors.Is(context.Cause(c.ctx), c.want) {
				t.Errorf("%s: %v, cause %v", what, c.ctx.Err(), context.Cause(c.ctx))
			}
		}
		done, cancel := w.WithTimeout(parent, time.Second)
		defer cancel()
		if <-done.Done(); !errors.Is(done.Err(), context.Canceled) {
			t.Errorf("of a parent that is done: %v", done.Err())
		}
		if w.Pending() != 0 {
			t.Errorf("%d are pending", w.Pending())
		}
	})
}

// Contexts derived from one with a timeout need no goroutine.
func TestDerivedContextsNeedNoGoroutine(t *testing.T) {
	w := make1(t)
	defer w.Shutdown(t.Context())
	ctx, cancel := w.WithTimeout(context.Background(), time.Hour)
	before := runtime.NumGoroutine()
	var ends []context.CancelFunc
	for range 100 {
		_, end := context.WithCancel(ctx)
		ends = append(ends, end)
	}
	if n := runtime.NumGoroutine(); n > before+10 {
		t.Errorf("%d goroutines more", n-before)
	}
	for _, end := range ends[:50] {
		end()
	}
	if n := len(ctx.(*timeout).after); n != 50 {
		t.Errorf("%d are kept", n)
	}
	cancel()
	for _, end := range ends {
		end()
	}
}

// Deadlines and causes are those of package context.
func TestDeadlinesAndCauses(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		why := errors.New("why")
		type maker struct {
			name                  string
			timeout, timeoutCause func(context.Context, time.Duration) (context.Context, context.CancelFunc)
		}
		parent, end := context.WithCancelCause(t.Context())
		early, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ended, endNow := context.WithCancelCause(t.Context())
		endNow(why)
		var all [2][]context.Context
		begun := time.Now()
		for k, m := range []maker{
			{"context", context.WithTimeout, func(p context.Context, d time.Duration) (context.Context, context.CancelFunc) {
				return context.WithTimeoutCause(p, d, why)
			}},
			{"wheel", w.WithTimeout, func(p context.Context, d time.Duration) (context.Context, context.CancelFunc) {
				return w.WithTimeoutCause(p, d, why)
			}},
		} {
			for _, p := range []context.Context{parent, early, ended} {
				for _, d := range []time.Duration{-time.Second, 0, 500 * time.Millisecond, time.Minute, time.Hour} {
					for _, make := range []func(context.Context, time.Duration) (context.Context, context.CancelFunc){m.timeout, m.timeoutCause} {
						ctx, cancel := make(p, d)
						all[k] = append(all[k], ctx)
						if d == time.Minute {
							defer cancel()
						} else if d == time.Hour {
							cancel()
						}
					}
				}
			}
		}
		same := func() {
			t.Helper()
			synctest.Wait()
			for k, want := range all[0] {
				got := all[1][k]
				at, ok := got.Deadline()
				wantAt, wantOK := want.Deadline()
				if got.Err() != want.Err() || context.Cause(got) != context.Cause(want) || ok != wantOK || !at.Equal(wantAt) {
					t.Errorf("context %d after %v: %v, cause %v, deadline %v %v; want %v, cause %v, deadline %v %v", k, time.Since(begun),
						got.Err(), context.Cause(got), at.Sub(begun), ok, want.Err(), context.Cause(want), wantAt.Sub(begun), wantOK)
				}
			}
		}
		same()
		time.Sleep(600 * time.Millisecond)
		same()
		time.Sleep(time.Second)
		same()
		end(why)
		same()
	})
}
