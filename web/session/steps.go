package session

import "github.com/wheelscope/wheelscope/web/locate"

// stepAt returns the number of the step that event seq belongs to, or stepUnknown.
func (s *Session) stepAt(seq int64) int64 {
	step, _ := locate.StepNumber(s.runner.Context(), s.run, seq)
	return step
}

// stepsInAll returns the number of steps of the run, or stepUnknown.
func (s *Session) stepsInAll() int64 {
	_, steps := locate.StepNumber(s.runner.Context(), s.run, 0)
	return steps
}
