package web

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// The page's exports equal those of the command line.
func TestExports(t *testing.T) {
	p := webtest.LoadSmall(t)
	inBubble(t, Config{Default: p}, func(t *testing.T, h *harness) {
		h.get("/")
		for _, as := range export.Formats() {
			var want bytes.Buffer
			if err := export.Write(t.Context(), &want, p, as, export.Options{}); err != nil {
				t.Fatal(err)
			}
			f, _ := export.Lookup(as)
			a := h.get("/trace?run=" + p.Digest() + "&as=" + as)
			if a.code != 200 || a.body != want.String() || a.header.Get("Content-Type") != f.MediaType ||
				!strings.Contains(a.header.Get("Content-Disposition"), `"small.`+f.Extension+`"`) {
				t.Errorf("%s: %d, %d bytes, want %d, headers %v", as, a.code, len(a.body), want.Len(), a.header)
			}
		}
		if a := h.get("/trace?run=" + p.Digest() + "&as=xml"); a.code != 400 || !strings.Contains(a.body, "is not one of csv, perfetto") {
			t.Errorf("an unknown format: %d %s", a.code, a.body)
		}
	})
}
