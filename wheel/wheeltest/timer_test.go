package wheeltest_test

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
	"github.com/wheelscope/wheelscope/wheel/wheeltest/internal/timeradapter"
)

// The timer library has all properties of this package.
func TestTimer(t *testing.T) {
	wheeltest.Run(t, timeradapter.Factory("hierarchical", time.Millisecond))
}
