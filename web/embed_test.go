package web

import (
	"strings"
	"testing"
)

// Other sites may show only an embedded page in a frame; without controls the page is marked for
// its styles.
func TestOnlyEmbeddedPagesAreFramed(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for query, want := range map[string]struct{ framed, bare bool }{
			"":                       {},
			"?embed=1":               {framed: true},
			"?embed=1&controls=0":    {framed: true, bare: true},
			"?embed=1&controls=none": {framed: true, bare: true},
			"?embed=1&controls=full": {framed: true},
			"?controls=0":            {},
			"?embed=0":               {},
		} {
			a := h.get("/" + query)
			policy := a.header.Get("Content-Security-Policy")
			if framed := !strings.Contains(policy, "frame-ancestors"); a.code != 200 || framed != want.framed || !strings.Contains(policy, "form-action 'self'") {
				t.Errorf("%q: %d %s", query, a.code, policy)
			}
			if bare := strings.Contains(a.body, `class="lab embed bare"`); bare != want.bare {
				t.Errorf("%q: bare %v", query, bare)
			}
		}
	})
}
