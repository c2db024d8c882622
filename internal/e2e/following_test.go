package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim/cursor"
)

// lifeOf returns the events of a timer.
func (s *instants) lifeOf(t testing.TB, id uint32) []int64 {
	t.Helper()
	life, err := cursor.TimerHistoryOf(t.Context(), s.run, id, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return life.Seqs
}

// TestFollowedByAddressAndKeys opens a URL that follows a timer, and goes through the timer's
// events by keys, to the last and back to the first.
func TestFollowedByAddressAndKeys(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.forgive("400") // a timer that does not exist
	p.open(s.url + "/?view=lab&scenario=three-slots&seq=1&follow=4&lang=en")
	p.wait(`document.getElementById("follow").value === "4" && location.search.includes("follow=4") && !document.getElementById("life").hidden`)
	seqs := in.lifeOf(t, 4)
	for _, seq := range seqs {
		p.press("e")
		p.shows("the next event of its life", in.atSeq(t, seq))
	}
	p.press("e")
	p.wait(`document.getElementById("toast").textContent.startsWith("Nothing more happens to task4")`)
	for k := len(seqs) - 2; k >= 0; k-- {
		p.press("E")
		p.atSeq(seqs[k])
	}
	p.press("E")
	p.wait(`document.getElementById("toast").textContent.startsWith("Nothing happened to task4")`)
	// The story and the lines of the log offer their timers for following.
	p.run(`document.querySelector(".follow-chips [data-follow='4']").click()`)
	p.wait(`document.getElementById("follow").value === "" && !location.search.includes("follow")`)
	p.press("e")
	p.wait(`document.getElementById("toast").textContent.startsWith("No timer is followed")`)
	p.run(`document.getElementById("tab-log").click()`)
	p.wait(`document.querySelector("#log .log-follow")`)
	id := eval[string](p, `(() => { const b = document.querySelector("#log .log-follow"); b.click(); return b.dataset.follow; })()`)
	p.wait(`document.getElementById("follow").value === "` + id + `" && location.search.includes("follow=` + id + `")`)
	p.run(`document.querySelector("#log [data-seq][tabindex='0']").focus()`)
	p.press(kb.ArrowRight)
	p.wait(`document.activeElement.matches(".log-follow")`)
	p.press(kb.ArrowDown)
	p.wait(`document.activeElement.matches("[data-seq]")`)
	// After a reload it is still followed; a timer that does not exist is reported.
	p.open(eval[string](p, `location.href`))
	p.wait(`document.getElementById("follow").value === "` + id + `"`)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=1&follow=999&lang=en")
	p.wait(`document.getElementById("toast").textContent.includes("timer 999, which this run does not have")`)
}

// TestFollowedAmongManyTimers follows one of many thousands of timers. In every wheel that shows only
// numbers of timers, the place of that timer has a ring on the canvas.
func TestFollowedAmongManyTimers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "hundred-thousand")
	p := newTab(t)
	const id, ringed = 60000, `[...document.querySelectorAll("section[data-shape=ring] canvas")].map((c) => c.toDataURL())`
	life, err := cursor.TimerHistoryOf(t.Context(), in.run, id, 1000)
	if err != nil {
		t.Fatal(err)
	}
	tick := life.Records[0].Tick + 1
	p.open(s.url + fmt.Sprintf("/?view=lab&scenario=hundred-thousand&t=%d&lang=en", tick))
	p.settle()
	before := eval[[]string](p, ringed)
	p.open(s.url + fmt.Sprintf("/?view=lab&scenario=hundred-thousand&t=%d&follow=%d&lang=en", tick, id))
	p.wait(`!document.getElementById("life").hidden`)
	p.settle()
	p.frames()
	after := eval[[]string](p, ringed)
	for k := range before {
		if before[k] == after[k] || len(after[k]) < 1000 || !strings.HasPrefix(after[k], "data:image/png") {
			t.Errorf("ring %d shows the same whether a timer is followed or not", k)
		}
	}
}

// TestFollowedPastWhatIsListed follows a timer with too many events to be listed. Keys move to the
// events beyond the list, too. Its ring is at the same position as that of another timer in the
// same place.
func TestFollowedPastWhatIsListed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "crowd.json")
	if err := os.WriteFile(path, []byte(longLife), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, path)
	p := newTab(t)
	const drawn = `document.querySelector("section[data-shape=ring] canvas").toDataURL()`
	follow := func(id int) (ring string) {
		p.run(fmt.Sprintf(`{ // it may come after the timers that are offered, which the page may fill in again at any time
			const list = document.getElementById("follow");
			list.replaceChildren(new Option("", %d));
			list.dispatchEvent(new Event("change"));
		}`, id))
		p.wait(fmt.Sprintf(`location.search.includes("follow=%d") && !document.getElementById("life").hidden`, id))
		p.settle()
		p.frames()
		return eval[string](p, drawn)
	}
	p.open(s.url + "/?view=lab&lang=en")
	p.slide(970)
	bare := eval[string](p, drawn)
	if b, a := follow(4002), follow(1); a != b || a == bare {
		t.Errorf("a has moved since its history was fetched; its ring is at the place of b's: %v; it has one: %v", a == b, a != bare)
	}
	p.press("e")
	p.atTick(1000)
	p.settle()
	p.press("e")
	p.wait(`document.getElementById("toast").textContent.startsWith("Nothing more happens to a")`)
	p.press("E")
	p.atTick(960)
}

// longLife has two timers that fire together, one of them scheduled long before the other, and many
// repeating timers in between.
const longLife = `{"wheelscope": 1, "until": 1200, "lanes": [{"algorithm": "hierarchical", "slots": 64, "levels": 3}],
	"workload": {"ops": [{"at": 0, "op": "schedule", "timer": "a", "delay": 1000}, {"at": 900, "op": "schedule", "timer": "b", "delay": 100}],
	"generate": [{"prefix": "r", "seed": 1, "count": 1000, "arrivals": {"dist": "constant", "value": 1}, "delay": {"dist": "constant", "value": 1}, "every": 1, "times": 250},
		{"prefix": "g", "seed": 2, "count": 3000, "arrivals": {"dist": "constant", "value": 1}, "delay": {"dist": "constant", "value": 4000}}]}}`
