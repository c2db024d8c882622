package e2e

import (
	"strings"
	"testing"
)

// TestSavePicture saves a lane's picture from the file menu, as the page draws it: as SVG at the cursor's position, and
// as PNG; and one of a lane in which more timers cascade than are drawn, with their arrows.
func TestSavePicture(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	const watch = `window.blobs = []; { const make = URL.createObjectURL.bind(URL); URL.createObjectURL = (blob) => (blobs.push(blob), make(blob)); }`
	p.run(watch)
	p.run(`window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); }`)
	p.run(`document.querySelector("#picture-lane").value = "heap"; document.querySelector("#picture-svg").click()`)
	p.wait(`saved.length === 1`)
	if got := eval[string](p, `saved[0][0]`); got != "heap-2.svg" {
		t.Errorf("saved as %q", got)
	}
	const text = `blobs[0].text()`
	if svg := eval[string](p, text); !strings.Contains(svg, ">t = 2<") || !strings.Contains(svg, ">heap<") || strings.Contains(svg, "class=") || strings.Contains(svg, "var(") {
		t.Errorf("the picture: %.300s", svg)
	}
	p.run(`document.querySelector("#picture-png").click()`)
	p.wait(`saved.length === 2 && saved[1][0] === "heap-2.png" && saved[1][1].startsWith("blob:")`)
	p.open(s.url + "/?view=lab&scenario=cascade-storm&t=512")
	arrows := eval[int](p, `document.querySelectorAll("[data-lane=levels-of-64] .flows path").length`)
	p.run(watch)
	p.run(`document.querySelector("#picture-lane").value = "levels-of-64"; document.querySelector("#picture-svg").click()`)
	p.wait(`blobs.length === 1`)
	if n := strings.Count(eval[string](p, text), `stroke="rgb(139, 47, 208)"`); arrows == 0 || n < arrows/2 {
		t.Errorf("%d arrows of %d cascades are in the picture", n, arrows/2)
	}
}
