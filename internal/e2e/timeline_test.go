package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim"
)

// readTimeline reads the timeline's pixels: for each lane's row and each tick, the colours near the
// tick, by the name of their custom property. It uses only the page's canvas, the names beside it
// and the ends of the slider.
const readTimeline = `(() => {
	const canvas = document.getElementById("timeline"), copy = document.createElement("canvas");
	[copy.width, copy.height] = [canvas.width, canvas.height];
	const c = copy.getContext("2d", {willReadFrequently: true});
	c.drawImage(canvas, 0, 0);
	const probe = document.head.appendChild(document.createElement("i"));
	const colours = Object.fromEntries(["waits", "expiry", "move", "rejection", "finding", "ink"].map((name) => {
		probe.style.color = "var(--" + name + ")";
		return [name, getComputedStyle(probe).color.match(/\d+/g).join()];
	}));
	probe.remove();
	const names = [...document.querySelectorAll("#time-names li")].filter((e) => e.checkVisibility());
	const from = canvas.getBoundingClientRect().top, slider = document.getElementById("time");
	const dots = canvas.width / canvas.clientWidth, ticks = slider.max - slider.min;
	return names.map((name) => {
		const b = name.getBoundingClientRect();
		const [top, high] = [Math.ceil((b.top - from) * dots), Math.floor(b.height * dots)];
		const row = [];
		for (let tick = 0; tick <= ticks; tick++) {
			const x = (8 + (canvas.clientWidth - 16) * tick / ticks) * dots, half = Math.min(16 * dots, (canvas.width - 16 * dots) / ticks / 2 - 1);
			const left = Math.max(0, x - half), pixels = c.getImageData(left, top, Math.min(canvas.width - left, 2 * half), high).data;
			const seen = new Set();
			for (let k = 0; k < pixels.length; k += 4) if (pixels[k + 3] === 255) seen.add(pixels.slice(k, k + 3).join());
			row.push(Object.keys(colours).filter((name) => seen.has(colours[name])).join(" "));
		}
		return {Name: name.textContent, Row: row};
	});
})()`

// timelineRow is a lane's row as drawn.
type timelineRow struct {
	Name string
	Row  []string
}

// wantRow returns the colours that the run implies at each tick of a lane.
func wantRow(l *sim.TimelineLane) (row []string) {
	worst := 0
	for k, n := range l.Cost {
		if n > l.Cost[worst] {
			worst = k
		}
	}
	for k := range l.Live {
		var seen string
		for _, sign := range []struct {
			there bool
			name  string
		}{{l.Live[k] > 0, "waits"}, {l.Expire[k] > 0, "expiry"}, {l.Cascade[k] > 0, "move"}, {l.Reject[k] > 0, "rejection"}, {l.Finding[k] > 0, "finding"}, {k == worst, "ink"}} {
			if sign.there && seen != "" {
				seen += " "
			}
			if sign.there {
				seen += sign.name
			}
		}
		row = append(row, seen)
	}
	return row
}

// TestTimelineShowsTheRun compares every mark of every lane's row with the run.
func TestTimelineShowsTheRun(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	in.last(t) // waits until the run is computed
	p := newTab(t)
	p.look(view{1440, 900, "light", "en"})
	p.open(s.url + "/?view=lab&scenario=three-slots")
	p.unfold()
	p.wait("(" + readTimeline + ").some((lane) => lane.Row.some((seen) => seen))")
	rows := eval[[]timelineRow](p, readTimeline)
	lanes := in.run.Timeline().Lanes
	if len(rows) != len(lanes) {
		t.Fatalf("%d rows for %d lanes", len(rows), len(lanes))
	}
	for i := range lanes {
		if id := in.run.Program().Scenario.Lanes[i].ID; rows[i].Name != id {
			t.Errorf("row %d is called %q, the lane %q", i, rows[i].Name, id)
		}
		if got, want := fmt.Sprintf("%q", rows[i].Row), fmt.Sprintf("%q", wantRow(&lanes[i])); got != want {
			t.Errorf("%s:\n got %s\nwant %s", rows[i].Name, got, want)
		}
	}
}

// TestTimelineShowsWhatIsUnderThePointer points at a tick: a text with the counts of all lanes is
// shown, and hidden when the pointer leaves.
func TestTimelineShowsWhatIsUnderThePointer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	in.last(t)
	b := p.box(p.find("slider", "Time"))
	_, y := b.middle()
	const tick = 2
	x := b.X + 8 + (b.W-16)*tick/float64(in.until())
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	p.wait(`!document.getElementById("time-tip").hidden`)
	lines := eval[[]string](p, `[...document.getElementById("time-tip").children].map((e) => e.textContent)`)
	timeline := in.run.Timeline()
	if len(lines) != len(timeline.Lanes)+1 || lines[0] != fmt.Sprint("t = ", tick) {
		t.Fatalf("the lines are %q", lines)
	}
	l := &timeline.Lanes[0]
	if want := fmt.Sprintf("simple %d pending · %d expiry · %d rejection · cost %d", l.Live[tick], l.Expire[tick], l.Reject[tick], l.Cost[tick]); lines[1] != want {
		t.Errorf("the line of the first lane is %q, want %q", lines[1], want)
	}
	if now, seq := p.cursor(); now != 0 || seq != 0 {
		t.Errorf("pointing moved the cursor to %d/%d", now, seq)
	}
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, b.X, 10))
	p.wait(`document.getElementById("time-tip").hidden`)
}

// TestTimelineByKeyboard uses keys while the slider has the focus: they have the same effect as
// elsewhere, and the slider's value text is the position.
func TestTimelineByKeyboard(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	p.do(chromedp.Focus(chromedp.ID("time")))
	for _, c := range []struct {
		key  string
		want shown
	}{
		{kb.ArrowRight, in.atTick(t, 4)}, {kb.ArrowLeft, in.atTick(t, 3)},
		{kb.PageDown, in.atSeq(t, in.stepAfter(t, in.lastOf(t, 3)))},
		{kb.End, in.atTick(t, in.until())}, {kb.Home, in.atSeq(t, 0)},
	} {
		p.press(c.key)
		p.shows("after "+c.key, c.want)
		want := fmt.Sprintf("t = %s of %d", c.want.Now, in.until())
		if n := p.find("slider", "Time"); n.value != c.want.Now || eval[string](p, `document.getElementById("time").getAttribute("aria-valuetext")`) != want {
			t.Errorf("after %s the slider is at %q, want %q", c.key, n.value, want)
		}
	}
	if !eval[bool](p, `getComputedStyle(document.getElementById("strip")).outlineStyle === "solid"`) {
		t.Error("the focus is not to be seen")
	}
}

// lastOf returns the last event at or before a tick.
func (s *instants) lastOf(t testing.TB, tick int64) int64 {
	t.Helper()
	seq, err := s.run.SeqAt(t.Context(), tick)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// unfold presses the button that unfolds the player's settings, or folds them.
func (p *tab) unfold() {
	p.Helper()
	p.button("Run until")
	p.frames()
}

// TestTimelineUnfolds shows one row per lane, then one row for all lanes again; the choice survives
// a reload.
func TestTimelineUnfolds(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	const rows = `[...document.querySelectorAll("#time-names li")].filter((e) => e.checkVisibility()).length`
	if n := eval[int](p, rows); n != 0 {
		t.Fatalf("%d names of rows are shown at first", n)
	}
	p.unfold()
	if n := eval[int](p, rows); n != 5 {
		t.Errorf("%d rows unfolded", n)
	}
	p.live(chromedp.Reload())
	if n := eval[int](p, rows); n != 5 {
		t.Errorf("%d rows after a reload", n)
	}
	p.unfold()
	if n := eval[int](p, rows); n != 0 {
		t.Errorf("%d names of rows are shown when folded", n)
	}
}

// TestTimelineZoom shows a part of a long run: the slider goes from its first tick to its last,
// playing moves on to the next part, and the whole run can be shown again.
func TestTimelineZoom(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "heartbeats")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=heartbeats&t=1000")
	p.unfold()
	for range 5 {
		p.button("Zoom in")
	}
	ends := func() (from, to int64) {
		e := eval[[]int64](p, `((s) => [+s.min, +s.max])(document.getElementById("time"))`)
		return e[0], e[1]
	}
	from, to := ends()
	if from > 1000 || to < 1000 || to-from > in.until()/30 {
		t.Fatalf("zoomed to %d … %d of %d", from, to, in.until())
	}
	b := p.box(p.find("slider", "Time"))
	_, y := b.middle()
	p.do(chromedp.MouseClickXY(b.X+b.W*0.75, y))
	p.wait(`+document.querySelector("main").dataset.now > 1000`)
	p.settle()
	tick, _ := p.cursor()
	if part := float64(tick-from) / float64(to-from); part < 0.72 || part > 0.78 {
		t.Errorf("a click at 0.75 of %d … %d leads to %d", from, to, tick)
	}
	compareShown(t, "in a zoomed timeline", p.shown(), in.atTick(t, tick))
	p.button("Fast-forward")
	p.atEnd(in)
	if from, to = ends(); to != in.until() || from == 0 {
		t.Errorf("at the end %d … %d is shown", from, to)
	}
	p.button("All of it")
	if from, to = ends(); from != 0 || to != in.until() {
		t.Errorf("all of it is %d … %d", from, to)
	}
}

// farAway runs to a tick that a browser's numbers can't represent exactly.
const farAway = `{"wheelscope":1,"name":"far","until":2305843009213693953,"lanes":[{"algorithm":"sorted"},{"algorithm":"heap"}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"near","delay":5},{"at":3,"op":"schedule","timer":"far","delay":1152921504606846977}]}}`

// TestTicksPastExactNumbers opens farAway: the page shows from which tick on numbers are rounded,
// and keeps working. It shows no such note in a shorter run.
func TestTicksPastExactNumbers(t *testing.T) {
	soak(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "far.json")
	if err := os.WriteFile(file, []byte(farAway), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, file)
	in := instantsOf(t, []byte(farAway))
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=far")
	if text := eval[string](p, `((e) => e.checkVisibility() ? e.textContent : "")(document.getElementById("rounded"))`); len(text) < 20 {
		t.Errorf("of rounded numbers it says %q", text)
	}
	p.press(kb.ArrowRight)
	p.shows("the first tick", in.atTick(t, 0))
	p.until("expire")
	p.press("n")
	p.atTick(5)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	if eval[bool](p, `document.getElementById("rounded").checkVisibility()`) {
		t.Error("of a short run it says that numbers are rounded")
	}
}
