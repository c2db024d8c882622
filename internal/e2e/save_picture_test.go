package e2e

import (
	"strings"
	"testing"
)

// TestSavePicture saves a lane's picture from the file menu: as SVG at the cursor's position, and
// as PNG.
func TestSavePicture(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.run(`window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); }`)
	p.run(`document.querySelector("#picture-lane").value = "heap"; document.querySelector("#picture-svg").click()`)
	p.wait(`saved.length === 1`)
	if got := eval[string](p, `saved[0][0]`); got != "heap-2.svg" {
		t.Errorf("saved as %q", got)
	}
	svg, code := s.get(t, "/picture?as=svg&lane=heap&t=2&run="+builtin(t, "three-slots").run.Digest())
	if code != 200 || !strings.Contains(string(svg), ">t = 2<") {
		t.Errorf("the picture: %d %.200s", code, svg)
	}
	p.run(`document.querySelector("#picture-png").click()`)
	p.wait(`saved.length === 2 && saved[1][0] === "heap-2.png" && saved[1][1].startsWith("blob:")`)
}
