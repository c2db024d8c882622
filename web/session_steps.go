package web

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
)

// stepUnknown is sent if a run's steps are not numbered: it is not computed to its end yet, or has
// too many steps.
const stepUnknown = -1

// stepAt returns the number of the step that event seq belongs to, or stepUnknown.
func (s *session) stepAt(seq int64) int64 {
	step, _ := stepsOf(s.runner.Context(), s.run, seq)
	return step
}

// stepsInAll returns the number of steps of the run, or stepUnknown.
func (s *session) stepsInAll() int64 {
	_, steps := stepsOf(s.runner.Context(), s.run, 0)
	return steps
}

// stepsOf returns the number of the step of event seq and the number of steps.
func stepsOf(ctx context.Context, run *sim.Run, seq int64) (step, steps int64) {
	if step, steps, ok := run.StepNumber(ctx, seq); ok {
		return step, steps
	}
	return stepUnknown, stepUnknown
}
