package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// pictureOf returns a function that requests /picture of a run.
func pictureOf(h *harness, run string) func(pairs ...string) answer {
	return func(pairs ...string) answer {
		q := url.Values{"run": {run}}
		for i := 0; i+1 < len(pairs); i += 2 {
			q.Set(pairs[i], pairs[i+1])
		}
		return h.get("/picture?" + q.Encode())
	}
}

// A lane's picture is available as SVG, at a given position.
func TestPicture(t *testing.T) {
	p, _ := webtest.ThreeSlots(t)
	inBubble(t, Config{Default: p}, func(t *testing.T, h *harness) {
		h.get("/")
		ask := pictureOf(h, p.Digest())
		for want, pairs := range map[string][]string{
			">t = 2<":     {"as", "svg", "lane", "hierarchical", "t", "2"},
			">3 pending<": {"as", "svg", "lane", "heap", "t", "2"},
			">0 pending<": {"as", "svg", "lane", "heap"},
			">3 个等待<":     {"as", "svg", "lane", "heap", "t", "2", "lang", "zh"},
			"#171e29":     {"as", "svg", "seq", "9", "theme", "dark"},
			`width="300"`: {"as", "svg", "size", "300"},
		} {
			if a := ask(pairs...); a.code != 200 || !strings.Contains(a.body, want) || !strings.HasPrefix(a.header.Get("Content-Type"), "image/svg+xml") {
				t.Errorf("%v: %d, no %s in %.300s", pairs, a.code, want, a.body)
			}
		}
	})
}

// A picture that can't be drawn is refused in one line that names the field.
func TestPictureRefuses(t *testing.T) {
	p, _ := webtest.ThreeSlots(t)
	inBubble(t, Config{Default: p}, func(t *testing.T, h *harness) {
		h.get("/")
		ask := pictureOf(h, p.Digest())
		for want, pairs := range map[string][]string{
			`as: "png" is not one of svg` + "\n": {"as", "png"}, "lane: ": {"as", "svg", "lane", "none"}, "t: ": {"as", "svg", "t", "99"},
			"size: ": {"as", "svg", "size", "9999999"}, `theme: "sepia" is not one of light, dark, contrast` + "\n": {"as", "svg", "theme", "sepia"}, "seq: ": {"as", "svg", "seq", "x"},
		} {
			if a := ask(pairs...); a.code != 400 || !strings.HasPrefix(a.body, want) || strings.Count(a.body, "\n") != 1 {
				t.Errorf("%v: %d %q", pairs, a.code, a.body)
			}
		}
		if a := pictureOf(h, "0123456789abcdef")("as", "svg"); a.code != 404 {
			t.Errorf("no such run: %d", a.code)
		}
	})
}
