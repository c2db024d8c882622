package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// BenchmarkFirstPaint opens the page with nothing cached: it reports when the first content and the
// server's complete state are painted, and the bytes transferred.
func BenchmarkFirstPaint(b *testing.B) {
	s := serve(b)
	for _, path := range []string{"/?scenario=ten-slots", "/?view=lab", "/?view=lab&scenario=three-slots", "/?view=lab&scenario=heartbeats"} {
		b.Run(path, func(b *testing.B) {
			medians(b, func() figures {
				p := newTab(b)
				p.do(chromedp.Navigate(s.url + path))
				p.wait(`document.querySelector("main").dataset.settled === "true"`)
				got := eval[[]float64](p, `new Promise((done) => new PerformanceObserver((list) => done([list.getEntries()[0].startTime,
					Math.max(...performance.getEntriesByType("resource").map((e) => e.responseEnd)),
					[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((n, e) => n + e.transferSize, 0),
				])).observe({type: "paint", buffered: true}))`)
				return figures{"ms-paint": got[0], "ms-loaded": got[1], "bytes": got[2]}
			})
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkTimelineRows draws the timeline of twelve lanes and 2,048 buckets in full, as the page
// does once for each range of a run. It reads a pixel so that no drawing is postponed.
func BenchmarkTimelineRows(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	p.open(s.url + "/?view=lab")
	p.run(`(async () => {
		const app = document.querySelector("script[type=module]").src;
		const at = (name) => import(new URL("../../js/" + name, app).href);
		const [{drawRows}, {Span}, {currentPalette}] = [await at("page/timeline/rows.js"), await at("page/timeline/span.js"), await at("core/colours.js")];
		const canvas = document.createElement("canvas");
		[canvas.width, canvas.height] = [1300, 240];
		const context = canvas.getContext("2d", {willReadFrequently: true});
		const row = () => Object.fromEntries(["live", "expire", "cascade", "reject", "finding", "cost"].map((what, i) =>
			[what, Array.from({length: 2048}, (_, k) => (k * 7919 + i * 31) % (i + 3))]));
		const rows = Array.from({length: 12}, row);
		const span = new Span(65535);
		span.width = 1300;
		window.drawn = () => {
			const start = performance.now();
			context.clearRect(0, 0, 1300, 240);
			drawRows({context, span, bucket: 32, palette: currentPalette()}, rows, 240, 65535);
			context.getImageData(0, 0, 1, 1);
			return performance.now() - start;
		};
	})()`)
	for b.Loop() {
		times := eval[[]float64](p, `Array.from({length: 51}, () => window.drawn())`)
		b.ReportMetric(slices.Min(times), "ms-least")
		b.ReportMetric(median(times), "ms-median")
		b.ReportMetric(0, "ns/op")
	}
}

// BenchmarkInputWhilePlaying plays five lanes and drags the timeline: it measures the time from the
// pointer's move to the frame that shows the new position.
func BenchmarkInputWhilePlaying(b *testing.B) {
	file := filepath.Join(b.TempDir(), "five-rings.json")
	if err := os.WriteFile(file, []byte(fiveRings), 0o666); err != nil {
		b.Fatal(err)
	}
	s := serve(b, file)
	p := newTab(b)
	p.open(s.url + "/?view=lab&t=4000")
	p.choose("100 ticks a second")
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now > 4020`)
	medians(b, func() figures {
		return percentiles(eval[[]float64](p, `(async () => {
			const main = document.querySelector("main"), time = document.getElementById("time"), delays = [];
			const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
			for (let k = 0; k < 60; k++) {
				const to = k % 2 ? 4000 + 20 * k : 14000 - 20 * k, start = performance.now();
				time.value = to;
				time.dispatchEvent(new Event("input"));
				time.dispatchEvent(new Event("change"));
				while (Math.abs(main.dataset.now - to) > 400 && performance.now() - start < 5000) await frame();
				await new Promise((done) => setTimeout(done)); // a frame's callbacks and its picture are one task
				delays.push(performance.now() - start);
				await new Promise((done) => setTimeout(done, 120));
			}
			return delays;
		})()`))
	})
}
