package e2e

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var frames = flag.String("frames", "", "write pictures of movements to this `directory`, to be looked at")

// moving has a timer for each kind of movement: a is placed at 1, swapped in the heap at 3 and at
// 9, reset at 6, loses a round at 11 and cascades at 24; b fires at 9.
const moving = `{"wheelscope":1,"name":"moving","tick":"1ms","until":40,"lanes":[
 {"id":"rounds","algorithm":"rounds","slots":8},{"id":"levels","algorithm":"hierarchical","slots":8,"levels":2},{"id":"heap","algorithm":"heap"}],
 "workload":{"ops":[{"at":1,"op":"schedule","timer":"a","delay":20},{"at":3,"op":"schedule","timer":"b","delay":6},{"at":6,"op":"reset","timer":"a","delay":21}]}}`

// fakeTime replaces the time in a page by one that stands still between hold and atRest.
const fakeTime = `(() => {
	const real = performance.now.bind(performance), time = window.fakeTime = {at: null, ahead: 0};
	performance.now = () => time.at ?? real() + time.ahead;
	time.hold = () => { time.at = time.began = performance.now() + 1000; }; // a movement soon after another one is not animated
	time.move = (ms) => { time.at = time.began + ms; };
	time.go = () => { if (time.at !== null) [time.ahead, time.at] = [time.at + 1000 - real(), null]; };
})()`

// Durations of a movement in static/js/picture/scene.js, in milliseconds.
const forwardTime, backTime = 700, 350

// atRest waits until the page shows its cursor at rest.
func (p *tab) atRest() {
	p.Helper()
	p.run(`window.fakeTime?.go()`)
	p.frames()
	p.settle()
}

// freeze stops the movement in all pictures at a given share of its time, in milliseconds.
func (p *tab) freeze(share float64, long float64) {
	p.Helper()
	p.run(fmt.Sprintf(`window.fakeTime.move(%g)`, share*long))
	p.frames()
}

// spot returns the position of a lane's timer in units of the picture, nil if it is not shown. A timer that was reset has
// two IDs.
func (p *tab) spot(lane string, ids ...int) []float64 {
	p.Helper()
	return eval[[]float64](p, fmt.Sprintf(`(() => {
		const svg = document.querySelector('[data-lane="%s"] .picture > svg'), ids = %s;
		const body = [...svg.querySelectorAll(".dots > .dot")].find((g) => ids.includes(Number(g.dataset.id)))?.querySelector(".body");
		if (!body) return [];
		const {x, y, width, height} = body.getBoundingClientRect();
		const at = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(svg.getScreenCTM().inverse());
		return [at.x, at.y];
	})()`, lane, quote(ids)))
}

func away(a, b []float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// movement is a tested movement, from the tick before `at`, or back from it.
type movement struct {
	name, lane string
	ids        []int // of the timer
	at         int64
	move       func(p *tab)
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
	p.run(fakeTime)
	return p
}

func forward(p *tab) { p.press(kb.ArrowRight) }

// TestMovements stops the movement of a timer at its beginning, on its way, and at its end. It must
// begin where the timer was before the step and end where the timer is drawn at rest.
func TestMovements(t *testing.T) {
	soak(t)
	t.Parallel()
	p := openMoving(t, "")
	p.unfold()
	for _, m := range []movement{
		{"placement", "rounds", []int{1, 3}, 1, forward},
		{"placement in a heap", "heap", []int{2}, 3, forward},
		{"swap in a heap", "heap", []int{1, 3}, 3, forward},
		{"reset", "rounds", []int{1, 3}, 6, forward},
		{"reset back", "rounds", []int{1, 3}, 6, nil},
		{"placement back", "levels", []int{1, 3}, 1, nil},
		{"placement back in a heap", "heap", []int{2}, 3, nil},
		{"expiry back", "levels", []int{2}, 9, nil},
		{"swap back when the first returns", "heap", []int{1, 3}, 9, nil},
		{"expiry", "levels", []int{2}, 9, forward},
		{"swap when the first leaves", "heap", []int{1, 3}, 9, forward},
		{"cascade", "levels", []int{1, 3}, 24, forward},
		{"cascade after a jump", "levels", []int{1, 3}, 24, func(p *tab) { p.seekTo(24) }},
		{"cascade after Run until", "levels", []int{1, 3}, 24, func(p *tab) { p.until("cascade"); p.button("Run") }},
		{"cascade back", "levels", []int{1, 3}, 24, nil},
	} {
		p.moves(m)
	}
}

// moves checks a movement.
func (p *tab) moves(m movement) {
	p.Helper()
	start, move, long := m.at-1, m.move, float64(forwardTime)
	if move == nil {
		long = backTime
		start, move = m.at, func(p *tab) { p.press(kb.ArrowLeft) }
	}
	p.slide(start)
	p.atRest()
	before := p.spot(m.lane, m.ids...)
	p.run(`window.fakeTime.hold()`)
	move(p)
	p.wait(`document.querySelector("main").dataset.now !== "` + fmt.Sprint(start) + `"`)
	p.frames() // until the movement has begun
	begin := 0.01
	if len(before) == 0 && m.move != nil {
		begin = 0.15 // it appears a little later
	}
	p.freeze(begin, long)
	first := p.spot(m.lane, m.ids...)
	half := 0.4 // everything has moved before the rest frame
	if m.move == nil {
		half = 1 - half
	}
	p.freeze(half, long)
	middle := p.spot(m.lane, m.ids...)
	p.shot(m.name)
	p.freeze(0.999, long)
	last := p.spot(m.lane, m.ids...)
	if len(last) == 0 { // it disappears a little earlier
		p.freeze(0.85, long)
		last = p.spot(m.lane, m.ids...)
	}
	p.atRest()
	rest := p.spot(m.lane, m.ids...)
	if len(before) == 0 { // the timer comes from outside: from the edge of the disc in the middle, or from above
		before = first
		if away(first, rest) < 20 {
			p.Errorf("%s: it appears at %v, where it stays", m.name, first)
		}
	}
	if len(rest) == 0 { // the timer leaves the picture
		rest = last
	}
	far := away(before, rest)
	if far < 20 || away(first, before) > 8 || away(last, rest) > 3 {
		p.Errorf("%s: from %v to %v, but it was at %v and is drawn at %v", m.name, first, last, before, rest)
	}
	if away(middle, before) < far/20 || away(middle, rest) < far/20 {
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

// TestRoundsCountDown stops the movement of a visit: of the rings around the timer, one for each round, one goes.
func TestRoundsCountDown(t *testing.T) {
	soak(t)
	t.Parallel()
	p := openMoving(t, "&t=10")
	p.atRest()
	const seen = `[...document.querySelectorAll('[data-lane="rounds"] .turn')].filter((e) => +(e.getAttribute("opacity") ?? 1) > 0.5).length`
	check := func(share, long float64, want int) {
		p.freeze(share, long)
		if got := eval[int](p, seen); got != want {
			t.Errorf("at %g of the movement there are %d rounds, want %d", share, got, want)
		}
		p.shot(fmt.Sprint("rounds ", share))
	}
	move := func(key string, tick int) {
		p.run(`window.fakeTime.hold()`)
		p.press(key)
		p.wait(fmt.Sprintf(`document.querySelector("main").dataset.now === "%d"`, tick))
		p.frames()
	}
	move(kb.ArrowRight, 11)
	check(0.2, forwardTime, 2)
	check(0.9, forwardTime, 1)
	p.atRest()
	move(kb.ArrowLeft, 10)
	check(0.1, backTime, 1)
	check(0.9, backTime, 2)
}

// flow contains what a picture shows of a cascade of more timers than have trails.
type flow struct {
	Arrows  int
	Opacity float64
	Left    int // sum of the numbers of timers that left slots
}

// readFlow is a function in the page that reads the flow of a lane's picture.
const readFlow = `(lane) => {
	const flows = document.querySelector('[data-lane="' + lane + '"] .picture .flows');
	if (!flows) return {Arrows: 0, Opacity: 0, Left: 0};
	return {Arrows: flows.querySelectorAll(".trail").length, Opacity: Number(flows.getAttribute("opacity") ?? 1),
		Left: [...flows.querySelectorAll(".flowno:not(.arrived)")].reduce((n, e) => n + Number(e.textContent), 0)};
}`

func (p *tab) flow(lane string) flow {
	p.Helper()
	return eval[flow](p, fmt.Sprintf(`(%s)(%q)`, readFlow, lane))
}

// TestFlows stops the cascade of more timers than have trails: the arrows with their numbers appear after a step, a jump
// and a search, and disappear backwards.
func TestFlows(t *testing.T) {
	soak(t)
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
			start, long := c.at-1, float64(forwardTime)
			back := c.name == "500 timers back"
			if back {
				start, long = c.at+1, backTime
			}
			p.open(fmt.Sprintf("%s/?lang=en&view=stage&lane=%s&scenario=%s&t=%d", s.url, c.lane, c.scenario, start))
			p.run(fakeTime)
			p.atRest()
			p.run(`window.fakeTime.hold()`)
			c.move(p)
			p.wait(fmt.Sprintf(`document.querySelector("main").dataset.now === "%d"`, c.at))
			p.frames()
			shares := []float64{0.05, 0.95}
			if back {
				slices.Reverse(shares)
			}
			p.freeze(shares[0], long)
			if got := p.flow(c.lane); got.Opacity > 0.1 {
				t.Errorf("at the beginning: %+v", got)
			}
			p.freeze(shares[1], long)
			p.shot(c.name)
			if got := p.flow(c.lane); got.Opacity < 0.9 || got.Arrows < 5 || got.Left != c.timers {
				t.Errorf("in full: %+v", got)
			}
			p.atRest()
			if got := p.flow(c.lane); back != (got.Arrows == 0) {
				t.Errorf("at rest: %+v", got)
			}
		})
	}
}

// coveredNumbers is an expression that returns the slot numbers that are covered by a timer or by
// a disc. A circle covers a number if it reaches into the middle
// part of the number's box.
const coveredNumbers = `[...document.querySelectorAll(".picture > svg")].flatMap((svg) => {
	const seen = [...svg.querySelectorAll(".numbers text:not(.note)")].filter((e) => e.checkVisibility() && e.textContent);
	const circles = [...svg.querySelectorAll(".dots circle")].map((e) => e.getBoundingClientRect());
	return seen.filter((text) => {
		const {left, right, top, bottom, height} = text.getBoundingClientRect();
		const slack = height * 0.2;
		return circles.some(({x, y, width}) => {
			const [cx, cy, r] = [x + width / 2, y + width / 2, width / 2];
			return Math.hypot(Math.max(left + slack - cx, 0, cx - right + slack), Math.max(top + slack - cy, 0, cy - bottom + slack)) < r;
		});
	}).map((text) => svg.closest("section").dataset.lane + " " + text.textContent);
})`

// TestNumbersAreFree checks that no slot number is covered by timers, also by those that have left.
func TestNumbersAreFree(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, c := range []struct {
		width, height int64
		query         string
	}{
		{1366, 768, "cascade-storm&t=600&view=stage"}, {1024, 768, "cascade-storm&t=648&view=gallery"},
		{1366, 768, "hundred-thousand&t=30000&view=stage&lane=rounds"}, {1366, 768, "ten-slots&t=11&view=stage"}, {1920, 1080, "three-slots&t=4"},
	} {
		p.do(chromedp.EmulateViewport(c.width, c.height))
		p.open(s.url + "/?view=lab&lang=en&scenario=" + c.query)
		if n := eval[int](p, `document.querySelectorAll(".dots :is(.fired, .rejected)").length`); n == 0 {
			t.Errorf("%s: no timer has left", c.query)
		}
		if got := eval[[]string](p, coveredNumbers); len(got) > 0 {
			t.Errorf("%s: covered are %q", c.query, got)
		}
	}
}
