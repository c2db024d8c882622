package export

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// oneTick schedules 100,000 timers at tick 0 that all fire at tick 1.
const oneTick = `{"wheelscope":1,"until":2,"lanes":[{"algorithm":"rounds","slots":8}],"workload":{"generate":[
	{"prefix":"t","seed":1,"count":100000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":1}}]}}`

// countdown is a context that is cancelled after a number of calls of Err.
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

// An export stops within a tick: it checks the context before each part of the tick's records.
func TestStopsWithinTick(t *testing.T) {
	p, err := program.Load([]byte(oneTick))
	if err != nil {
		t.Fatal(err)
	}
	const partsMin = 200_000 / 8192 // of one pass, with one check each
	for _, as := range Formats() {
		looks := &countdown{t.Context(), 1 << 30}
		if err := Write(looks, io.Discard, p, as, Options{}); err != nil {
			t.Fatal(err)
		}
		n := 1<<30 - looks.left
		if n < 2*partsMin {
			t.Errorf("%s: %d looks at the context in two passes over 200,000 events, want %d", as, n, 2*partsMin)
		}
		for _, at := range []int{1, n / 4, n / 2, n - 1} {
			c := &countdown{t.Context(), at}
			if err := Write(c, io.Discard, p, as, Options{}); !errors.Is(err, context.Canceled) || c.left != -1 {
				t.Errorf("%s, look %d of %d: %v after %d more", as, at, n, err, -c.left-1)
			}
		}
	}
}
