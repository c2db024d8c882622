package e2e

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var frames = flag.String("frames", "", "write pictures of movements to this `directory`, to be looked at")

// moving has a timer for each kind of movement: a is placed at 1, swapped in the heap at 3 and at
// 9, reset at 6, loses a round at 11 and cascades at 24; b fires at 9.
const moving = `{"wheelscope":1,"name":"moving","tick":"1ms","until":40,"lanes":[
 {"id":"rounds","algorithm":"rounds","slots":8},{"id":"levels","algorithm":"hierarchical","slots":8,"levels":2},{"id":"heap","algorithm":"heap"}],
 "workload":{"ops":[{"at":1,"op":"schedule","timer":"a","delay":20},{"at":3,"op":"schedule","timer":"b","delay":6},{"at":6,"op":"reset","timer":"a","delay":21}]}}`

// stillTime is longer than the time after a movement during which further movements are not
// animated.
const stillTime = 400 * time.Millisecond

// atRest waits until the next movement of the cursor will be animated.
func (p *tab) atRest() {
	p.Helper()
	p.run(`document.getAnimations().forEach((a) => a.finish())`)
	p.settle()
	time.Sleep(stillTime)
}

// freeze waits for the movement to begin and stops it in all pictures at a given share of its time.
func (p *tab) freeze(share float64) {
	p.Helper()
	const all = `[...document.querySelectorAll(".picture")].flatMap((e) => e.getAnimations({subtree: true}))`
	p.wait(all + `.length > 0`)
	p.frames()
	p.run(fmt.Sprintf(`%s.forEach((a) => { a.pause(); a.currentTime = %g * a.effect.getTiming().duration; })`, all, share))
}

// spot returns the position of a lane's timer in units of the picture: of its mark if it has left,
// and nil if it is not shown.
func (p *tab) spot(lane, timer string) []float64 {
	p.Helper()
	return eval[[]float64](p, fmt.Sprintf(`(() => {
		const svg = document.querySelector('[data-lane="%s"] .picture > svg');
		const group = [...svg.querySelectorAll(".movers > *, .gone > [data-gone], .dots > .dot")].find((g) => g.querySelector("text")?.textContent === %q);
		if (!group) return [];
		const {x, y, width, height} = group.querySelector("circle").getBoundingClientRect();
		const at = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(svg.getScreenCTM().inverse());
		return [at.x, at.y];
	})()`, lane, timer))
}

func away(a, b []float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// movement is a tested movement, from the tick before `at`, or back from it.
type movement struct {
	name, lane, timer string
	at                int64
	move              func(p *tab)
}

// openMoving opens the scenario of the movements, side by side, with further parameters of the URL.
func openMoving(t *testing.T, more string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "moving.json")
	if err := os.WriteFile(file, []byte(moving), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, file) // ends after the tab
	p := newMovingTab(t)
	p.open(s.url + "/?lang=en&view=gallery" + more)
	return p
}

func forward(p *tab) { p.press(kb.ArrowRight) }

// TestMovements stops the movement of a timer at its beginning, on its way, and at its end. It must
// begin where the timer was before the step and end where the timer is drawn at rest.
func TestMovements(t *testing.T) {
	t.Parallel()
	p := openMoving(t, "")
	p.unfold()
	for _, m := range []movement{
		{"placement", "rounds", "a", 1, forward},
		{"placement in a heap", "heap", "b", 3, forward},
		{"swap in a heap", "heap", "a", 3, forward},
		{"reset", "rounds", "a", 6, forward},
		{"reset back", "rounds", "a", 6, nil},
		{"placement back", "levels", "a", 1, nil},
		{"placement back in a heap", "heap", "b", 3, nil},
		{"expiry back", "levels", "b", 9, nil},
		{"swap back when the first returns", "heap", "a", 9, nil},
		{"expiry", "levels", "b", 9, forward},
		{"swap when the first leaves", "heap", "a", 9, forward},
		{"cascade", "levels", "a", 24, forward},
		{"cascade after a jump", "levels", "a", 24, func(p *tab) { p.seekTo(24) }},
		{"cascade after Run until", "levels", "a", 24, func(p *tab) { p.until("cascade"); p.button("Run") }},
		{"cascade back", "levels", "a", 24, nil},
	} {
		p.moves(m)
	}
}

// moves checks a movement.
func (p *tab) moves(m movement) {
	p.Helper()
	start, move := m.at-1, m.move
	if move == nil {
		start, move = m.at, func(p *tab) { p.press(kb.ArrowLeft) }
	}
	p.slide(start)
	p.atRest()
	before := p.spot(m.lane, m.timer)
	move(p)
	p.freeze(0.01)
	first := p.spot(m.lane, m.timer)
	p.freeze(0.5) // of two timers, the second has started and the first has not arrived
	middle := p.spot(m.lane, m.timer)
	p.shot(m.name)
	p.freeze(0.999)
	last := p.spot(m.lane, m.timer)
	p.atRest()
	rest := p.spot(m.lane, m.timer)
	if len(before) == 0 { // the timer comes from outside: from the edge of the disc in the middle, or from above
		before = first
		if away(first, rest) < 20 {
			p.Errorf("%s: it appears at %v, where it stays", m.name, first)
		}
	}
	if len(rest) == 0 { // the timer leaves the picture
		rest = last
	}
	long := away(before, rest)
	if long < 20 || away(first, before) > 8 || away(last, rest) > 3 {
		p.Errorf("%s: from %v to %v, but it was at %v and is drawn at %v", m.name, first, last, before, rest)
	}
	if away(middle, before) < long/20 || away(middle, rest) < long/20 {
		p.Errorf("%s: on its way from %v to %v it is at %v", m.name, before, rest, middle)
	}
}

// shot writes a picture of the page in its current state, if pictures are requested.
func (p *tab) shot(name string) {
	p.Helper()
	if *frames == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(*frames, name+".png"), data, 0o666)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// TestRoundsCountDown stops the movement of a visit: the number of rounds before the visit is
// replaced by the one after it.
func TestRoundsCountDown(t *testing.T) {
	t.Parallel()
	p := openMoving(t, "&t=10")
	p.atRest()
	p.press(kb.ArrowRight)
	const seen = `[...document.querySelectorAll('[data-lane="rounds"] .badge-text')].filter((e) => +getComputedStyle(e).opacity > 0.5).map((e) => e.textContent).join()`
	check := func(share float64, want string) {
		p.freeze(share)
		if got := eval[string](p, seen); got != want {
			t.Errorf("at %g of the movement the rounds are %q, want %q", share, got, want)
		}
		p.shot(fmt.Sprint("rounds ", share))
	}
	check(0.2, "2")
	check(0.9, "1")
	p.atRest()
	p.press(kb.ArrowLeft)
	check(0.2, "1")
	check(0.9, "2")
}

// flow contains what a picture shows of a cascade of many timers.
type flow struct {
	Left     float64 // opacity of the number of timers that have left the slot
	Loads    int     // visible discs
	Sum      int     // sum of the numbers on the discs
	Arrows   int
	Canvases []float64 // opacity of the canvases above the picture's own canvas
	Painted  int       // number of painted pixels on that canvas
}

// readFlow is a function in the page that reads the flow of a lane's picture.
const readFlow = `(lane) => {
	const box = document.querySelector('[data-lane="' + lane + '"] .picture'), svg = box.querySelector("svg");
	const opacity = (e) => { let v = 1; for (; e && e !== box; e = e.parentElement) v *= +getComputedStyle(e).opacity; return v; };
	const loads = [...box.querySelectorAll(".above .loads circle")].filter((e) => opacity(e) > 0.5);
	const [canvas, ...above] = box.querySelectorAll("canvas");
	const data = canvas.width ? canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data : [];
	let painted = 0;
	for (let k = 3; k < data.length; k += 4) if (data[k]) painted++;
	return {Left: Math.max(0, ...[...svg.querySelectorAll(".flows .left")].map(opacity)), Loads: loads.length,
		Sum: loads.reduce((n, e) => n + Number(e.parentElement.querySelector("text")?.textContent ?? 0), 0),
		Arrows: svg.querySelectorAll(".arrows.wide path").length, Canvases: above.map(opacity), Painted: painted};
}`

func (p *tab) flow(lane string) flow {
	p.Helper()
	return eval[flow](p, fmt.Sprintf(`(%s)(%q)`, readFlow, lane))
}

// TestFlows stops the cascade of more timers than have trails. At first they are in the slot that
// is emptied, then discs with their numbers travel, then they are at their new places. It does so
// after a step, a jump and a search, and backwards.
func TestFlows(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, c := range []struct {
		name, scenario, lane string
		at                   int64
		timers               int // that the numbers must add up to
		move                 func(p *tab)
	}{
		{"500 timers", "cascade-storm", "levels-of-16", 512, 500, forward},
		{"500 timers after a jump", "cascade-storm", "levels-of-16", 512, 500, func(p *tab) { p.seekTo(512) }},
		{"500 timers back", "cascade-storm", "levels-of-16", 511, 500, func(p *tab) { p.press(kb.ArrowLeft) }},
		{"100,000 timers", "hundred-thousand", "distance", 4096, 896, forward},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newMovingTab(t)
			p.forgive("willReadFrequently") // this test reads the canvas
			start := c.at - 1
			if c.name == "500 timers back" {
				start = c.at + 1
			}
			p.open(fmt.Sprintf("%s/?lang=en&view=stage&lane=%s&scenario=%s&t=%d", s.url, c.lane, c.scenario, start))
			p.atRest()
			c.move(p)
			p.freeze(0.05)
			first := p.flow(c.lane)
			if back := start > c.at; (first.Left < 0.2 && !back) || first.Loads > 0 || len(first.Canvases) != 2 || first.Canvases[0] < 0.9 || first.Canvases[1] > 0.1 {
				t.Errorf("at the beginning: %+v", first)
			}
			for _, share := range []float64{0.3, 0.5, 0.7} {
				p.freeze(share)
				p.shot(fmt.Sprint(c.name, " ", share))
			}
			if got := p.flow(c.lane); got.Loads < 5 || got.Sum != c.timers {
				t.Errorf("on the way: %+v", got)
			}
			p.freeze(0.97)
			if got := p.flow(c.lane); got.Loads > 0 || got.Canvases[0] > 0.1 || got.Canvases[1] < 0.7 {
				t.Errorf("at the end: %+v", got)
			}
			p.atRest()
			if got := p.flow(c.lane); len(got.Canvases) > 0 || got.Loads > 0 || start < c.at && got.Arrows == 0 || got.Painted <= first.Painted {
				t.Errorf("at rest: %+v, at the beginning: %+v", got, first)
			}
		})
	}
}

// coveredNumbers is an expression that returns the slot numbers that are covered by a timer, by the
// mark of a timer that left, or by a disc. A circle covers a number if it reaches into the middle
// part of the number's box.
const coveredNumbers = `[...document.querySelectorAll(".picture > svg")].flatMap((svg) => {
	const seen = [...svg.querySelectorAll(".numbers text:not(.note)")].filter((e) => e.checkVisibility() && e.textContent);
	const circles = [...svg.querySelectorAll(".dots circle, .gone circle.disc")].map((e) => e.getBoundingClientRect());
	return seen.filter((text) => {
		const {left, right, top, bottom, height} = text.getBoundingClientRect();
		const slack = height * 0.2;
		return circles.some(({x, y, width}) => {
			const [cx, cy, r] = [x + width / 2, y + width / 2, width / 2];
			return Math.hypot(Math.max(left + slack - cx, 0, cx - right + slack), Math.max(top + slack - cy, 0, cy - bottom + slack)) < r;
		});
	}).map((text) => svg.closest("section").dataset.lane + " " + text.textContent);
})`

// TestNumbersAreFree checks that no slot number is covered by timers or by the marks of timers that fired.
func TestNumbersAreFree(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, c := range []struct {
		width, height int64
		query         string
	}{
		{1366, 768, "cascade-storm&t=600&view=stage"}, {1024, 768, "cascade-storm&t=648&view=gallery"},
		{1366, 768, "hundred-thousand&t=30000&view=stage&lane=rounds"}, {1366, 768, "ten-slots&t=8&view=stage"}, {1920, 1080, "three-slots&t=4"},
	} {
		p.do(chromedp.EmulateViewport(c.width, c.height))
		p.open(s.url + "/?view=lab&lang=en&scenario=" + c.query)
		if n := eval[int](p, `document.querySelectorAll(".gone circle.disc").length`); n == 0 {
			t.Errorf("%s: no timer has left", c.query)
		}
		if got := eval[[]string](p, coveredNumbers); len(got) > 0 {
			t.Errorf("%s: covered are %q", c.query, got)
		}
	}
}
