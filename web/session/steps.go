package session

import "github.com/wheelscope/wheelscope/web/locate"

// stepAt returns the number of the step that contains event seq, counting from 1, or 0 if seq is 0. It returns -1 if
// the number is unknown, because the run is not computed to its end or has too many steps.
func (s *Session) stepAt(seq int64) int64 {
	step, _ := locate.StepNumber(s.runner.Context(), s.run, seq)
	return step
}

// totalSteps returns the total number of steps of the run, or -1 if it is unknown, because the run is not computed to
// its end or has too many steps.
func (s *Session) totalSteps() int64 {
	_, steps := locate.StepNumber(s.runner.Context(), s.run, 0)
	return steps
}
