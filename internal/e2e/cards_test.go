package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim"
)

// marks are the ids of the timers that a lane's picture shows as fired and as refused.
type marks struct{ Fired, Refused []int64 }

// readMarks is an expression that returns the marks of every lane.
const readMarks = `Object.fromEntries([...document.querySelectorAll("section[data-lane]")].map((s) => [s.dataset.lane, {
	Fired: [...s.querySelectorAll(".dots .fired")].map((e) => +e.dataset.id), Refused: [...s.querySelectorAll(".dots .rejected")].map((e) => +e.dataset.id)}]))`

// markedFrom returns the index of the first event whose timer is marked after the step with the
// events from seq to next. It is the first event of the step or, if the step ends the tick, of the
// tick.
func markedFrom(events []traceEvent, seq, next int64) int64 {
	if next < int64(len(events)) && events[next].Tick == events[next-1].Tick {
		return seq
	}
	for seq > 0 && events[seq-1].Tick == events[next-1].Tick {
		seq--
	}
	return seq
}

// TestWhatLeavesIsSeen goes through a scenario step by step: in every lane exactly the timers that
// fire or are refused in the step are marked, and the caption names a refused timer. A page opened
// at the same event shows the same.
func TestWhatLeavesIsSeen(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	events := eventLines(t, string(traceOf(t, in)))
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	refused := 0
	for seq := int64(0); seq < in.last(t); {
		next := in.stepAfter(t, seq)
		p.press(kb.ArrowRight, shift)
		p.atSeq(next)
		p.settle()
		want := map[string]marks{}
		for _, e := range events[markedFrom(events, seq, next):next] {
			m := want[e.Lane]
			switch e.Kind {
			case "expire":
				m.Fired = append(m.Fired, int64(e.ID))
			case "reject":
				m.Refused = append(m.Refused, int64(e.ID))
				refused++
				if got := p.caption(e.Lane); !contains(got, e.Timer, "rejected") {
					t.Errorf("at event %d the caption of %s is %q", next, e.Lane, got)
				}
			}
			want[e.Lane] = m
		}
		for lane, got := range eval[map[string]marks](p, readMarks) {
			for _, list := range [][]int64{got.Fired, got.Refused, want[lane].Fired, want[lane].Refused} {
				slices.Sort(list)
			}
			if !slices.Equal(got.Fired, want[lane].Fired) || !slices.Equal(got.Refused, want[lane].Refused) {
				t.Errorf("at event %d lane %s marks %+v, want %+v", next, lane, got, want[lane])
			}
		}
		seq = next
	}
	if refused == 0 {
		t.Error("the scenario refuses no timer: nothing was tested")
	}
	for _, e := range events {
		if e.Kind == "reject" {
			p.open(fmt.Sprintf("%s/?view=lab&scenario=three-slots&seq=%d", s.url, e.Seq))
			if got := eval[map[string]marks](p, readMarks)[e.Lane]; !slices.Equal(got.Refused, []int64{int64(e.ID)}) {
				t.Errorf("opened at event %d lane %s marks %+v", e.Seq, e.Lane, got)
			}
			return
		}
	}
}

// caption returns a lane's caption for the step.
func (p *tab) caption(lane string) string {
	p.Helper()
	return eval[string](p, `document.querySelector("[data-lane=`+lane+`] [data-caption]").textContent`)
}

// TestCaptions compares the captions of single steps, in both languages.
func TestCaptions(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, c := range []struct{ lang, seq, lane, want string }{
		{"en", "104", "simple", "task6 rejected: 8 ms is beyond the range"}, {"zh", "104", "simple", "task6 被拒绝：8 ms 超出范围"},
		{"en", "104", "rounds", "task6 → slot 1, 2 rounds left"}, {"en", "104", "heap", "task6 → index 0"},
	} {
		p.open(fmt.Sprintf("%s/?view=lab&scenario=three-slots&seq=%s&lang=%s", s.url, c.seq, c.lang))
		if got := p.caption(c.lane); got != c.want {
			t.Errorf("%s, event %s: %s says %q, want %q", c.lang, c.seq, c.lane, got, c.want)
		}
	}
}

// TestCaptionsAreWhole goes through every step of the first scenario: no caption of the large lane is truncated. Those of
// thumbnails end with an ellipsis.
func TestCaptionsAreWhole(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(1440, 900))
	for _, lang := range []string{"en", "zh"} {
		p.open(s.url + "/?view=lab&scenario=three-slots&lang=" + lang)
		steps := eval[int](p, `Number(document.getElementById("nth").textContent.match(/\d+/g).at(-1))`)
		if steps < 30 {
			t.Fatalf("%s: it has %d steps", lang, steps)
		}
		for step := range steps + 1 {
			for _, cut := range eval[[]string](p, `[...document.querySelectorAll(".lane.large [data-caption]")].filter((c) => c.scrollHeight > c.clientHeight + 2).map((c) => c.textContent)`) {
				t.Errorf("%s, step %d: %q is cut", lang, step, cut)
			}
			p.run(`document.getElementById("do-step-next").click()`)
			p.settle()
		}
	}
}

// TestCaptionsOfAQuietTick goes to ticks without events in a lane. The caption of an earlier tick
// must not be repeated.
func TestCaptionsOfAQuietTick(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	const idle, busy = "nothing to do at this instant", "level 1 · slot 1: 1 touched, 1 fired"
	p.open(s.url + "/?view=lab&scenario=migration&t=4")
	if got := p.caption("none"); got != busy {
		t.Errorf("tick 4: %q, want %q", got, busy)
	}
	p.open(s.url + "/?view=lab&scenario=migration&t=5")
	for _, tick := range []int64{5, 6} {
		p.atTick(tick)
		p.settle()
		if got := p.caption("none"); got != idle {
			t.Errorf("tick %d: %q, want %q", tick, got, idle)
		}
		p.press(kb.ArrowRight)
	}
}

// TestDialTurns turns the dial: at every tick the slot under each hand is at the top, every timer
// is beside its slot, and the tables are unchanged.
func TestDialTurns(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	p.press("d")
	for tick := range in.until() {
		p.press(kb.ArrowRight)
		p.shows("with the dial turning", in.atTick(t, tick))
		for _, fault := range eval[[]string](p, dialFaults) {
			t.Errorf("tick %d: %s", tick, fault)
		}
	}
	p.live(chromedp.Reload())
	if eval[string](p, `document.querySelector("[data-view=dial]").getAttribute("aria-pressed")`) != "true" {
		t.Error("after a reload the hand turns")
	}
}

// TestDialTurnsWhilePlaying turns the dial during playback, right after a tick: all lanes turn in
// one frame, although their steps are drawn one after another.
func TestDialTurnsWhilePlaying(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newMovingTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=6")
	p.press(" ")
	p.atTick(7) // the hand of three slots is no longer at the top
	for _, fault := range eval[[]string](p, `new Promise((done) => {
		document.querySelector("[data-view=dial]").click();
		requestAnimationFrame(() => done(`+dialHands+`));
	})`) {
		t.Error(fault)
	}
}

// dialHands lists the wheels in which the slot under the hand is not at the top.
const dialHands = `[...document.querySelectorAll("section[data-shape=ring]")].flatMap((section) => {
	const under = section.querySelector('.numbers text.under[data-level="0"]');
	const top = Math.abs(under.getAttribute("x") - 200) <= 0.2 && under.getAttribute("y") <= 40;
	return top ? [] : [section.dataset.lane + ": slot " + under.textContent + " is under the hand and not at the top"];
})`

// dialFaults lists the numbers and the timers of wheels of three slots that are not at their
// positions on a turned dial.
const dialFaults = dialHands + `.concat([...document.querySelectorAll("section[data-shape=ring]")].flatMap((section) => {
	const faults = [];
	const under = section.querySelector('.numbers text.under[data-level="0"]');
	for (const dot of section.querySelectorAll(".dots .dot:not(.fired, .rejected)")) {
		const row = section.querySelector('.timer[data-id="' + dot.dataset.id + '"]').closest("tr");
		if (row.dataset.level !== "0") continue;
		const [x, y] = dot.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
		const turn = ((Math.atan2(y - 200, x - 200) + Math.PI / 2) / (2 * Math.PI) + 1) % 1;
		const want = ((row.dataset.slot - under.textContent + 3) % 3) / 3;
		const away = Math.abs(turn - want);
		if (Math.min(away, 1 - away) > 1 / 6) faults.push(section.dataset.lane + ": timer " + dot.dataset.id + " of slot " + row.dataset.slot + " is at " + turn);
	}
	return faults;
}))`

// TestTablesFold folds the tables by the key and opens them by the mouse: all together, remembered,
// and correct in both states.
func TestTablesFold(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(s.url + "/?scenario=three-slots&view=gallery")
	open := func() int { return eval[int](p, `document.querySelectorAll(".fold[open]").length`) }
	if n := open(); n != 0 {
		t.Errorf("%d tables are open at first", n)
	}
	p.press("tt")
	p.press(kb.ArrowRight)
	p.press(kb.ArrowRight)
	p.shows("folded", in.atTick(t, 1))
	p.live(chromedp.Reload())
	if n := open(); n != 0 {
		t.Errorf("%d tables are open after a reload", n)
	}
	p.run(`document.querySelector(".fold > summary").click()`)
	p.wait(`document.querySelectorAll(".fold[open]").length === document.querySelectorAll("section[data-lane]").length`)
}

// TestFirstPaintIsTheScripts opens a run with every kind of picture and compares the server's
// pictures with those of the scripts.
func TestFirstPaintIsTheScripts(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t, "testdata/catalogue.json")
	p := newTab(t)
	for _, at := range []string{"/?view=lab&t=0", "/?view=lab&t=60", "/?view=lab&t=175", "/?view=lab&t=300", "/?view=lab&t=1500", "/?view=lab&scenario=hundred-thousand&t=3"} {
		p.open(s.url + at)
		p.run(`Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})))`)
		drawn := eval[map[string]string](p, `(`+readPictures+`)(document)`)
		sent := eval[map[string]string](p, `fetch(`+quote(at)+`).then((r) => r.text()).then((text) => (`+readPictures+`)(new DOMParser().parseFromString(text, "text/html")))`)
		if lanes := eval[int](p, `document.querySelectorAll("section[data-lane]").length`); len(sent) != 9*lanes || lanes < 4 {
			t.Fatalf("%s: %d parts of %d pictures were sent", at, len(sent), lanes)
		}
		for part, was := range sent {
			if drawn[part] != was {
				t.Errorf("%s, %s: sent\n%s\ndrawn\n%s", at, part, was, drawn[part])
			}
		}
	}
}

// readPictures is a function of a document that returns the content of its pictures.
const readPictures = `(doc) => Object.fromEntries([...doc.querySelectorAll("section[data-lane]")].flatMap((section) => {
	const all = (query, say) => [...section.querySelectorAll(query)].map(say).sort().join("\n");
	const of = (...names) => (e) => [e.textContent.trim().replace(/\s+/g, " "), ...names.map((n) => n + "=" + (e.getAttribute(n) ?? ""))].join(" ");
	const parts = {
		dots: all(".dots .dot:not(.fired, .rejected), .bundle", (e) => e.dataset.id + " " + e.getAttribute("transform") + " " + e.querySelector("text")?.textContent + [...e.querySelectorAll("circle")].map((c) => c.getAttribute("r"))),
		hands: all(".hand", of("d")), borders: all(".border, .edge, .chain", of("d")), numbers: all(".numbers text", of("x", "y")),
		shades: all(".shade", of("d")), queues: all(".queues p, .queues li", of("title")),
		clock: all(".clock, .waiting", of("y")), badge: all(".badge", of("class", "title")), geometry: all("[data-geometry]", of()),
	};
	return Object.entries(parts).map(([part, text]) => [section.dataset.lane + " " + part, text.replaceAll(" title=\n", "\n").replace(/ title=$/, "")]);
}))`

// TestQueuesAreTheRuns goes through a run of kafka's wheel: the buckets below its picture are its
// delay queue, in order.
func TestQueuesAreTheRuns(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t, "testdata/catalogue.json")
	in := instantsOf(t, read(t, "catalogue.json"))
	p := newTab(t)
	p.open(s.url + "/?view=lab")
	most := 0
	for _, tick := range []int64{10, 60, 110, 175, 240, 300} {
		p.run(fmt.Sprintf(`(() => { const s = document.getElementById("time"); s.value = %d; s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change")); })()`, tick))
		p.atTick(tick)
		p.settle()
		snap, err := in.run.Seek(t.Context(), sim.EndOf(tick), 0)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, b := range snap.Lanes[6].Queue {
			want = append(want, fmt.Sprint(b.Due-in.run.Program().Start))
		}
		most = max(most, len(want))
		got := eval[[]string](p, `[...document.querySelectorAll("[data-lane=kafka] .queue b")].map((e) => e.textContent)`)
		if shown := want[:min(len(want), 6)]; strings.Join(got, " ") != strings.Join(shown, " ") {
			t.Errorf("tick %d: the queue is shown as %v, it is %v", tick, got, want)
		}
	}
	if most < 2 {
		t.Errorf("the queue had %d buckets at most: nothing was tested", most)
	}
}
