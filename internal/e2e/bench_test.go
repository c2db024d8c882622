package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// These benchmarks measure the page in Chromium with software rendering, and assert nothing. Run
// them with
//	go test ./internal/e2e -run '^$' -bench . -benchtime 1x
//
// Each reports the medians of several rounds. BENCHMARKS.md lists the required figures. Without
// -benchtime 1x all rounds are repeated. With -play 10m the heap is observed for ten minutes.

var playFor = flag.Duration("play", 30*time.Second, "how `long` BenchmarkHeap plays")

// frameTime is the time of one round of counting frames.
const frameTime = 5 * time.Second

// fiveRings keeps just under 2,000 pending timers in each of five lanes of 64 slots: all of them
// are drawn.
const fiveRings = `{"wheelscope":1,"name":"five-rings","until":20000,"lanes":[
 {"id":"rounds","algorithm":"rounds","slots":64},{"id":"wide","algorithm":"rounds","slots":64,"width":8},
 {"id":"list","algorithm":"simple","slots":64,"overflow":"list"},
 {"id":"two","algorithm":"hierarchical","slots":64,"levels":2},{"id":"digits","algorithm":"hierarchical","slots":64,"levels":3,"placement":"digits"}],
 "workload":{"generate":[{"prefix":"t","seed":1,"count":38000,"arrivals":{"dist":"uniform","min":0,"max":19000},
  "delay":{"dist":"uniform","min":1,"max":1900}}]}}`

// countFrames is a function in the page: the number of frames a second, the longest time between
// two, in milliseconds, and the number of frames.
const countFrames = `(ms) => new Promise((done) => {
	let [frames, longest, first, last] = [0, 0, 0, 0];
	const tick = (now) => {
		if (!first) first = now; else { frames++; longest = Math.max(longest, now - last); }
		last = now;
		if (now - first < ms && (frames < 2 || document.querySelector("[data-playing]"))) requestAnimationFrame(tick);
		else done([frames * 1000 / (now - first), longest, frames]);
	};
	requestAnimationFrame(tick);
})`

// rounds is the number of measurements of which a benchmark reports the medians.
const rounds = 5

// figures are the results of one round, by unit.
type figures map[string]float64

// medians measures in rounds and reports the median of each figure.
func medians(b *testing.B, round func() figures) {
	b.Helper()
	all := map[string][]float64{}
	for b.Loop() {
		for range rounds {
			for unit, v := range round() {
				all[unit] = append(all[unit], v)
			}
		}
	}
	for unit, list := range all {
		b.ReportMetric(median(list), unit)
	}
	b.ReportMetric(0, "ns/op")
}

// countFrames counts frames for a while, and measures the processor time of the page's main thread.
func (p *tab) countFrames() figures {
	p.Helper()
	before := p.metric("TaskDuration")
	got := eval[[]float64](p, fmt.Sprintf("(%s)(%d)", countFrames, frameTime.Milliseconds()))
	busy := p.metric("TaskDuration") - before
	return figures{"frames/s": got[0], "ms-longest": got[1], "ms-main/frame": busy * 1000 / got[2]}
}

// BenchmarkFramesOfFiveRings plays 100 ticks a second: about 200 timers are started and 200 fire
// in every lane.
func BenchmarkFramesOfFiveRings(b *testing.B) {
	file := filepath.Join(b.TempDir(), "five-rings.json")
	if err := os.WriteFile(file, []byte(fiveRings), 0o666); err != nil {
		b.Fatal(err)
	}
	s := serve(b, file)
	p := newTab(b)
	p.open(s.url + "/?view=lab&t=4000")
	p.choose("100 ticks a second")
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now > 4100`)
	medians(b, p.countFrames)
}

// BenchmarkFramesOfHundredThousand plays four rings of 4,096 slots with 100,000 timers at full
// speed.
func BenchmarkFramesOfHundredThousand(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	p.open(s.url + "/?view=lab&scenario=hundred-thousand")
	medians(b, func() figures {
		p.press(kb.Home)
		p.atSeq(0)
		p.settle()
		began := time.Now()
		p.button("Fast-forward")
		p.wait(`document.querySelector("[data-playing]")`)
		got := p.countFrames()
		p.atTick(60000)
		got["s-to-end"] = time.Since(began).Seconds()
		return got
	})
}

// BenchmarkKeyToPicture presses a key that moves the cursor by an event and measures the time from
// the key to the frame after the one that shows the event.
func BenchmarkKeyToPicture(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	for _, name := range []string{"three-slots", "heartbeats"} {
		b.Run(name, func(b *testing.B) {
			p.open(s.url + "/?view=lab&scenario=" + name + "&t=3")
			p.run(`window.delays = []; let at = 0;
				addEventListener("keydown", () => { at = performance.now(); }, true);
				new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => window.delays.push(performance.now() - at)))).observe(
					document.querySelector("main"), {attributes: true, attributeFilter: ["data-seq"]});`)
			medians(b, func() figures {
				p.run(`window.delays.length = 0`)
				for k := range 60 {
					p.press(string(".,"[k%2]))
					p.wait(fmt.Sprintf("window.delays.length > %d", k))
				}
				return percentiles(eval[[]float64](p, "window.delays"))
			})
		})
	}
}

// percentiles returns the median and the 95th percentile of delays in milliseconds.
func percentiles(delays []float64) figures {
	slices.Sort(delays)
	return figures{"ms-p50": delays[len(delays)/2], "ms-p95": delays[len(delays)*95/100]}
}

// BenchmarkHeap plays for the duration of -play and reports the heap of the page before and after,
// each measured after a garbage collection.
func BenchmarkHeap(b *testing.B) {
	s := serve(b)
	p := newTabFor(b, tabTime+2**playFor)
	p.open(s.url + "/?view=lab&scenario=heartbeats")
	p.choose("real time")
	for b.Loop() {
		before := p.heap()
		for end := time.Now().Add(*playFor); time.Now().Before(end); time.Sleep(time.Second) {
			if !eval[bool](p, `!!document.querySelector("[data-playing]")`) {
				p.press(" ")
			}
		}
		b.ReportMetric(before/(1<<20), "MiB-before")
		b.ReportMetric(p.heap()/(1<<20), "MiB-after")
		b.ReportMetric(0, "ns/op")
	}
}

// choose selects the speed with the given label.
func (p *tab) choose(words string) {
	p.Helper()
	p.do(chromedp.Focus(chromedp.ID("speed")))
	p.press(kb.Home)
	for range 40 {
		if eval[string](p, `document.getElementById("speed-words").textContent`) == words {
			p.run(`document.activeElement.blur()`)
			return
		}
		p.press(kb.ArrowRight)
	}
	p.Fatalf("no speed is called %q", words)
}

// heap returns the bytes that the page's scripts use after a garbage collection.
func (p *tab) heap() float64 {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		p.Fatal(err)
	}
	return p.metric("JSHeapUsedSize")
}

// metric returns a figure that the browser keeps of the page. Durations are processor time, in seconds.
func (p *tab) metric(name string) float64 {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		p.Fatal(err)
	}
	res, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.Fatal(err)
	}
	for _, m := range res.Metrics {
		if m.Name == name {
			return m.Value
		}
	}
	p.Fatalf("the browser reports no %s", name)
	return 0
}
