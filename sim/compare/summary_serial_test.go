//go:build !race

// Long tests of which a second goroutine only reads ahead or computes another lane, which shorter
// tests do under -race; see the Makefile.

package compare

import (
	"context"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/static"
)

// Every number in a summary on a built-in scenario is one of its rows' numbers.
func TestSummaryOfBuiltins(t *testing.T) {
	for _, b := range library.Builtins() {
		p := plantest.Load(t, plantest.Short(b.Data))
		chart, err := NewChart(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range Summarize(chart.Results, 0) {
			if en, zh := static.Messages("en").Say(text), static.Messages("zh").Say(text); en == "" || zh == "" || strings.ContainsAny(en+zh, "{}%") || !strings.HasSuffix(en, ".") || !strings.HasSuffix(zh, "。") {
				t.Errorf("%s: %q, %q", b.Name, en, zh)
			}
		}
	}
}
