package scripttest

import "testing"

// checkSpans is a script that imports the timeline's span and returns its faults as lines. For many
// runs and widths, tick and position correspond, a zoom keeps the tick under the pointer and stays
// within the run, and a cursor that leaves the visible range becomes visible again.
const checkSpans = `(async () => {
	const { Span, INSET_PX } = await load("page/timeline/span.js");
	const faults = [];
	const must = (holds, ...what) => { if (!holds) faults.push(what.join(" ")); };
	let seed = 7;
	const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
	for (const until of [0, 1, 7, 8, 33, 100, 5500, 60000, 2 ** 40]) {
		const span = new Span(until);
		span.width = 900;
		must(span.x(span.from) === INSET_PX && Math.abs(span.x(span.to) - 900 + INSET_PX) < 1e-6, until, "does not fill the strip");
		must(span.tick(-50) === 0 && span.tick(5000) === Math.max(1, until), until, "goes past its ends");
		for (let k = 0; k < 200; k++) {
			const about = span.from + random(span.to - span.from + 1), was = span.x(about), length = span.to - span.from;
			const steps = random(3) - 1;
			span.zoom(steps, about);
			const now = span.to - span.from;
			must(span.from >= 0 && span.to <= Math.max(1, until) && now >= Math.min(8, Math.max(1, until)), until, "zoomed to", span.from, span.to);
			must(steps === 0 ? now === length : steps > 0 ? now <= length : now >= length, until, "zoom", steps, "from", length, "to", now);
			const free = span.from > 0 && span.to < until;
			must(!free || Math.abs(span.x(about) - was) <= 900 / now + 1, until, "tick", about, "moved from", was, "to", span.x(about));
			const tick = span.from + random(now + 1);
			if (now < 800) must(span.tick(span.x(tick)) === tick, until, "tick", tick, "is at that of", span.tick(span.x(tick)));
		}
		for (let k = 0; k < 50; k++) {
			span.zoom(1, random(until + 1));
			const tick = random(until + 1), inside = tick >= span.from && tick <= span.to, length = span.to - span.from;
			must(span.follow(tick) === !inside && tick >= span.from && tick <= span.to && span.to - span.from === length, until, "does not follow to", tick);
		}
		span.zoom(-64, 0);
		must(span.whole, until, "is not whole again");
	}
	return faults;
})()`

// TestSpan checks the range that the timeline shows.
func TestSpan(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	for _, fault := range eval[[]string](n, checkSpans) {
		t.Error(fault)
	}
}

// TestTickNumbers checks that the distances between the timeline's numbers are round, and that no
// more numbers are drawn than fit.
func TestTickNumbers(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	type distance struct{ Ticks, Room, Step int64 }
	for _, d := range eval[[]distance](n, `load("page/timeline/span.js").then(({ tickStep }) =>
		[1, 9, 14, 100, 780, 5500, 60000, 2 ** 40].flatMap((Ticks) => [1, 3, 10, 17].map((Room) => ({ Ticks, Room, Step: tickStep(Ticks, Room) }))))`) {
		digit := d.Step
		for digit%10 == 0 && digit > 0 {
			digit /= 10
		}
		if digit != 1 && digit != 2 && digit != 5 {
			t.Errorf("%d ticks with room for %d: every %d", d.Ticks, d.Room, d.Step)
		}
		if n := d.Ticks / d.Step; n > d.Room || d.Step > 1 && n < d.Room/3 {
			t.Errorf("%d ticks with room for %d: %d numbers, one every %d", d.Ticks, d.Room, n, d.Step)
		}
	}
}

// TestSpeedsInWords checks the speeds for ticks of all lengths: they are ordered from slow to fast,
// include real time, end with "as fast as possible", and have different labels.
func TestSpeedsInWords(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	type speed struct {
		Rate  float64
		Words string
	}
	all := eval[map[string][]speed](n, `Promise.all([load("core/times.js"), load("core/texts.js")]).then(([{ ladder, speedWords }, { setTexts }]) => {
		setTexts({ "speed.ticks": "{n} ticks a second", "speed.tick": "1 tick a second", "speed.real": "real time", "speed.times": "{n} × real time", "speed.max": "as fast as possible" });
		return Object.fromEntries(["1us", "1ms", "20ms", "1s", "1m", "1h"].map((tick) => [tick, ladder(tick).map((Rate) => ({ Rate, Words: speedWords(Rate, tick) }))]));
	})`)
	for tick, speeds := range all {
		seen := map[string]bool{}
		for k, s := range speeds {
			last := k == len(speeds)-1
			if seen[s.Words] || last != (s.Rate == 0) || !last && (s.Rate < 0.1 || s.Rate > 1e9) || k > 0 && !last && s.Rate <= speeds[k-1].Rate {
				t.Errorf("%s: speed %d is %v, %q", tick, k, s.Rate, s.Words)
			}
			seen[s.Words] = true
		}
		if !seen["as fast as possible"] || (tick == "1ms" || tick == "20ms" || tick == "1s") && (!seen["real time"] || !seen["1000 × real time"]) {
			t.Errorf("%s: %v", tick, speeds)
		}
	}
	if n := len(all["1h"]); n < 4 || all["1h"][n-2].Rate < 100 {
		t.Errorf("hours go no faster than %v", all["1h"])
	}
	if first := all["1ms"][0]; first.Words != "1 tick a second" {
		t.Errorf("the slowest is %q", first.Words)
	}
}
