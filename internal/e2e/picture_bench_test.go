package e2e

import "testing"

// BenchmarkFramesOfOneLargeRing enlarges a lane of 4,096 slots with 100,000 timers and plays it.
func BenchmarkFramesOfOneLargeRing(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	p.open(s.url + "/?scenario=hundred-thousand&t=2000")
	p.press("2")
	p.settle()
	for b.Loop() {
		p.press(" ")
		p.wait(`document.querySelector("[data-playing]")`)
		p.reportFrames(b)
		p.press(" ")
		p.wait(`!document.querySelector("[data-playing]")`)
	}
}

// BenchmarkFramesOfACascade steps into a tick that moves 563 timers in two lanes and counts the frames of the
// animation.
func BenchmarkFramesOfACascade(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	for b.Loop() {
		p.open(s.url + "/?scenario=cascade-storm&t=511")
		p.settle()
		got := eval[[]float64](p, `new Promise((done) => {
			const times = [];
			document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", code: "ArrowRight", bubbles: true}));
			const frame = (now) => { times.push(now); if (times.length < 3 || now - times[0] < 1200) requestAnimationFrame(frame); else {
				const gaps = times.slice(1).map((t, i) => t - times[i]);
				done([gaps.length * 1000 / (now - times[0]), Math.max(...gaps)]);
			} };
			requestAnimationFrame(frame);
		})`)
		b.ReportMetric(got[0], "frames/s")
		b.ReportMetric(got[1], "ms-longest")
		b.ReportMetric(0, "ns/op")
	}
}
