package web

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
)

// stepUnknown says in a message that a run's steps are not numbered: it is not
// computed to its end yet, or too long for it.
const stepUnknown = -1

// stepAt is the number of the step that event seq belongs to, stepUnknown where
// steps have none.
func (s *session) stepAt(seq int64) int64 {
	step, _ := stepsOf(s.runner.Context(), s.run, seq)
	return step
}

// stepsInAll is how many steps the run has, stepUnknown where that is not known.
func (s *session) stepsInAll() int64 {
	_, steps := stepsOf(s.runner.Context(), s.run, 0)
	return steps
}

// stepsOf gives both.
func stepsOf(ctx context.Context, run *sim.Run, seq int64) (step, steps int64) {
	if step, steps, ok := run.StepNumber(ctx, seq); ok {
		return step, steps
	}
	return stepUnknown, stepUnknown
}
