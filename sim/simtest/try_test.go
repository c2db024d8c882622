package simtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/simtest"
)

// mine is a wheel of one level that counts rounds.
type mine struct {
	now   int64
	slots [][]pending
	wrong bool
}

type pending struct{ key, rounds int64 }

func (w *mine) Schedule(key, due int64) bool {
	n := int64(len(w.slots))
	rounds := (due - w.now - 1) / n
	if w.wrong {
		rounds = (due - w.now) / n
	}
	w.slots[due%n] = append(w.slots[due%n], pending{key, rounds})
	return true
}

func (w *mine) Cancel(key int64) bool {
	for i, slot := range w.slots {
		if at := slices.IndexFunc(slot, func(p pending) bool { return p.key == key }); at >= 0 {
			w.slots[i] = slices.Delete(slot, at, at+1)
			return true
		}
	}
	return false
}

func (w *mine) Advance(to int64) (fired []int64) {
	for w.now < to {
		w.now++
		slot := &w.slots[w.now%int64(len(w.slots))]
		rest := (*slot)[:0]
		for _, p := range *slot {
			if p.rounds == 0 {
				fired = append(fired, p.key)
			} else {
				rest = append(rest, pending{p.key, p.rounds - 1})
			}
		}
		*slot = rest
	}
	return fired
}

func TestTry(t *testing.T) {
	simtest.Try(t, func(start int64, p own.Params) own.Wheel {
		return &mine{now: start, slots: make([][]pending, p.Slots)}
	}, own.Options{})
}

// failures collects the errors of a test.
type failures struct {
	testing.TB
	text []string
}

func (f *failures) Errorf(format string, args ...any) {
	f.text = append(f.text, fmt.Sprintf(format, args...))
}

func TestTryFindsAMistake(t *testing.T) {
	f := &failures{TB: t}
	simtest.Try(f, func(start int64, p own.Params) own.Wheel {
		return &mine{now: start, slots: make([][]pending, p.Slots), wrong: true}
	}, own.Options{})
	want := "boundaries: late: after advance(8), timer 1 (due 8) has not fired; it was scheduled at 0, and fires at 16, 8 ticks late\n  create(0)\n  schedule(1, 8)\n  advance(8)"
	if len(f.text) == 0 || f.text[0] != want {
		t.Errorf("%s\nwant %s", strings.Join(f.text, "\n"), want)
	}
}
