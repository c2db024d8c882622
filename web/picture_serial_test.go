//go:build !race

// Long tests of one request at a time, in which the race detector finds nothing; see the Makefile.

package web

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// The page's HTML file equals that of the command line, opened at the requested position.
func TestFile(t *testing.T) {
	p, run := webtest.ThreeSlots(t)
	inBubble(t, Config{Default: p}, func(t *testing.T, h *harness) {
		h.get("/")
		a := h.get("/trace?as=html&seq=7&run=" + p.Digest())
		var want bytes.Buffer
		if err := player.Write(t.Context(), &want, run, player.Options{Open: 7}); err != nil {
			t.Fatal(err)
		}
		if a.code != 200 || a.body != want.String() || !strings.Contains(a.header.Get("Content-Disposition"), `"three-slots.html"`) {
			t.Errorf("%d, %d bytes, want %d", a.code, len(a.body), want.Len())
		}
		if a := h.get("/trace?as=html&seq=9999&run=" + p.Digest()); a.code != 400 || !strings.HasPrefix(a.body, "seq: 9999 is not an event of this run") {
			t.Errorf("past the end: %d %.99q", a.code, a.body)
		}
		if a := h.get("/trace?as=html&seq=-1&run=" + p.Digest()); a.code != 400 || !strings.HasPrefix(a.body, "seq: ") {
			t.Errorf("a bad event: %d %q", a.code, a.body)
		}
	})
}
