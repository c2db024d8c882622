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

// OwnWheel is what a Starter starts: a source, and the parameters of its wheel.
type OwnWheel struct {
	Source        string
	Start         wheel.Tick
	Slots, Levels int
}

// A Starter starts the source of an own wheel and returns it with its levels, or no levels if it tells no places. The source is
// ended by end, or when ctx is done.
type Starter func(ctx context.Context, w OwnWheel) (s recorded.Source, levels []wheel.Level, end func(), err error)

// starter starts sources. It has nil in a program that cannot run any.
var starter atomic.Pointer[Starter]

// StartOwnWith sets what starts the sources of own wheels in this process, and returns a function that undoes it. Without it, or
// with nil, a scenario with an own wheel is an error.
func StartOwnWith(s Starter) (undo func()) {
	before := starter.Swap(&s)
	return func() { starter.Store(before) }
}

// Errors of scenarios with own wheels where their sources are not run.
var (
	ErrNoOwn      error = texts.Errorf(texts.Unprocessable, "", "the scenario has a wheel in JavaScript, which does not run here: use the command line (wheelscope serve, run or try)")
	ErrOwnRefused error = texts.Errorf(texts.Forbidden, "", "this server runs no JavaScript of visitors (serve --own): use the static site, or the command line (wheelscope serve, run or try)")
)

// ErrOwnAsk is the error of RecordOwn under a context of AskOwn.
var ErrOwnAsk error = texts.Errorf(texts.Unprocessable, "", "the scenario brings a wheel in JavaScript along, which runs only if the user agrees")

type askKey struct{}

// AskOwn returns a context under which sources are not run: RecordOwn returns ErrOwnAsk instead.
func AskOwn(ctx context.Context) context.Context { return context.WithValue(ctx, askKey{}, true) }

// RefuseOwn is a Starter that refuses every source.
func RefuseOwn(context.Context, OwnWheel) (recorded.Source, []wheel.Level, func(), error) {
	return nil, nil, nil, ErrOwnRefused
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

// record runs the source of lane i of p to the end and returns its answers.
func record(ctx context.Context, p *program.Program, i int) (*recorded.Log, error) {
	spec := &p.Scenario.Lanes[i]
	if ctx.Value(askKey{}) != nil {
		return nil, ErrOwnAsk
	}
	start := starter.Load()
	if start == nil || *start == nil {
		return nil, ErrNoOwn
	}
	failed := func(err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, ErrOwnRefused):
			return err
		}
		return texts.Errorf(texts.Unprocessable, scenario.PathAt("lanes", i)+".source", "the wheel of lane %s failed: %s", scenario.Quote(spec.ID), err.Error())
	}
	source, levels, end, err := (*start)(ctx, OwnWheel{spec.Params["source"].(string), p.Start, int(spec.Params["slots"].(int64)), int(spec.Params["levels"].(int64))})
	if err != nil {
		return nil, failed(err)
	}
	defer end()
	l, err := buildLane(p, spec)
	if err != nil {
		return nil, err
	}
	log := recorded.NewLog(levels, p.Estimate().OwnBytes)
	w := l.Wheel.(*recorded.Wheel)
	w.Record(source, log)
	l.Bind(ctx)
	for l.Err == nil && w.Err() == nil && l.next < len(p.Ops) && p.Ops[l.next].At <= p.Until {
		l.FinishTick(p.Ops[l.next].At)
	}
	l.Idle(p.Until)
	switch {
	case w.Err() != nil:
		return nil, failed(w.Err())
	case l.Err != nil:
		return nil, l.Err
	}
	return log, nil
}
