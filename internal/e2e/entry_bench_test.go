package e2e

import (
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// threeWheels keeps 30 timers in three wheels of 64 slots.
const threeWheels = `{"wheelscope":1,"name":"three-wheels","tick":"1s","until":400,"lanes":[{"id":"a","algorithm":"simple","slots":64,"overflow":"list"},
 {"id":"b","algorithm":"rounds","slots":64},{"id":"c","algorithm":"hierarchical","slots":64}],
 "workload":{"generate":[{"prefix":"t","seed":1,"count":30,"arrivals":{"dist":"uniform","min":0,"max":9},"delay":{"dist":"uniform","min":10,"max":60},"every":60,"times":6}]}}`

func serveThreeWheels(b *testing.B) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), "three-wheels.json")
	if err := os.WriteFile(file, []byte(threeWheels), 0o666); err != nil {
		b.Fatal(err)
	}
	return serve(b, file).url + "/?view=entry&scenario=three-wheels"
}

// watchEntry collects, from now on, the times between frames, and those from a movement of the pointer to the end of the
// frame that shows it.
const watchEntry = `(() => {
	const seen = window.seen = { frames: [], answers: [], on: true };
	let last = 0, moved = 0;
	addEventListener("pointermove", (e) => { moved ||= e.timeStamp; }, { capture: true });
	const frame = (now) => {
		if (last) seen.frames.push(now - last);
		last = now;
		const from = moved;
		moved = 0;
		if (from) setTimeout(() => seen.answers.push(performance.now() - from)); // after the frame
		if (seen.on) requestAnimationFrame(frame);
	};
	requestAnimationFrame(frame);
})()`

// watched returns what watchEntry has collected.
func (p *tab) watched(name string) []float64 {
	return eval[[]float64](p, `window.seen.on = false, window.seen.`+name)
}

func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[min(len(list)-1, int(q*float64(len(list))))]
}

// reportLoad logs the load average of the machine, which figures depend on.
func reportLoad(b *testing.B) {
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		b.Logf("load average %s", strings.Join(strings.Fields(string(load))[:3], " "))
	}
}

// BenchmarkEntryPlays plays three wheels of 64 slots with 30 timers.
func BenchmarkEntryPlays(b *testing.B) {
	reportLoad(b)
	address := serveThreeWheels(b)
	p := newMovingTab(b)
	medians(b, func() figures {
		p.open(address + "&t=5")
		p.run(watchEntry)
		p.press(" ")
		time.Sleep(frameTime)
		frames := p.watched("frames")
		return figures{"ms-median": quantile(frames, 0.5), "ms-p95": quantile(frames, 0.95)}
	})
}

// BenchmarkEntryScrubs drags the hand and the track, and turns a pressed slot whose places are prefetched, on a near server
// and on one at a distance of 200 ms.
func BenchmarkEntryScrubs(b *testing.B) {
	address := serveThreeWheels(b)
	for _, latency := range []time.Duration{0, 200 * time.Millisecond} {
		for _, what := range []string{"track", "ghosts"} {
			b.Run(fmt.Sprintf("%s/%s", what, latency), func(b *testing.B) {
				reportLoad(b)
				p := newMovingTab(b)
				at := address
				if latency > 0 {
					at = distant(b, address, latency)
				}
				p.open(at + "&t=5")
				p.wait(`document.querySelector("main").dataset.settled === "true"`)
				time.Sleep(2 * time.Second) // places are prefetched at rest
				medians(b, func() figures {
					points := p.arc(1, 2, 9.5, 120)
					if what == "track" {
						points = nil
						for x := range 20 {
							points = append(points, p.track(float64(x)))
						}
					}
					p.run(watchEntry)
					p.grab(points...)
					answers, frames := p.watched("answers"), p.watched("frames")
					p.press("\x1b")
					p.letGo(points[len(points)-1])
					p.settle()
					return figures{"ms-frame-median": quantile(frames, 0.5), "ms-frame-p95": quantile(frames, 0.95), "ms-answer-p95": quantile(answers, 0.95)}
				})
			})
		}
	}
}

// distant returns the address of a proxy of the server at address, from which every byte comes and goes half of delay later.
func distant(b *testing.B, address string, delay time.Duration) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	host := strings.TrimPrefix(address, "http://")
	host, path, _ := strings.Cut(host, "/")
	later := func(to, from net.Conn) {
		type part struct {
			at   time.Time
			data []byte
		}
		parts := make(chan part, 1024)
		go func() {
			defer close(parts)
			for {
				data := make([]byte, 16<<10)
				n, err := from.Read(data)
				if err != nil {
					return
				}
				parts <- part{time.Now().Add(delay / 2), data[:n]}
			}
		}()
		for p := range parts {
			time.Sleep(time.Until(p.at))
			to.Write(p.data)
		}
		to.Close()
	}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", host)
			if err != nil {
				near.Close()
				continue
			}
			go later(far, near)
			go later(near, far)
		}
	}()
	return "http://" + l.Addr().String() + "/" + path
}

// watchOpening notes the time from the navigation to the end of the first frame that has the wheels, and to that of the first
// one in which a hand has moved.
const watchOpening = `(() => {
	const seen = window.opening = {};
	const note = (what) => setTimeout(() => seen[what] = performance.now()); // after the frame
	let first;
	const frame = () => {
		const hand = document.querySelector(".hand")?.getAttribute("x2");
		if (hand && !first) note("picture");
		first ??= hand;
		if (hand === first) requestAnimationFrame(frame);
		else note("movement");
	};
	requestAnimationFrame(frame);
})()`

// BenchmarkEntryOpens opens the page with nothing cached.
func BenchmarkEntryOpens(b *testing.B) {
	reportLoad(b)
	s := serve(b)
	medians(b, func() figures {
		p := newMovingTab(b)
		p.atStart(watchOpening)
		p.do(chromedp.Navigate(s.url + "/"))
		p.wait(`window.opening.movement`)
		got := eval[[2]float64](p, `[window.opening.picture, window.opening.movement]`)
		return figures{"ms-picture": got[0], "ms-movement": got[1]}
	})
}
