package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// zoomOf is the viewBox of a lane's picture: its corner and side.
func (p *tab) zoomOf(lane string) [3]float64 {
	p.Helper()
	p.settle()
	v := eval[[]float64](p, fmt.Sprintf(`document.querySelector("[data-lane=%s] .picture svg").getAttribute("viewBox").split(" ").map(Number)`, lane))
	return [3]float64{v[0], v[1], v[2]}
}

// numbersSeen returns the slots whose numbers are visible in the enlarged picture of a lane.
func (p *tab) numbersSeen(lane string) []int {
	p.Helper()
	return eval[[]int](p, fmt.Sprintf(`(() => {
		const svg = document.querySelector("[data-lane=%s] .picture svg"), box = svg.getBoundingClientRect();
		return [...svg.querySelectorAll(".close text:not(.held)")].filter((e) => {
			const r = e.getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
			return x > box.left && x < box.right && y > box.top && y < box.bottom;
		}).map((e) => +e.textContent);
	})()`, lane))
}

// TestZoomOfARing enlarges a ring of 4,096 slots by keys, by the mouse wheel, by buttons and by two
// fingers, until single slots are visible. The ring is dragged, follows a timer, and is shown whole
// again.
func TestZoomOfARing(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(1440, 1000))
	p.open(s.url + "/?scenario=hundred-thousand&t=20000&view=gallery")
	const hand = 20000 % 4096
	p.press("2") // rounds, large
	for range 8 {
		p.press("+")
	}
	at := p.zoomOf("rounds")
	seen := p.numbersSeen("rounds")
	if at[2] > 8 || len(seen) == 0 || len(seen) > 12 {
		t.Fatalf("after eight keys %v units are shown, with the slots %v", at[2], seen)
	}
	for _, slot := range seen {
		if math.Abs(float64(slot-hand)) > 30 {
			t.Errorf("slot %d is shown, the hand is at %d", slot, hand)
		}
	}
	if counts := eval[int](p, `document.querySelectorAll("[data-lane=rounds] .close text.held").length`); counts == 0 {
		t.Error("no slot shows its number of timers")
	}
	p.lookAround(t, hand)
	p.press("0")
	if at := p.zoomOf("rounds"); at != [3]float64{0, 0, 400} {
		t.Errorf("the whole picture is %v", at)
	}
	p.zoomByPointers(t)
}

// TestZoomWaits enlarges a picture before the code for it has arrived from the server: the page is
// not settled until the picture is drawn.
func TestZoomWaits(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	held := fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/zooming-*.js*"}}}
	if _, err := chromedp.Call(p.ctx, fetch.Enable, held); err != nil {
		t.Fatal(err)
	}
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.press("+")
	p.press("+")
	p.frames()
	p.frames()
	if eval[bool](p, `document.querySelector("main").dataset.settled === "true"`) {
		t.Error("the page is settled, and not enlarged")
	}
	if _, err := chromedp.Call(p.ctx, fetch.Disable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	if at := p.zoomOf("simple"); at[2] != 100 {
		t.Errorf("after two keys %v of 400 units are shown", at[2])
	}
}

// lookAround moves an enlarged ring: by a drag, by the card of single slots, and by a hand that
// leaves the visible part.
func (p *tab) lookAround(t *testing.T, hand int) {
	was := p.zoomOf("rounds")
	b := p.place(`[data-lane="rounds"] .picture`)
	x, y := b.middle()
	p.drag(x, y, x-b.W/4, y)
	now := p.zoomOf("rounds")
	if moved := now[0] - was[0]; math.Abs(moved-was[2]/4) > was[2]/50 {
		t.Errorf("dragged by a quarter of %v units, moved by %v", was[2], moved)
	}
	if eval[bool](p, `!document.querySelector(".slot-card").hidden && document.querySelector(".slot-card").classList.contains("pinned")`) {
		t.Error("the end of a drag chose a slot")
	}
	p.press("s")
	for range 3 {
		p.press(kb.Enter) // on ▶
	}
	if at := p.zoomOf("rounds"); at == now {
		t.Error("the enlarged ring does not go to the slot that is looked at")
	}
	p.press(kb.Escape)
	p.slide(20400)
	p.wait(`document.querySelector("[data-lane=rounds] .close text.under")?.textContent === "` + fmt.Sprint(20400%4096) + `"`)
}

// zoomByPointers enlarges by Ctrl and the mouse wheel, which keeps the point under the pointer, by
// two fingers, and by the lanes' own buttons.
func (p *tab) zoomByPointers(t *testing.T) {
	b := p.place(`[data-lane="rounds"] .picture`)
	x, y := b.X+b.W*0.75, b.Y+b.H*0.25
	p.wheel(x, y, -120, chromedp.ModifierCtrl)
	at := p.zoomOf("rounds")
	if at[2] >= 400 || math.Abs(at[0]+at[2]*0.75-300) > 4 || math.Abs(at[1]+at[2]*0.25-100) > 4 {
		t.Errorf("Ctrl and the wheel at (300, 100) show %v", at)
	}
	p.wheel(x, y, -120, 0)
	if now := p.zoomOf("rounds"); now != at {
		t.Errorf("the wheel alone, which scrolls the page, enlarged to %v", now)
	}
	p.run(`(() => {
		const box = document.querySelector("[data-lane=rounds] .picture"), r = box.getBoundingClientRect(), svg = box.querySelector("svg");
		const touch = (id, left) => new Touch({identifier: id, target: svg, clientX: r.left + r.width * left, clientY: r.top + r.height / 2});
		const send = (kind, ...at) => svg.dispatchEvent(new TouchEvent(kind, {bubbles: true, cancelable: true, touches: at.map((left, i) => touch(i, left))}));
		send("touchstart", .4, .6); send("touchmove", .3, .7); send("touchend");
	})()`)
	if now := p.zoomOf("rounds"); math.Abs(now[2]-at[2]/2) > 1 {
		t.Errorf("two fingers twice as far apart show %v units, before %v", now[2], at[2])
	}
	if swallowed := p.dragByFinger(`[data-lane="rounds"] .picture svg`); swallowed {
		t.Error("the tap after a finger's drag is not taken")
	}
	p.press("v") // equal sizes again
	p.zoomByButtons(t)
}

// zoomByButtons clicks repeatedly at the first position of a lane's button: the button that
// replaces it is next to it.
func (p *tab) zoomByButtons(t *testing.T) {
	for _, lane := range []string{"distance", "simple"} { // a lane with a side list has its button elsewhere
		b := p.place(`[data-lane="` + lane + `"] [data-zoom="in"]`)
		x, y := b.middle()
		for _, want := range []float64{200, 100, 50} {
			p.do(chromedp.MouseClickXY(x, y))
			p.frames()
			if now := p.zoomOf(lane); now[2] != want {
				t.Errorf("%s: its button shows %v of 400 units, want %v", lane, now[2], want)
			}
		}
		p.do(chromedp.Click(chromedp.CSS(`[data-lane="` + lane + `"] [data-zoom="whole"]`)))
		if now := p.zoomOf(lane); now[2] != 400 {
			t.Errorf("%s: the whole picture is %v units", lane, now[2])
		}
	}
}

// dragByFinger drags, which ends without a click, and taps some time later. It reports whether the
// click of the tap was suppressed.
func (p *tab) dragByFinger(selector string) bool {
	p.Helper()
	return eval[bool](p, `(async () => {
		const svg = document.querySelector(`+quote(selector)+`), r = svg.getBoundingClientRect();
		document.getElementById("lanes").setPointerCapture = () => {}; // there is no such pointer
		const send = (kind, left, buttons) => svg.dispatchEvent(new PointerEvent(kind, {bubbles: true, pointerType: "touch", clientX: r.left + r.width * left, clientY: r.top + r.height / 2, buttons}));
		send("pointerdown", .5, 1); send("pointermove", .4, 1); send("pointerup", .4, 0);
		await new Promise((done) => setTimeout(done, 50));
		let taken = false;
		svg.addEventListener("click", () => { taken = true; }, {once: true});
		svg.querySelector(".frame").dispatchEvent(new MouseEvent("click", {bubbles: true}));
		return !taken;
	})()`)
}

// TestTimersOfAHeapAndAList checks the card of single timers, by pointer and by keys alone.
func TestTimersOfAHeapAndAList(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(1440, 1000))
	p.open(s.url + "/?scenario=three-slots&t=3&view=stage&lane=sorted")
	card := func() string {
		return eval[string](p, `document.querySelector(".node-card:not([hidden])")?.innerText ?? ""`)
	}
	described := func(what string, words ...string) {
		t.Helper()
		p.wait(fmt.Sprintf(`%s.every((w) => (document.querySelector(".node-card:not([hidden])")?.innerText ?? "").includes(w))`, quote(words)))
		_ = what
	}
	dot := p.place(`[data-lane="sorted"] .dot[data-id]`)
	x, y := dot.middle()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	described("the first of the list", "sorted: task2, number 1 of 3", "due at 4", "in 1 tick", "behind it: task5 (5)")
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 5, 5))
	p.wait(`document.querySelector(".node-card").hidden`)

	p.press("5") // the heap, large
	p.press("s")
	described("the root", "heap: task2, index 0", "It is the root", "below it: task4 (8), task5 (5)")
	p.press(kb.Enter)
	described("its first child", "heap: task4, index 1", "above it: task2 (4)", "It has no children")
	p.do(chromedp.Click(chromedp.CSS(".node-card .node-up")))
	described("up again", "heap: task2, index 0")
	p.press(kb.Escape)
	if got := card(); got != "" {
		t.Errorf("Esc leaves %q", got)
	}
	p.press("4")
	p.press("s")
	described("the list, by key", "sorted: task2, number 1 of 3", "no timer is before it")
}

// place returns the position in the window of a selector's first element.
func (p *tab) place(selector string) box {
	p.Helper()
	v := eval[[]float64](p, fmt.Sprintf(`(({left, top, width, height}) => [left, top, width, height])(document.querySelector(%s).getBoundingClientRect())`, quote(selector)))
	return box{v[0], v[1], v[2], v[3]}
}

// drag moves the mouse from a point to another with its button down.
func (p *tab) drag(x1, y1, x2, y2 float64) {
	p.Helper()
	left := []chromedp.MouseOption{chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1)}
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x1, y1, left...))
	for _, part := range []float64{0.3, 0.6, 1} {
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x1+(x2-x1)*part, y1+(y2-y1)*part, left...))
	}
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x2, y2, left...))
}

// wheel turns the mouse wheel at a point.
func (p *tab) wheel(x, y, by float64, with chromedp.Modifier) {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 1e-9, DeltaY: by, Modifiers: int64(with)}); err != nil {
		p.Fatal(err)
	}
	p.frames()
}
