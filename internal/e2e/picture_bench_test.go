package e2e

import "testing"

// BenchmarkFramesOfOneLargeRing plays 100,000 timers with a lane of 4,096 slots large on the stage.
func BenchmarkFramesOfOneLargeRing(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	p.open(s.url + "/?scenario=hundred-thousand&t=2000&view=stage&lane=rounds")
	medians(b, func() figures {
		p.slide(2000) // from there to the end takes longer than a round
		p.press(" ")
		p.wait(`document.querySelector("[data-playing]")`)
		got := p.countFrames()
		p.press(" ")
		p.wait(`!document.querySelector("[data-playing]")`)
		return got
	})
}

// BenchmarkFramesOfACascade steps into a tick that moves 563 timers in two lanes and counts the frames of the
// animation.
func BenchmarkFramesOfACascade(b *testing.B) {
	s := serve(b)
	p := newTab(b)
	medians(b, func() figures {
		p.open(s.url + "/?view=lab&scenario=cascade-storm&t=511")
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
		return figures{"frames/s": got[0], "ms-longest": got[1]}
	})
}
