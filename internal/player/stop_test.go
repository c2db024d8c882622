package player

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
)

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context
	left atomic.Int64 // a trace is written by a goroutine of its own
}

func newCountdown(left int64) *countdown {
	c := &countdown{Context: context.Background()}
	c.left.Store(left)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// looksMore is how many more checks the engine, the writer and waiting goroutines may make.
const looksMore = 12

// A file whose events fall in two ticks stops within them.
func TestWriteStopsWithinTick(t *testing.T) {
	run := runOf(t, `{"wheelscope":1,"until":2,"lanes":[{"algorithm":"rounds","slots":8}],"workload":{"generate":[
		{"prefix":"t","seed":1,"count":20000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":1}}]}}`)
	events, err := run.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	looks := newCountdown(1 << 30)
	if err := Write(looks, io.Discard, run, Options{}); err != nil {
		t.Fatal(err)
	}
	n := 1<<30 - looks.left.Load()
	if want := 2 * events / (2 * lookEvents); n < want {
		t.Errorf("%d looks at the context for %d events noted and written, want %d", n, events, want)
	}
	for _, at := range []int64{n / 8, n / 4, n / 2, n - 1} {
		c := newCountdown(at)
		if err := Write(c, io.Discard, run, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("look %d of %d: %v", at, n, err)
		}
		if left := c.left.Load(); left < -looksMore {
			t.Errorf("look %d of %d: %d more", at, n, -left-1)
		}
	}
}
