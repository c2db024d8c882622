package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// lifeOf lists the events of a timer's life.
func (s *instants) lifeOf(t testing.TB, id uint32) []int64 {
	t.Helper()
	life, err := s.run.LifeOf(t.Context(), id, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return life.Seqs
}

// TestFollowedByAddressAndKeys opens an address that follows a timer, and walks the
// events of its life by keys, to the last and back to the first.
func TestFollowedByAddressAndKeys(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.forgive("400") // a timer that is not there
	p.open(s.url + "/?scenario=three-slots&seq=1&follow=4&lang=en")
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
	// The story offers the timers it tells of; the log's lines too.
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
	// Reloaded, it is followed still; a timer that is not there is told.
	p.open(eval[string](p, `location.href`))
	p.wait(`document.getElementById("follow").value === "` + id + `"`)
	p.open(s.url + "/?scenario=three-slots&t=1&follow=999&lang=en")
	p.wait(`document.getElementById("toast").textContent.includes("timer 999, which this run does not have")`)
}

// TestFollowedInACrowd follows one of many thousands: in every wheel that is told by
// counts its place is ringed on the canvas.
func TestFollowedInACrowd(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "hundred-thousand")
	p := newTab(t)
	const id, ringed = 60000, `[...document.querySelectorAll("section[data-shape=ring] canvas")].map((c) => c.toDataURL())`
	life, err := in.run.LifeOf(t.Context(), id, 1000)
	if err != nil {
		t.Fatal(err)
	}
	tick := life.Records[0].Tick + 1
	p.open(s.url + fmt.Sprintf("/?scenario=hundred-thousand&t=%d&lang=en", tick))
	p.settle()
	before := eval[[]string](p, ringed)
	p.open(s.url + fmt.Sprintf("/?scenario=hundred-thousand&t=%d&follow=%d&lang=en", tick, id))
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
