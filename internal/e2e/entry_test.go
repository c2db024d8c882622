package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const entryView = "/?view=entry&scenario=ten-slots"

// wheels is an expression that returns the pictures of all lanes of the entry view.
const wheels = `[...document.querySelectorAll(".wheel")].map((e) => e.innerHTML).join("\n")`

// TestEntryPlaysByItself opens the page cold: it plays up to the first cascade without a click, and
// its URL stays as it was.
func TestEntryPlaysByItself(t *testing.T) {
	t.Parallel()
	p := newMovingTab(t)
	p.do(chromedp.EmulateViewport(1366, 768), chromedp.Navigate(serve(t).url+"/"))
	p.wait(`document.querySelector("#play[aria-label=Pause]")`)
	p.wait(`document.querySelectorAll(".trail").length === 2 && document.querySelector("main").dataset.now === "10"`)
	if at := eval[string](p, `location.pathname + location.search`); at != "/" {
		t.Errorf("the page has moved to %s", at)
	}
	p.press(" ")
	p.wait(`document.querySelector("#play[aria-label=Play]")`)
}

// TestEntryRests opens URLs that say where the page is, and one with reduced motion: it rests there.
func TestEntryRests(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for url, now := range map[string]string{"/": "0", entryView + "&t=10": "10", entryView: "0"} {
		p := newTab(t)
		p.open(s.url + url)
		if got := eval[string](p, `document.querySelector("main").dataset.now + document.getElementById("play").getAttribute("aria-label")`); got != now+"Play" {
			t.Errorf("%s: %s, want %s at rest", url, got, now)
		}
	}
}

// TestEntryKeys presses every key that moves the cursor. The tables and numbers are those of the run.
func TestEntryKeys(t *testing.T) {
	t.Parallel()
	in := builtin(t, "ten-slots")
	s := serve(t)
	p := newTab(t)
	p.open(s.url + entryView)
	last, until := in.last(t), in.until()
	one := in.stepAfter(t, 0)
	two := in.stepAfter(t, one)
	three := in.stepAfter(t, two)
	for _, c := range []struct {
		what, key string
		with      []chromedp.Modifier
		want      shown
	}{
		{"a step", kb.ArrowRight, []chromedp.Modifier{shift}, in.atSeq(t, one)},
		{"a second step", kb.ArrowRight, []chromedp.Modifier{shift}, in.atSeq(t, two)},
		{"a third step", kb.ArrowRight, []chromedp.Modifier{shift}, in.atSeq(t, three)},
		{"a step back", kb.ArrowLeft, []chromedp.Modifier{shift}, in.atSeq(t, two)},
		{"an event", ".", nil, in.atSeq(t, two+1)},
		{"an event back", ",", nil, in.atSeq(t, two)},
		{"a tick", kb.ArrowRight, nil, in.atTick(t, 1)},
		{"another tick", kb.ArrowRight, nil, in.atTick(t, 2)},
		{"a tick back", kb.ArrowLeft, nil, in.atTick(t, 1)},
		{"to the end", kb.End, nil, in.atTick(t, until)},
		{"past the end", kb.ArrowRight, nil, in.atTick(t, until)},
		{"back from the end", ",", nil, in.atSeq(t, last)},
		{"one more", ",", nil, in.atSeq(t, last-1)},
		{"to the beginning", kb.Home, nil, in.atSeq(t, 0)},
		{"before the beginning", kb.ArrowLeft, nil, in.atSeq(t, 0)},
	} {
		p.press(c.key, c.with...)
		p.settle()
		compareShown(p, c.what, p.shown(), c.want)
	}
}

// TestEntrySameInstantSamePicture reaches instants in different ways. The pictures are the same.
func TestEntrySameInstantSamePicture(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, tick := range []int{2, 10, 15} {
		p.open(fmt.Sprintf("%s%s&t=%d", s.url, entryView, tick))
		want := eval[string](p, wheels)
		for way, come := range map[string]func(){
			"stepping": func() {
				p.press(kb.Home)
				for range tick + 1 {
					p.press(kb.ArrowRight)
				}
			},
			"from the end": func() {
				p.press(kb.End)
				for range 20 - tick {
					p.press(kb.ArrowLeft)
				}
			},
			"scrubbing": func() {
				p.press(kb.Home)
				p.pull(p.track(18.5), p.track(float64(tick)+0.2))
			},
			"reloading": func() { p.live(chromedp.Reload()) },
		} {
			come()
			p.settle()
			if got := eval[string](p, wheels); got != want {
				t.Errorf("tick %d by %s: another picture\n%s\n%s", tick, way, got, want)
			}
		}
	}
}

// track returns the point of the track of time at T.
func (p *tab) track(at float64) [2]float64 {
	p.Helper()
	b := eval[[4]float64](p, `(({x, y, width, height}) => [x, y, width, height])(document.getElementById("track").getBoundingClientRect())`)
	return [2]float64{b[0] + 10 + at/21*(b[2]-20), b[1] + b[3]/2}
}

// onWheel returns the point of a lane's wheel at a position in slots and a radius in units.
func (p *tab) onWheel(lane int, slot, radius float64) [2]float64 {
	p.Helper()
	b := eval[[4]float64](p, fmt.Sprintf(`(({x, y, width, height}) => [x, y, width, height])(document.querySelectorAll(".stage")[%d].getBoundingClientRect())`, lane))
	angle, scale := slot/10*2*math.Pi-math.Pi/2, math.Min(b[2], b[3])/400
	return [2]float64{b[0] + b[2]/2 + radius*scale*math.Cos(angle), b[1] + b[3]/2 + radius*scale*math.Sin(angle)}
}

// pull presses the mouse at the first point, moves it over all of them and releases it at the last.
func (p *tab) pull(points ...[2]float64) {
	p.Helper()
	p.grab(points...)
	p.letGo(points[len(points)-1])
}

// point moves the mouse to a point.
func (p *tab) point(xy [2]float64, options ...chromedp.MouseOption) {
	p.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, xy[0], xy[1], options...))
}

// grab presses the mouse at the first point and moves it over all of them.
func (p *tab) grab(points ...[2]float64) {
	p.Helper()
	left := chromedp.ButtonType(input.MouseButtonLeft)
	p.point(points[0])
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, points[0][0], points[0][1], left, chromedp.ClickCount(1)))
	for _, xy := range points {
		p.point(xy, left)
	}
	p.frames()
}

func (p *tab) letGo(xy [2]float64) {
	p.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, xy[0], xy[1], chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1)))
}

// scripts allows the scripts of pages, or forbids them.
func (p *tab) scripts(on bool) {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on}); err != nil {
		p.Fatal(err)
	}
}

// arc returns points on a lane's wheel from one position in slots to another.
func (p *tab) arc(lane int, from, to, radius float64) (points [][2]float64) {
	p.Helper()
	for n, i := math.Ceil(math.Abs(to-from)*2), 0.0; i <= n; i++ {
		points = append(points, p.onWheel(lane, from+(to-from)*i/n, radius))
	}
	return points
}

func (p *tab) says(id, words string) {
	p.Helper()
	p.wait(`document.getElementById(` + quote(id) + `).textContent.includes(` + quote(words) + `)`)
}

// TestEntryGestures drags the hand back, presses a slot, types a delay, undoes both, and seeks in the
// unrolled diagram.
func TestEntryGestures(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + entryView + "&t=10")
	// the hand is at slot 0, on the rim; it is turned back by more than a slot
	p.pull(p.onWheel(1, 0, 170), p.onWheel(1, -0.5, 170), p.onWheel(1, -1, 170), p.onWheel(1, -1.2, 170))
	p.settle()
	p.atTick(9)

	p.pull(p.onWheel(0, 3, 120), p.onWheel(0, 3, 119)) // slot 3 is due at 13
	p.says("sub", "Added, due at 13")
	p.says("say", "13")
	p.press("z", chromedp.ModifierCtrl)
	p.says("sub", "Undone")
	p.wait(`!document.querySelector("#say .chip[data-id='5']")`)

	p.press("a")
	p.wait(`document.activeElement.closest(".hub.edit")`)
	p.press("100")
	p.wait(`document.querySelectorAll(".ghosts .ghost").length === 3`)
	p.press("\r")
	p.says("sub", "Added, due at 109")
	p.wait(`document.querySelectorAll(".wheel")[2].querySelectorAll(".ring.ghost").length === 0`)
	p.settle()
	p.button("Undo")
	p.says("sub", "Undone")
	p.wait(`document.querySelectorAll(".wheel")[2].querySelectorAll(".ring.ghost").length === 1`)

	p.button("Unroll")
	b := eval[[4]float64](p, `(({x, y, width, height}) => [x, y, width, height])(document.querySelector(".unroll").getBoundingClientRect())`)
	p.pull([2]float64{b[0] + b[2]*0.2, b[1] + b[3]/2}, [2]float64{b[0] + b[2]*4.3/21, b[1] + b[3]/2})
	p.settle()
	p.atTick(4)
}

// TestEditsGoAlong adds a timer that is due after the end of the scenario, and goes to the end of the run. A reload, the other
// language, the laboratory and the way back show the same run at the same tick.
func TestEditsGoAlong(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + entryView)
	p.press("a")
	p.wait(`document.activeElement.closest(".hub.edit")`)
	p.press("100")
	p.press("\r")
	p.says("sub", "Added, due at 100")
	p.press(kb.End)
	p.wait(`location.search.includes("run=") && document.querySelector("main").dataset.now > 100`)
	p.settle()
	const there = `document.readyState === "complete" && document.querySelector("main")?.dataset.settled === "true" && document.querySelector("main").dataset.now === `
	now := quote(eval[string](p, `document.querySelector("main").dataset.now`))
	for _, step := range [][2]string{
		{`location.reload()`, `document.querySelector(".wheel")`},
		{`document.querySelector("[data-lang-to=zh]").click()`, `document.documentElement.lang === "zh-Hans"`},
		{`document.getElementById("lab").click()`, `location.search.includes("mine=")`},
		{`document.getElementById("simple").click()`, `document.querySelector(".wheel")`},
	} {
		p.run(`window.before = true; ` + step[0])
		p.wait(`!window.before && ` + step[1] + ` && ` + there + now)
	}

	p = newTab(t) // a run that the server no longer has
	p.forgive("404")
	p.open(s.url + "/?view=entry&run=ffffffffffffffff")
	p.press(kb.ArrowRight)
	p.wait(`location.search.includes("scenario=ten-slots") && !document.documentElement.classList.contains("offline")`)
}

// TestEntryTurning turns a pressed slot once round for another round, and a timer to a later tick. Ghosts in all lanes say
// what would become of it. A timer that is dropped outside the wheel is cancelled, a slot is left, and Escape leaves all as it
// was.
func TestEntryTurning(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + entryView + "&t=4")
	captions := func(want string) {
		p.Helper()
		p.wait(`[...document.querySelectorAll("section[data-lane] .cap")].map((e) => e.textContent).join("|") === ` + quote(want))
	}
	turn := p.arc(1, 3, 13, 120) // slot 3 is due at 13, a turn later at 23
	p.grab(turn[0], turn[1])
	captions("slot 3|slot 3|level 0, slot 3")
	for _, xy := range turn[1:] {
		p.point(xy, chromedp.ButtonType(input.MouseButtonLeft))
	}
	captions("rejected|slot 3, 1 round|level 1, slot 2")
	p.says("say", "rejected, one more round, or a level up")
	p.wait(`document.querySelectorAll(".ghosts .ghost").length === 3 && document.querySelector(".wheel .delay")`)
	p.press(kb.Escape)
	p.wait(`!document.querySelector(".ghosts *")`)
	p.letGo(turn[len(turn)-1])
	if n := eval[int](p, `document.querySelectorAll("#sub button").length`); n != 0 {
		t.Error("Escape during a drag has changed something")
	}

	out := p.onWheel(1, 3, 230)
	p.pull(p.onWheel(1, 3, 120), out)
	p.frames()
	if n := eval[int](p, `document.querySelectorAll("#sub button").length`); n != 0 {
		t.Error("a slot that was left outside has added a timer")
	}
	p.grab(p.onWheel(1, 1, 123), p.onWheel(1, 1, 230)) // the timer due at 11
	p.says("say", "Let go to cancel")
	captions("cancel|cancel|cancel")
	p.letGo(p.onWheel(1, 1, 230))
	p.says("sub", "Cancelled")
	p.settle()
	if live := eval[string](p, `[...document.querySelectorAll("[data-total=live]")].map((e) => e.textContent).join()`); live != "0,2,2" {
		t.Errorf("%s timers are pending after the cancellation", live)
	}
	p.button("Undo")
	p.says("sub", "Undone")

	later := p.arc(1, 1, 4, 123)
	p.pull(later...)
	p.says("sub", "Now due at 14 s instead of 11 s")
	p.says("say", "11 is put off to 14 s.")
}

// TestEntryHover points at a chip, a dot, a slot and a line of a diagram. The same timer is lit in all wheels and diagrams.
func TestEntryHover(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + entryView + "&t=15&unroll=1") // the sentence is about the timer due at 15; 17 is pending in two lanes
	middle := func(element string) [2]float64 {
		p.Helper()
		return eval[[2]float64](p, `(({x, y, width, height}) => [x + width / 2, y + height / 2])(`+element+`.getBoundingClientRect())`)
	}
	lit := func(due string) {
		p.Helper()
		p.wait(`[...document.querySelectorAll(".wheel")].every((e) => [...e.querySelectorAll(".dots.dim .hot text:first-of-type")].map((e) => e.textContent).join() === ` + quote(due) + `)
			&& [...document.querySelectorAll(".unroll")].every((e) => e.querySelector(".hot") && e.querySelector(".pale"))`)
	}
	p.point(middle(`document.querySelector("#say .chip")`))
	lit("15")
	p.point(middle(`document.querySelectorAll(".wheel")[1].querySelector(".dot.pending .body")`))
	lit("17")
	p.point(p.onWheel(0, 4.6, 240))
	p.wait(`!document.querySelector(".hot")`)
	p.point(p.onWheel(1, 7.35, 150)) // slot 7, beside its only timer
	lit("17")
	p.wait(`document.querySelectorAll("section[data-lane] .cap")[1].textContent === "slot 7: at 17 s"`)
	p.point(middle(`document.querySelectorAll(".unroll")[2].querySelector(".wait[data-id]")`))
	p.wait(`document.querySelectorAll(".wheel .hot").length === 3`)
}

// manyEvents has more events than a page has.
const manyEvents = `{"wheelscope":1,"name":"long-run","tick":"1ms","until":1500,"lanes":[{"id":"a","algorithm":"rounds","slots":64},{"id":"b","algorithm":"hierarchical","slots":16},{"id":"c","algorithm":"heap"}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"x","delay":900},{"at":800,"op":"reset","timer":"x","delay":400}],
 "generate":[{"prefix":"beat","seed":1,"count":25,"arrivals":{"dist":"uniform","min":0,"max":20},"delay":{"dist":"uniform","min":5,"max":60},"every":7,"times":200}]}}`

// TestEntryLongRun moves about in a run with too many events for a page: by steps over the borders of what is known, to
// the ends, by scrubbing and by an edit. Pictures and numbers are those of the server at the same positions.
func TestEntryLongRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "long-run.json")
	if err := os.WriteFile(file, []byte(manyEvents), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, file)
	p := newTab(t)
	const address = "/?view=entry&scenario=long-run"
	shown := func() string {
		return eval[string](p, `[...document.querySelectorAll("[data-cost=total], [data-total], [data-now]")].map((e) => e.dataset.now ?? e.textContent).join() + `+wheels)
	}
	at := map[int]string{}
	for _, tick := range []int{0, 700, 701, 1300} {
		plain := newTab(t)
		plain.scripts(false)
		plain.do(chromedp.Navigate(fmt.Sprintf("%s%s&t=%d", s.url, address, tick)))
		plain.scripts(true)
		at[tick] = eval[string](plain, `[...document.querySelectorAll("[data-cost=total], [data-total], [data-now]")].map((e) => e.dataset.now ?? e.textContent).join() + `+wheels)
	}
	same := func(how string, tick int) {
		p.Helper()
		p.atTick(int64(tick))
		p.settle()
		if got := shown(); got != at[tick] {
			n := 0
			for n < min(len(got), len(at[tick])) && got[n] == at[tick][n] {
				n++
			}
			t.Errorf("%s: at tick %d\n%.900s\nwant\n%.900s", how, tick, got[max(0, n-300):], at[tick][max(0, n-300):])
		}
	}
	p.open(s.url + address + "&t=701")
	same("opened", 701)
	for range 60 { // further than what was fetched before the first instant
		p.press(kb.ArrowLeft)
	}
	p.atTick(641)
	for range 59 {
		p.press(kb.ArrowRight)
	}
	same("there and back", 700)
	p.press(kb.End)
	p.atTick(1500)
	p.settle()
	rail := eval[[4]float64](p, `(({x, y, width, height}) => [x, y, width, height])(document.getElementById("track").getBoundingClientRect())`)
	x := func(tick float64) [2]float64 {
		return [2]float64{rail[0] + 10 + tick/1501*(rail[2]-20), rail[1] + rail[3]/2}
	}
	p.pull(x(1490), x(1400), x(1301.5)) // a pixel is more than a tick
	p.wait(`document.querySelector("main").dataset.settled === "true" && Number(document.querySelector("main").dataset.now) < 1310`)
	for now := eval[int](p, `Number(document.querySelector("main").dataset.now)`); now != 1300; {
		key, by := kb.ArrowLeft, -1
		if now < 1300 {
			key, by = kb.ArrowRight, 1
		}
		p.press(key)
		now += by
	}
	same("scrubbed", 1300)
	p.press(kb.Home)
	p.atTick(0)
	p.settle()
	p.press(kb.ArrowRight)
	same("from the beginning", 0)

	p.open(s.url + address + "&t=700")
	p.settle()
	before := shown()
	p.press("a")
	p.press("30")
	p.press("\r")
	p.says("sub", "Added, due at 730 ms")
	p.settle()
	p.button("Undo")
	p.says("sub", "Undone")
	p.settle()
	if got := shown(); got != before {
		t.Errorf("after undo\n%.900s\nwant\n%.900s", got, before)
	}
}

// TestSiteEntryView opens the entry view of the static site. It plays the events of its HTML file before the engine has
// arrived, which then takes edits at the same position. A recorded run can be looked at.
func TestSiteEntryView(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	p := newMovingTab(t)
	p.atStart(`window.Worker = class { postMessage() {} };`) // an engine that never arrives
	p.do(chromedp.Navigate(s.URL + siteBase + "/"))
	p.wait(`document.querySelector("#play[aria-label=Pause]") && document.querySelectorAll(".trail").length === 2`)

	p = newTab(t)
	p.atStart(`window.Worker = class extends Worker { constructor(...args) { super(...args); this.addEventListener("message", ({ data }) => { if (data.message) window.answers = (window.answers ?? 0) + 1; }); } };`)
	p.do(chromedp.Navigate(s.URL + siteBase + "/?scenario=ten-slots&t=10"))
	p.wait(`document.querySelector("main").dataset.settled === "true" && window.answers > 2`) // hello, and the states of its session
	p.atTick(10)
	p.pull(p.onWheel(0, 3, 120), p.onWheel(0, 3, 119))
	p.says("sub", "Added, due at 13")
	p.settle()
	p.button("Undo")
	p.says("sub", "Undone")
	p.pull(p.onWheel(0, 4, 120), p.onWheel(0, 4, 119))
	p.says("sub", "Added, due at 14")
	p.wait(`Object.keys(localStorage).filter((key) => key.startsWith("wheelscope.mine.")).length === 2`)
	p.run(`document.getElementById("lab").click()`)
	p.wait(`location.search.includes("mine=") && document.getElementById("scenario-title")?.textContent.startsWith("My own") && document.querySelector("main").dataset.now === "10"`)

	p = newTab(t)
	p.do(chromedp.Navigate(s.URL + siteBase + "/?scenario=redis-same-key&view=entry&t=3"))
	p.wait(`document.querySelector("main").dataset.settled === "true"`)
	p.atTick(3)
	p.press(kb.ArrowRight)
	p.atTick(4)
	p.press("a")
	p.press("9")
	p.press("\r")
	p.says("sub", "This run was recorded")
}

// TestModulesFromDisk opens both views on a server for developers.
func TestModulesFromDisk(t *testing.T) {
	t.Parallel()
	s := serve(t, "--modules", "../../static")
	p := newTab(t)
	for url, module := range map[string]string{entryView: "/js/entry/app.js", "/?view=lab&scenario=ten-slots": "/js/page/lanes.js"} {
		p.open(s.url + url)
		p.press(kb.ArrowRight)
		p.atTick(0)
		p.settle()
		if !eval[bool](p, `performance.getEntriesByType("resource").some((e) => e.name.endsWith(`+quote(module)+`))`) {
			t.Errorf("%s has not loaded %s", url, module)
		}
	}
}

// TestEntryByKeyboard chooses a timer, changes when it is due and cancels it.
func TestEntryByKeyboard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + entryView + "&t=4")
	p.press(kb.ArrowDown) // the first pending timer is due at 11
	p.says("sub", "Due at 11")
	p.press("]")
	p.wait(`document.querySelectorAll(".ghosts .ghost").length === 3`)
	p.press("\r")
	p.says("sub", "Now due at 12 s instead of 11 s")
	p.settle()
	p.press(kb.ArrowDown)
	p.press(kb.Delete)
	p.says("sub", "Cancelled")
	p.settle()
	if live := eval[string](p, `[...document.querySelectorAll("[data-total=live]")].map((e) => e.textContent).join()`); live != "0,2,2" {
		t.Errorf("%s timers are pending after the cancellation", live)
	}
}

// onFirstScreen counts the controls, numbers and words that are visible.
const onFirstScreen = `(() => {
	const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".sr, .others, .skip, dialog, noscript");
	const controls = [...document.querySelectorAll("a[href], button, input, select, [role=slider]")].filter((e) => seen(e) && !e.closest(".stage"));
	let text = "";
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) if (seen(walker.currentNode.parentElement) && !walker.currentNode.parentElement.closest("script")) text += " " + walker.currentNode.data;
	return [controls.length, (text.match(/[0-9]+/g) ?? []).length, (text.match(/\p{L}{2,}/gu) ?? []).length];
})()`

// TestEntryFirstScreen checks that the first screen has little on it, that nothing scrolls, and that
// axe finds no violation, in four sizes.
func TestEntryFirstScreen(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	for k, v := range []view{{1366, 768, "light", "en"}, {1920, 1080, "dark", "zh"}, {1024, 768, "dark", "en"}, {390, 844, "light", "zh"}} {
		p := newTab(t)
		p.look(v)
		p.open(s.url + "/?lang=" + v.lang)
		if k == 0 {
			if n := eval[[3]int](p, onFirstScreen); n[0] > 10 || n[1] > 20 || n[2] > 60 {
				t.Errorf("%d controls, %d numbers, %d words, want at most 10, 20 and 60", n[0], n[1], n[2])
			}
		}
		for _, unrolled := range []bool{false, true} {
			if unrolled {
				p.press("u")
				p.settle()
			}
			if over := eval[string](p, `[document.documentElement, document.body].filter((e) => e.scrollHeight > innerHeight || e.scrollWidth > innerWidth).map((e) => e.localName).join()`); over != "" {
				t.Errorf("%d×%d: %s scrolls", v.wide, v.high, over)
			}
			p.run(string(script))
			p.axe(fmt.Sprintf("%d×%d, unrolled %v", v.wide, v.high, unrolled))
		}
	}
}
