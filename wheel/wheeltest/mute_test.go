package wheeltest_test

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
	"github.com/wheelscope/wheelscope/wheel/wheeltest/internal/ours"
)

// Of a wheel that fires on its ticks, and whose Stop has no answer, nobody knows whether
// one that was stopped between its due time and the tick has fired: it is not judged,
// after a Reset neither.
func TestNoAnswersOfAWheel(t *testing.T) {
	r := wheeltest.Examine(t, ours.Factory("hierarchical", time.Millisecond), wheeltest.NoAnswers(), wheeltest.Only("random operations"), wheeltest.Seed(1))[0]
	if r.Verdict != wheeltest.Passed {
		t.Errorf("%v", r)
	}
}
