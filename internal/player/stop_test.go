package player

import (
	"context"
	"errors"
	"io"
	"testing"
)

// countdown is a context that is cancelled after a number of looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A file of a run whose events fall in two ticks stops within them.
func TestWriteStopsWithinTick(t *testing.T) {
	run := runOf(t, `{"wheelscope":1,"until":2,"lanes":[{"algorithm":"rounds","slots":8}],"workload":{"generate":[
		{"prefix":"t","seed":1,"count":20000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":1}}]}}`)
	events, err := run.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	looks := &countdown{context.Background(), 1 << 30}
	if err := Write(looks, io.Discard, run, Options{}); err != nil {
		t.Fatal(err)
	}
	n := 1<<30 - looks.left
	if want := 2 * int(events) / (2 * lookEvents); n < want {
		t.Errorf("%d looks at the context for %d events noted and written, want %d", n, events, want)
	}
	for _, at := range []int{n / 8, n / 4, n / 2, n - 1} {
		c := &countdown{context.Background(), at}
		if err := Write(c, io.Discard, run, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("look %d of %d: %v", at, n, err)
		}
		if c.left < -3 {
			t.Errorf("look %d of %d: %d more", at, n, -c.left-1)
		}
	}
}
