package e2e

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// testComparePane opens the comparison by key, compares the table with the engine, and moves the
// cursor by clicks in a plot and in the table.
func testComparePane(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=cascade-storm&t=100&lang=en")
	p.press("c")
	p.wait(`document.querySelectorAll("#plots canvas").length === 2`) // nothing is late, so there is no plot of lateness
	data, _ := library.Builtin("cascade-storm")
	program, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := compare.Lanes(t.Context(), program, nil)
	if err != nil {
		t.Fatal(err)
	}
	if columns := eval[int](p, `document.querySelectorAll(".compare-table thead th").length`); columns > 7 {
		t.Errorf("the table has %d columns at first", columns)
	}
	if zeros := eval[int](p, `[...document.querySelectorAll(".compare-table thead th")].filter((_, k) => k > 0 && [...document.querySelectorAll(".compare-table tbody tr")].every((row) => row.cells[k].textContent.trim() === "0")).length`); zeros != 0 {
		t.Errorf("%d columns at first have only zeros", zeros)
	}
	p.wait(`location.search.includes("pane=compare")`)
	p.button("All columns")
	table := eval[[][]string](p, `[...document.querySelectorAll(".compare-table tbody tr")].map((tr) => [...tr.cells].map((c) => c.textContent.replace(/[✓, ]/g, "")))`)
	for i, r := range rows {
		if got := table[i]; !strings.HasPrefix(got[0], r.Lane) || got[1] != fmt.Sprint(r.Fired) || got[9] != fmt.Sprint(r.Cost) || got[11] != fmt.Sprint(r.WorstTick) || got[12] != fmt.Sprint(r.WorstTickAt) {
			t.Errorf("the table has %v, the engine %+v", got, r)
		}
	}
	if verdict := eval[string](p, `document.getElementById("verdict").textContent`); !strings.HasPrefix(verdict, "All four fired all 500 timers on time.") {
		t.Error(verdict)
	}
	p.run(`document.querySelector(".compare-table [data-tick='512']").click()`)
	p.atTick(512)
	p.wait(`document.querySelector(".plot b").textContent === "` + costsAt512(program) + `"`)
	p.run(`(() => { const over = document.querySelector(".plot .u-over"), box = over.getBoundingClientRect();
		for (const type of ["pointerdown", "pointerup"]) over.dispatchEvent(new PointerEvent(type, {clientX: box.left + box.width / 2, clientY: box.top + 5, pointerId: 1, bubbles: true})); })()`)
	p.wait(`Math.abs(+document.querySelector("main").dataset.now - 390) < 5`) // the middle of 780
	p.settle()
	if line := eval[float64](p, `new DOMMatrix(document.querySelector(".plot-now").style.transform).e / document.querySelector(".plot .u-over").clientWidth`); line < 0.47 || line > 0.53 {
		t.Errorf("the line is at %.2f of the plot, the cursor at a half", line)
	}
	p.press("c")
	p.wait(`document.getElementById("compare").hidden && document.querySelector(".desk").checkVisibility({visibilityProperty: true})`)
}

// costsAt512 are the values of the first lane in the cost plot at tick 512: the mean cost per
// tick up to the end of the bucket, and the costliest tick of the bucket.
func costsAt512(p *program.Program) string {
	chart, err := compare.NewChart(context.Background(), p, nil)
	if err != nil {
		return err.Error()
	}
	k, spent := 512/chart.Bucket, 0.0
	for i, mean := range chart.Lanes[0].Mean[:k+1] {
		end := min(int64(i+1)*chart.Bucket, p.Until+1)
		spent += math.Round(mean*100) / 100 * float64(end-int64(i)*chart.Bucket)
	}
	amortised := strconv.FormatFloat(math.Round(spent/float64((k+1)*chart.Bucket)*100)/100, 'f', -1, 64)
	return amortised + " / " + humanize(chart.Lanes[0].Worst[k])
}

// humanize writes a number with a comma between thousands.
func humanize(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// testSummaryAtTheEnd plays a run to its end: the result is shown until the cursor moves.
func testSummaryAtTheEnd(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=rounds-off-by-one&lang=zh")
	p.button("快进")
	p.wait(`!document.getElementById("run-verdict").hidden`)
	if text := eval[string](p, `document.querySelector("#run-verdict p").textContent`); !strings.Contains(text, "naive 有 2 个晚触发，最多晚 3 个刻度") {
		t.Error(text)
	}
	p.press(",")
	p.wait(`document.getElementById("run-verdict").hidden`)
}

// TestPanesWithoutServer opens views while the server is down: each shows that, and loads when the
// server is back.
func TestPanesWithoutServer(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.forgive("Failed to load resource")
	p.forgive("request failed")
	p.forgive("WebSocket connection")
	p.open(s.url + "/?view=lab&scenario=migration&t=10&lang=en")
	p.press("l")
	p.wait(`document.querySelectorAll(".lecture-pick").length === 2`)
	addr := s.addr()
	s.stop(t)
	p.run(`document.querySelectorAll(".lecture-pick")[1].click()`)
	p.wait(`document.getElementById("problem").textContent.includes("could not be loaded")`)
	p.run(`document.querySelector("#problem span").textContent = ""`) // so that the next problem is a new one
	p.press(kb.Escape)
	p.press("c")
	p.wait(`document.querySelector("#compare [data-problem]").textContent.includes("could not be loaded")`)
	p.press("q")
	p.wait(`document.getElementById("problem").textContent.includes("could not be loaded")`)
	p.run(`document.querySelector("#compare [data-close-pane]").click()`)
	if eval[bool](p, `document.getElementById("compare").checkVisibility()`) {
		t.Error("the comparison, which could not be loaded, does not close")
	}
	p.press("l")
	serveAt(t, addr)
	p.wait(`document.getElementById("link").hidden`)
	p.run(`document.querySelectorAll(".lecture-pick")[1].click()`)
	p.wait(fmt.Sprintf(playedStop, 1))
	if eval[bool](p, `document.getElementById("problem").checkVisibility()`) {
		t.Error("the lecture is shown, and still the problem")
	}
}
