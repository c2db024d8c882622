package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPanesLayout opens each view that is opened on demand in windows of many sizes, from a small
// telephone to a wall: nothing is truncated, outside, or over another element. The short form opens a view
// once for two sizes of the window, and resizes it.
func TestPanesLayout(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	script := string(read(t, "layout.js"))
	type windows struct {
		lang  string
		touch bool
		sizes []size
	}
	all := []windows{{"en", false, []size{{360, 740}, {1440, 900}}}, {"zh", true, []size{{390, 844}}}, {"zh", false, []size{{768, 1024}, {3840, 2160}}}}
	if longForm() {
		all = []windows{
			{"en", false, []size{{360, 740}}}, {"zh", true, []size{{390, 844}}}, {"zh", false, []size{{768, 1024}}},
			{"en", false, []size{{1440, 900}}}, {"zh", false, []size{{3840, 2160}}},
		}
	}
	for _, c := range all {
		t.Run(fmt.Sprintf("%d-%s", c.sizes[0].wide, c.lang), func(t *testing.T) {
			p := newTab(t)
			least := [2]int{clickWide, clickHigh}
			if c.touch {
				least = [2]int{tapWide, tapHigh}
				p.finger(c.sizes[0].wide, c.sizes[0].high)
			} else {
				p.do(chromedp.EmulateViewport(c.sizes[0].wide, c.sizes[0].high))
			}
			p.open(s.url + "/?view=lab&scenario=migration&t=10&lang=" + c.lang)
			look := func(what string) {
				t.Helper()
				for _, at := range c.sizes {
					if len(c.sizes) > 1 {
						p.do(chromedp.EmulateViewport(at.wide, at.high))
						p.settle()
					}
					p.frames()
					for _, fault := range eval[[]string](p, fmt.Sprintf("(%s)(%d, %d)", script, least[0], least[1])) {
						t.Errorf("%s, %d × %d: %s", what, at.wide, at.high, fault)
					}
				}
			}
			p.press("c")
			p.wait(`document.querySelector(".compare-table tbody tr") && document.querySelectorAll("#plots canvas").length === 3`)
			look("the comparison")
			p.press("c")
			p.press("l")
			p.wait(`document.querySelectorAll(".lecture-pick").length === 2`)
			look("the lectures")
			p.run(`document.querySelectorAll(".lecture-pick")[1].click()`)
			p.wait(fmt.Sprintf(playedStop, 1))
			look("a lecture")
			p.run(`document.getElementById("lecture-close").click(); document.activeElement.blur()`)
			p.settle()
			p.press("q")
			p.wait(openQuestion)
			look("a question")
		})
	}
}

// finger emulates a telephone in the tab.
func (p *tab) finger(wide, high int64) {
	p.Helper()
	p.do(chromedp.EmulateViewport(wide, high, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.media("", feature{"pointer", "coarse"}, feature{"hover", "none"})
}
