package wheeltest_test

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
	"github.com/wheelscope/wheelscope/wheel/wheeltest/internal/timeradapter"
)

// If a wheel fires on its ticks and its Stop returns no result, it is unknown whether a timer that
// was stopped between its due time and the tick has fired. Such a timer is not judged, not even
// after a Reset.
func TestNoAnswersOfAWheel(t *testing.T) {
	r := wheeltest.Check(t, timeradapter.Factory("hierarchical", time.Millisecond), wheeltest.NoAnswers(), wheeltest.Only("random operations"), wheeltest.Seed(1))[0]
	if r.Verdict != wheeltest.Passed {
		t.Errorf("%v", r)
	}
}
