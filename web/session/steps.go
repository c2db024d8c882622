package session

import "github.com/wheelscope/wheelscope/web/locate"

// stepAt returns the number of the step that contains event seq, or -1 if it is unknown.
func (s *Session) stepAt(seq int64) int64 {
	step, _ := locate.StepNumber(s.runner.Context(), s.run, seq)
	return step
}

// totalSteps returns the total number of steps of the run, or -1 if it is unknown.
func (s *Session) totalSteps() int64 {
	_, steps := locate.StepNumber(s.runner.Context(), s.run, 0)
	return steps
}
