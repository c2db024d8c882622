package lab_test

import (
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }
