package engine

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// A Recorder runs the source of lane i of p, an own wheel, to the end and returns its answers. It stops when ctx is done.
type Recorder func(ctx context.Context, p *program.Program, i int) (*recorded.Log, error)

// recorder runs sources. It has nil in a program that cannot run any.
var recorder atomic.Pointer[Recorder]

// RecordOwnWith sets what runs the sources of own wheels in this process, and returns a function that undoes it. Without it, or
// with nil, a scenario with an own wheel is an error.
func RecordOwnWith(r Recorder) (undo func()) {
	before := recorder.Swap(&r)
	return func() { recorder.Store(before) }
}

// Errors of scenarios with own wheels where their sources are not run.
var (
	ErrNoOwn      error = texts.Errorf(texts.Unprocessable, "", "the scenario has a wheel in JavaScript, which does not run here: use the command line (wheelscope serve, run or try)")
	ErrOwnRefused error = texts.Errorf(texts.Forbidden, "", "this server runs no JavaScript of visitors (serve --own): use the command line (wheelscope serve, run or try)")
)

// ErrOwnAsk is the error of RecordOwn under a context of AskOwn.
var ErrOwnAsk error = texts.Errorf(texts.Unprocessable, "", "the scenario brings a wheel in JavaScript along, which runs only if the user agrees")

type askKey struct{}

// AskOwn returns a context under which sources are not run: RecordOwn returns ErrOwnAsk instead.
func AskOwn(ctx context.Context) context.Context { return context.WithValue(ctx, askKey{}, true) }

// RecordsOwn reports whether RecordOwn would run a source of p under ctx: the user has agreed, and it has not been done.
func RecordsOwn(ctx context.Context, p *program.Program) bool {
	if ctx.Value(askKey{}) != nil {
		return false
	}
	for i := range p.Scenario.Lanes {
		if p.Scenario.Lanes[i].Algorithm == recorded.ID {
			if log, _ := p.Recorded(i, nil); log == nil {
				return true
			}
		}
	}
	return false
}

// RefuseOwn is a Recorder that refuses every source.
func RefuseOwn(context.Context, *program.Program, int) (*recorded.Log, error) {
	return nil, ErrOwnRefused
}

// RecordOwn runs the sources of the own wheels of p, unless it has been done, so that NewEngine does not have to. It returns an
// error, and keeps nothing, if ctx is done or a source fails.
func RecordOwn(ctx context.Context, p *program.Program) error {
	for i := range p.Scenario.Lanes {
		if p.Scenario.Lanes[i].Algorithm == recorded.ID {
			if _, err := p.Recorded(i, func() (*recorded.Log, error) { return record(ctx, p, i) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func record(ctx context.Context, p *program.Program, i int) (*recorded.Log, error) {
	if ctx.Value(askKey{}) != nil {
		return nil, ErrOwnAsk
	}
	r := recorder.Load()
	if r == nil || *r == nil {
		return nil, ErrNoOwn
	}
	log, err := (*r)(ctx, p, i)
	switch {
	case err == nil || errors.Is(err, ErrOwnRefused):
		return log, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, texts.Errorf(texts.Unprocessable, scenario.PathAt("lanes", i)+".source", "the wheel of lane %s failed: %s", scenario.Quote(p.Scenario.Lanes[i].ID), err.Error())
}

// RunSource runs s, the source of lane i of p, to the end and returns its answers. levels are those that s has told.
func RunSource(ctx context.Context, p *program.Program, i int, s recorded.Source, levels []wheel.Level) (*recorded.Log, error) {
	l, err := buildLane(p, &p.Scenario.Lanes[i])
	if err != nil {
		return nil, err
	}
	log := recorded.NewLog(levels, p.Estimate().OwnBytes)
	w := l.Wheel.(*recorded.Wheel)
	w.Record(s, log)
	l.Bind(ctx)
	for l.Err == nil && w.Err() == nil && l.next < len(p.Ops) && p.Ops[l.next].At <= p.Until {
		l.FinishTick(p.Ops[l.next].At)
	}
	l.Idle(p.Until)
	if w.Err() != nil {
		return nil, w.Err()
	}
	return log, l.Err
}
