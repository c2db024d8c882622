//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package program_test

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// TestDefaultsCountAsBytes checks that a scenario is refused if the header of its trace would be
// too long, instead of its trace later.
func TestDefaultsCountAsBytes(t *testing.T) {
	testkit.SoakOnly(t) // a text of 128 MiB
	op := `{"at":0,"op":"set","timer":"` + strings.Repeat("a", 100) + `","delay":1,"every":1}`
	text := `{"wheelscope":1,"until":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[` +
		strings.Repeat(op+",", scenario.BytesMax/(len(op)+1)-4) + op + `]}}`
	if len(text) > scenario.BytesMax {
		t.Fatalf("the text is too long itself: %d", len(text))
	}
	_, err := program.Load([]byte(text))
	if err == nil || !strings.Contains(err.Error(), "with all defaults written out") {
		t.Fatalf("error is %v", err)
	}
}
