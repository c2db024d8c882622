package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// twentyTimers keeps 20 timers in each of five lanes of few slots: all are drawn and moved.
const twentyTimers = `{"wheelscope":1,"name":"twenty-timers","until":4000,"lanes":[
 {"id":"rounds","algorithm":"rounds","slots":12},{"id":"tower","algorithm":"hierarchical","slots":6,"levels":3},
 {"id":"simple","algorithm":"simple","slots":60},{"id":"heap","algorithm":"heap"},{"id":"kafka","algorithm":"kafka","slots":8}],
 "workload":{"generate":[{"prefix":"t","seed":1,"count":2600,"arrivals":{"dist":"uniform","min":0,"max":3900},
  "delay":{"dist":"uniform","min":1,"max":59}}]}}`

// twelveRings plays 100,000 timers in each of twelve lanes.
const twelveRings = `{"wheelscope":1,"name":"twelve-rings","until":60000,"lanes":[
 {"id":"a","algorithm":"rounds","slots":4096},{"id":"b","algorithm":"rounds","slots":512},{"id":"c","algorithm":"hierarchical","slots":256,"levels":3},
 {"id":"d","algorithm":"hierarchical","slots":64,"levels":4},{"id":"e","algorithm":"simple","slots":4096,"overflow":"list"},
 {"id":"f","algorithm":"hierarchical","slots":4096,"levels":2},{"id":"g","algorithm":"kafka","slots":512},{"id":"h","algorithm":"netty","slots":512,"width":10},
 {"id":"i","algorithm":"hierarchical","slots":512,"levels":2,"placement":"digits"},{"id":"j","algorithm":"rounds","slots":1024},
 {"id":"k","algorithm":"hashed-sorted","slots":4096},{"id":"l","algorithm":"kafka","slots":64}],
 "workload":{"generate":[{"prefix":"t","seed":3,"count":100000,"arrivals":{"dist":"uniform","min":0,"max":20000},
  "delay":{"dist":"exponential","mean":"8s","max":"30s"},"cancel":{"fraction":0.4,"after":{"dist":"uniform","min":0,"max":"2s"}}}]}}`

// serveText serves a scenario given as text.
func serveText(b *testing.B, scenario string) *server {
	b.Helper()
	file := filepath.Join(b.TempDir(), "scenario.json")
	if err := os.WriteFile(file, []byte(scenario), 0o666); err != nil {
		b.Fatal(err)
	}
	return serve(b, file)
}

// watchTasks counts frames and records every task of the page longer than 50 ms from now on.
const watchTasks = `window.tasks = []; new PerformanceObserver((l) => { for (const e of l.getEntries()) window.tasks.push(e.duration); }).observe({type: "longtask"});
	window.framed = 0; (function count() { window.framed++; requestAnimationFrame(count); })()`

// tasks returns the longest task since the last call and, in per cent of the frames, the number of those longer than
// 50 ms: if it is at most 1, the 99th percentile is at most 50 ms, since every frame is a task.
func (p *tab) tasks(when string) figures {
	p.Helper()
	got := eval[[]float64](p, `[Math.max(50, ...window.tasks), 100 * window.tasks.length / window.framed, window.tasks = [], window.framed = 0].slice(0, 2)`)
	return figures{"ms-longest-task" + when: got[0], "%tasks>50ms" + when: got[1]}
}

// with returns figures with others.
func (f figures) with(others figures) figures {
	maps.Copy(f, others)
	return f
}

// BenchmarkFramesOfTwentyTimers plays five ticks a second with every movement shown.
func BenchmarkFramesOfTwentyTimers(b *testing.B) {
	s := serveText(b, twentyTimers)
	p := newTab(b)
	p.open(s.url + "/?view=lab&t=200")
	p.choose("5 ticks a second")
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now > 203`)
	p.run(watchTasks)
	medians(b, func() figures { return p.countFrames().with(p.tasks("")) })
}

// BenchmarkFramesOfTwelveRings plays twelve lanes to the end at full speed.
func BenchmarkFramesOfTwelveRings(b *testing.B) {
	s := serveText(b, twelveRings)
	p := newTab(b)
	p.open(s.url + "/?view=lab")
	p.wait(`document.querySelectorAll("section[data-lane]").length === 12`)
	p.run(watchTasks)
	medians(b, func() figures {
		p.button("Fast-forward")
		p.wait(`document.querySelector("[data-playing]")`)
		got := p.countFrames().with(p.tasks(""))
		p.press(kb.Home)
		p.atSeq(0)
		return got
	})
}

// BenchmarkTasksOfHundredThousand plays 100,000 timers for a while, pauses, and waits until the
// tables are complete.
func BenchmarkTasksOfHundredThousand(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	p.open(s.url + "/?view=lab&scenario=hundred-thousand")
	p.run(watchTasks)
	medians(b, func() figures {
		p.run(`document.getElementById("do-fast").click()`) // finding a button by its name is a long task itself
		p.wait(`+document.querySelector("main").dataset.now > 15000`)
		got := p.tasks("")
		p.press(" ")
		p.settle()
		got.with(p.tasks("-to-rest"))
		p.press(kb.Home)
		p.atSeq(0)
		p.settle()
		p.tasks("")
		return got
	})
}
