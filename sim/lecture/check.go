package lecture

import (
	"context"
	"errors"
	"slices"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Checker finds the stops of a lecture that do not exist. It is not safe for concurrent use.
type Checker struct {
	Store *sim.Store

	lecture  *Lecture
	programs map[string]*program.Program // by name or digest
}

// Check returns an error for each stop that does not exist, with the path of the wrong field.
func (c *Checker) Check(ctx context.Context, l *Lecture) []error {
	c.lecture, c.programs = l, map[string]*program.Program{}
	var faults []error
	for i := range l.Stops {
		if err := c.stop(ctx, &l.Stops[i]); err != nil {
			if ctx.Err() != nil {
				return []error{ctx.Err()}
			}
			faults = append(faults, texts.Below(StopPath(i), err))
		}
	}
	return faults
}

// stop checks one stop.
func (c *Checker) stop(ctx context.Context, s *Stop) error {
	run, err := c.Open(ctx, c.lecture, s)
	if err != nil {
		return err
	}
	p := run.Program()
	if s.Seq != nil {
		n, err := run.EndSeq(ctx)
		if err != nil {
			return err
		}
		if *s.Seq < 1 || *s.Seq > n {
			return faultIn("seq", "%d is not an event of the run, which has %d", *s.Seq, n)
		}
	}
	lanes := slices.Clone(s.Lanes)
	if s.Lane != "" {
		lanes = append(lanes, s.Lane)
	}
	for _, id := range lanes {
		if !slices.ContainsFunc(p.Scenario.Lanes, func(l scenario.LaneSpec) bool { return l.ID == id }) {
			return faultIn("lane", "%q is not a lane of the scenario", texts.Clip(id))
		}
	}
	if s.Follow != "" {
		if _, ok := p.Named(s.Follow); !ok {
			return faultIn("follow", "%q is not a timer of the scenario", texts.Clip(s.Follow))
		}
	}
	a := &quiz.Quiz{Run: run}
	if _, err := s.Values(ctx, a, s.At()); err != nil {
		return queryFault("facts", err)
	}
	if s.Ask != nil {
		if _, err := s.Asked(ctx, a, s.At()); err != nil {
			return queryFault("ask", err)
		}
	}
	return nil
}

// queryFault returns the error for a query that the run does not answer.
func queryFault(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return faultIn(path, "%s", err.Error())
}

// Open opens the run of a stop, with its edit.
func (c *Checker) Open(ctx context.Context, l *Lecture, s *Stop) (*sim.Run, error) {
	if c.lecture != l {
		c.lecture, c.programs = l, map[string]*program.Program{}
	}
	p, err := c.program(s)
	if err != nil {
		return nil, err
	}
	if s.Tick != nil && (*s.Tick < 0 || *s.Tick > p.Until) {
		return nil, faultIn("tick", "%d is not a tick of the scenario, which ends at %d", *s.Tick, p.Until)
	}
	if s.Edit != nil {
		op, err := p.Scenario.DecodeOp(*s.Edit, *s.Tick)
		if err != nil {
			return nil, texts.Below("edit", err)
		}
		if !op.Kind.Named() {
			return nil, faultIn("edit.op", "%q is not one of %s", op.Kind.String(), "schedule, set, cancel, reset")
		}
		if p, err = program.Plan(p.Scenario.WithOp(op)); err != nil {
			return nil, texts.Below("edit", err)
		}
	}
	return c.Store.Open(ctx, p)
}

// program returns the program of a stop's scenario, without the edit.
func (c *Checker) program(s *Stop) (*program.Program, error) {
	key := s.Scenario + s.Run
	if p := c.programs[key]; p != nil {
		return p, nil
	}
	data, ok := library.Builtin(s.Scenario)
	if !ok && s.Run == "" {
		return nil, faultIn("scenario", "%q is not the name of a built-in scenario", texts.Clip(s.Scenario))
	}
	if s.Run != "" {
		data = c.lecture.Scenarios[s.Run]
	}
	p, err := program.Load(data)
	if err != nil {
		return nil, texts.Below("run", err)
	}
	if s.Run != "" && p.Digest()[:sim.DigestShort] != s.Run {
		return nil, faultIn("run", "%s is the digest of the scenario in the file, not %s", p.Digest()[:sim.DigestShort], texts.Clip(s.Run))
	}
	c.programs[key] = p
	return p, nil
}
