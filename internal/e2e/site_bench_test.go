package e2e

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// stepAtOnce is a script for a new page: it moves by an event as soon as the engine shows the scenario, and
// measures when the event is shown, in milliseconds after the navigation began.
const stepAtOnce = `(() => {
	let from = null;
	const watch = setInterval(() => {
		const main = document.querySelector("main");
		if (main?.dataset.settled !== "true") return;
		if (from === null) {
			from = main.dataset.seq;
			document.dispatchEvent(new KeyboardEvent("keydown", { key: ".", bubbles: true }));
		} else if (main.dataset.seq !== from) {
			clearInterval(watch);
			requestAnimationFrame(() => setTimeout(() => { window.stepShown = performance.now(); }));
		}
	}, 4);
})()`

// BenchmarkSiteStart opens the site in a browser that has nothing of it cached, and then again. It
// reports when the first content, which includes the picture, is painted, and when the first step
// is shown if it is made as soon as possible.
func BenchmarkSiteStart(b *testing.B) {
	medians(b, func() figures {
		s := serveSite(b) // an origin of its own: nothing is cached
		p := newTabFor(b, tabTime)
		p.atStart(stepAtOnce)
		got := figures{}
		for _, visit := range []string{"cold", "warm"} {
			p.do(chromedp.Navigate(s.URL + siteBase + "/lab/three-slots/"))
			p.wait(`window.stepShown`)
			times := eval[[]float64](p, `[performance.getEntriesByName("first-contentful-paint")[0].startTime, window.stepShown]`)
			got["ms-paint-"+visit], got["ms-step-"+visit] = times[0], times[1]
			p.wait(`(async () => (await navigator.serviceWorker.ready).active.state === "activated")()`)
		}
		p.do(chromedp.Navigate("about:blank"))
		return got
	})
}

// longRun has 3.4 million events. It is the one of BenchmarkFirstPass in package sim.
const longRun = `{"wheelscope":1,"name":"long","until":60000,"lanes":[{"algorithm":"simple","slots":65536},{"algorithm":"rounds","slots":512},
 {"algorithm":"hierarchical","slots":64},{"algorithm":"heap"},{"id":"digits","algorithm":"hierarchical","slots":64,"levels":4,"placement":"digits"}],
 "workload":{"generate":[{"prefix":"t","seed":1,"count":100000,"arrivals":{"dist":"uniform","min":0,"max":30000},
 "delay":{"dist":"uniform","min":1,"max":30000},"cancel":{"fraction":0.3,"after":{"dist":"uniform","min":0,"max":30000}}}]}}`

// seekOnSite is a function in the page that opens the run of a scenario, seeks to its end and then in it. It
// returns the times until the states arrive, in milliseconds.
const seekOnSite = `(async (scenario, seeks) => {
	const script = document.querySelector('script[src$="/lab/site-app.js"]').src;
	const { openSocket, request } = await import(script);
	const imported = await (await request(document.body.dataset.base + "/api/import?name=long.json", { method: "POST", body: scenario })).json();
	let taken, closed;
	const state = (tick) => new Promise((done, failed) => {
		closed = (event) => failed(new Error("closed: " + (event.line ?? event.reason)));
		taken = ({ data }) => {
			const m = JSON.parse(data);
			if (m.kind === "state" && m.tick === tick) done();
			else if (m.error) failed(new Error(data));
		};
	});
	const start = performance.now();
	const socket = openSocket(location.origin.replace("http", "ws") + document.body.dataset.base + "/ws?run=" + imported.run);
	await new Promise((done) => { socket.onopen = done; });
	socket.onmessage = (event) => taken(event);
	socket.onclose = (event) => closed(event);
	const times = [], until = 60000;
	for (let k = 0; k <= seeks; k++) {
		const from = k ? performance.now() : start, tick = k ? (k * 245489) % until : until;
		socket.send(JSON.stringify({ v: 1, id: k + 1, do: "seek", tick }));
		await state(tick);
		times.push(performance.now() - from);
	}
	socket.onclose = null;
	socket.close();
	return times;
})`

// seekOnSite computes the run of a scenario on the site and seeks in it.
func (p *tab) seekOnSite(text string, seeks int) []float64 {
	p.Helper()
	p.run(fmt.Sprintf(`window.times = null; (%s)(%q, %d).then((times) => { window.times = times; }, (error) => { window.times = String(error); }); 0`, seekOnSite, text, seeks))
	p.waitFor(tabTime, `window.times`)
	return eval[[]float64](p, `window.times`)
}

// BenchmarkSiteLongRun computes a run of 3.4 million events in the browser and natively, and seeks
// in it.
func BenchmarkSiteLongRun(b *testing.B) {
	s, p := serveSite(b), newTabFor(b, 3*tabTime)
	p.open(s.URL + siteBase + "/lab/")
	seed := 0
	medians(b, func() figures {
		seed++ // a run that has not been computed yet
		text := strings.Replace(longRun, `"seed":1`, `"seed":`+strconv.Itoa(seed), 1)
		times := p.seekOnSite(text, 100)
		native := nativePass(b, text)
		got := percentiles(times[1:])
		return figures{"ms-pass": times[0], "ms-native": native, "times-native": times[0] / native,
			"ms-seek-p50": got["ms-p50"], "ms-seek-p95": got["ms-p95"]}
	})
}

// nativePass computes the run of a scenario in this process. It returns the time in
// milliseconds.
func nativePass(b *testing.B, text string) float64 {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	p, err := program.Load([]byte(text))
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	run, err := store.Open(b.Context(), p)
	if err == nil {
		_, err = run.EndSeq(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
	return float64(time.Since(start).Microseconds()) / 1000
}

// BenchmarkSiteFrames plays five lanes of 64 slots on the site, 100 ticks a second.
func BenchmarkSiteFrames(b *testing.B) {
	p := openSite(b, serveSite(b), "lab/?lang=en")
	p.upload(b.TempDir()+"/five-rings.json", fiveRings)
	p.wait(`document.getElementById("title").textContent === "five-rings"`)
	p.slide(4000)
	p.choose("100 ticks a second")
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now > 4100`)
	medians(b, p.countFrames)
}

// BenchmarkSiteMemory opens built-in scenarios on the site, the first and those with the most
// timers, each in its own tab. It plays each for 3 s as fast as possible, and reports the memory of
// the process that shows the page and runs the engine.
func BenchmarkSiteMemory(b *testing.B) {
	s := serveSite(b)
	for b.Loop() {
		for _, name := range []string{library.Builtins()[0].Name, "cascade-storm", "heartbeats", "twelve-rings", "hundred-thousand"} {
			others := renderers(b)
			p := newTab(b)
			p.open(s.URL + siteBase + "/lab/" + name + "/?lang=en")
			p.button("Fast-forward")
			time.Sleep(3 * time.Second)
			p.press(" ")
			p.wait(`!document.querySelector("[data-playing]")`)
			var bytes float64
			for pid := range renderers(b) {
				if !others[pid] {
					bytes += privateBytes(b, pid)
				}
			}
			b.ReportMetric(bytes/1e6, "MB-"+name)
			p.do(chromedp.Navigate("about:blank"))
		}
		b.ReportMetric(0, "ns/op")
	}
}

// renderers returns the processes of the browser that show pages.
func renderers(b *testing.B) map[int64]bool {
	list, err := chromedp.CallBrowser(chromium, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		b.Fatal(err)
	}
	pids := map[int64]bool{}
	for _, p := range list.ProcessInfo {
		if p.Type == "renderer" {
			pids[p.ID] = true
		}
	}
	return pids
}

// privateBytes returns the memory of a process that it does not share with a file.
func privateBytes(b *testing.B, pid int64) (bytes float64) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var name string
		var kilobytes float64
		if n, _ := fmt.Sscan(lines.Text(), &name, &kilobytes); n == 2 && (name == "RssAnon:" || name == "RssShmem:") {
			bytes += 1024 * kilobytes
		}
	}
	return bytes
}
