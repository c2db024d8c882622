package script

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/sim/own"
)

// Judged makes wheels of a source for an exam. All of them share an interpreter.
type Judged struct {
	s   *script
	err error // of the source
}

// NewJudged runs the source. An error of it is the first fault of an exam. seed is that of Math.random, which begins anew with
// each wheel.
func NewJudged(name, source string, seed uint64) *Judged {
	s, err := compile(name, source, seed)
	return &Judged{s, err}
}

// Try judges the wheels.
func (j *Judged) Try(ctx context.Context, e *own.Exam) (*own.Result, error) {
	return e.Try(ctx, j.new, func() { j.s.vm.Interrupt(fmt.Errorf("no answer after %v", own.CallMax)) })
}

func (j *Judged) new(start int64, p own.Params) own.Wheel {
	if j.err != nil {
		own.Fail(j.err.Error())
	}
	if err := j.s.new(start, p.Slots, p.Levels); err != nil {
		own.Fail(err.Error())
	}
	levels, err := j.s.layout()
	if err != nil {
		own.Fail(err.Error())
	}
	if w := (&judged{j.s}); levels == nil {
		return w
	} else {
		return &placedJudged{w, levels}
	}
}

// judged is a wheel under judgement. Only the last one that was made may be used.
type judged struct{ s *script }

// Schedule implements own.Wheel.
func (w *judged) Schedule(key, due int64) bool { return w.yes("schedule", key, due) }

// Cancel implements own.Wheel.
func (w *judged) Cancel(key int64) bool { return w.yes("cancel", key) }

func (w *judged) yes(method string, args ...int64) bool {
	yes, err := w.s.yes(method, args...)
	if err != nil {
		own.Fail(err.Error())
	}
	return yes
}

// Advance implements own.Wheel.
func (w *judged) Advance(to int64) []int64 {
	keys, err := w.s.advance(to)
	if err != nil {
		own.Fail(err.Error())
	}
	list := make([]int64, len(keys))
	for i, key := range keys {
		if list[i] = int64(key); float64(list[i]) != key {
			own.Fail(fmt.Sprintf("it returned the key %v, which was never scheduled", key))
		}
	}
	return list
}

// Cost implements own.Coster.
func (w *judged) Cost() int64 {
	if !w.s.has("cost") {
		return -1
	}
	v, err := w.s.ask("cost")
	if err != nil {
		own.Fail(err.Error())
	}
	return v.ToInteger()
}

// placedJudged is a judged wheel that shows its places.
type placedJudged struct {
	*judged
	layout []own.Level
}

// Place implements own.Placer.
func (w *placedJudged) Place(key int64) own.Place {
	p, err := w.s.place(key)
	if err != nil {
		own.Fail(err.Error())
	}
	p.Rounds = max(p.Rounds, 0)
	return p
}

// Layout implements own.Placer.
func (w *placedJudged) Layout() []own.Level { return w.layout }
