package knowledge

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/static"
)

// The generated module is current, and traits have only values that their readers know.
func TestTraits(t *testing.T) {
	want, err := Script()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fs.ReadFile(static.FS(), "js/state/traits.js"); err != nil || string(got) != want {
		t.Errorf("static/js/state/traits.js is not current (make generate); %v", err)
	}
	for id, p := range pages() {
		for what, v := range map[string]struct {
			got   string
			known []string
		}{
			"slot":    {p.Traits.Slot, []string{"", "ceil", "floor", "after", "own", "page"}},
			"formula": {p.Traits.Formula, []string{"", "rounds", "hierarchical", "kafka", "netty", "linux", "linux-classic", "tokio", "hand", "start", "floor", "own"}},
			"bias":    {p.Traits.Bias, []string{"", "early", "both"}},
			"side":    {p.Traits.Side, []string{"", "pending"}},
		} {
			if !slices.Contains(v.known, v.got) {
				t.Errorf("%s: traits.%s is %q, want one of %q", id, what, v.got, v.known)
			}
		}
	}
}
