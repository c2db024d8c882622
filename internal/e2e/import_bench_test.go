package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// million is a scenario with a little over a million events.
const million = `{"wheelscope":1,"name":"million","until":60000,"lanes":[{"algorithm":"simple","slots":4096,"overflow":"list"},{"algorithm":"rounds","slots":256},
 {"algorithm":"hierarchical","slots":64},{"algorithm":"heap"}],"workload":{"generate":[{"prefix":"t","seed":1,"count":50000,
 "arrivals":{"dist":"uniform","min":0,"max":50000},"delay":{"dist":"uniform","min":1,"max":4000}}]}}`

// scrub drags the cursor over the whole run for a time and returns the frames per second in which
// the page showed another tick, and the longest time between two, in milliseconds.
const scrub = `(ms) => new Promise((done) => {
	const slider = document.querySelector("[role=slider], input[type=range][aria-label=Time], #time");
	const main = document.querySelector("main");
	let [shown, longest, first, last, at] = [0, 0, 0, 0, ""];
	const tick = (now) => {
		if (!first) first = last = now;
		slider.value = String(Math.round((0.5 + 0.45 * Math.sin((now - first) / 700)) * 60000));
		slider.dispatchEvent(new Event("input", { bubbles: true }));
		if (main.dataset.now !== at) { at = main.dataset.now; shown++; longest = Math.max(longest, now - last); last = now; }
		if (now - first < ms) requestAnimationFrame(tick);
		else done([shown * 1000 / (now - first), longest]);
	};
	requestAnimationFrame(tick);
})`

// BenchmarkTraceOfMillion opens a trace of a million events in the page, measured from the choice
// of the file to the picture of its run, and then drags the cursor over it.
func BenchmarkTraceOfMillion(b *testing.B) {
	dir := b.TempDir()
	for _, name := range []string{dir + "/million.jsonl", dir + "/million.jsonl.gz"} {
		b.Run(name[len(dir)+1:], func(b *testing.B) {
			command(b, []byte(million), "run", "-", "-o", name)
			info, err := os.Stat(name)
			if err != nil {
				b.Fatal(err)
			}
			s := serve(b)
			p := newTab(b)
			p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
			b.ReportMetric(float64(info.Size())/1e6, "MB")
			for b.Loop() {
				began := time.Now()
				p.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{name}))
				p.wait(`document.getElementById("title").textContent === "million" && document.querySelectorAll("section[data-lane]").length === 4`)
				p.settle()
				b.ReportMetric(time.Since(began).Seconds(), "s-to-open")
				p.wait(`document.getElementById("toast").textContent.includes("lines are equal to the run of its scenario")`)
				b.Log(eval[string](p, `document.getElementById("toast").textContent`))
				got := eval[[]float64](p, fmt.Sprintf("(%s)(%d)", scrub, frameTime.Milliseconds()))
				b.ReportMetric(got[0], "shown/s")
				b.ReportMetric(got[1], "ms-longest")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
