package e2e

import (
	"fmt"
	"testing"
)

// filmHelpers are scripts for the film's tests: the page's modules, the frames of a GIF, and the
// difference of two pictures.
const filmHelpers = `(async () => {
	const base = [...document.querySelectorAll("script[src]")].find((s) => /\/lab\/(site-)?app\.js$/.test(s.src)).src.replace(/(site-)?app\.js$/, "");
	window.film = { ...(await import(base + "film/session.js")), ...(await import(base + "film/stage.js")), ...(await import(base + "film/plan.js")) };
	const address = URL.createObjectURL;
	URL.createObjectURL = (blob) => { window.blob = blob; return address.call(URL, blob); };
	window.bytesOf = async () => new Uint8Array(await window.blob.arrayBuffer());
	window.gifFrames = async (bytes) => {
		const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
		await decoder.tracks.ready; await decoder.completed;
		const out = [];
		for (let k = 0; k < decoder.tracks.selectedTrack.frameCount; k++) out.push((await decoder.decode({ frameIndex: k })).image);
		return out;
	};
	window.pixelsOf = (image, width, height) => {
		const c = new OffscreenCanvas(width, height).getContext("2d");
		c.drawImage(image, 0, 0, width, height);
		return c.getImageData(0, 0, width, height).data;
	};
	window.apart = (a, b) => { // mean distance of a channel, and the share of pixels that are far apart
		let sum = 0, far = 0;
		for (let i = 0; i < a.length; i += 4) {
			const d = Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]);
			sum += d / 3; if (d > 120) far++;
		}
		return [sum / (a.length / 4), far / (a.length / 4)];
	};
	const plain = (e) => { // an element as text: no empty parts, dots and attributes in one order
		const attributes = [...e.attributes].map((a) => [a.name, a.value.replace(/ ?\bnew\b/, "")]).filter(([, v]) => v).map((a) => a.join("=")).sort();
		const children = [...e.children].map(plain).filter(Boolean);
		if (e.getAttribute("class") === "dots") children.sort();
		const text = e.children.length ? "" : e.textContent.trim();
		return e.localName === "g" && !children.length ? "" : "<" + [e.localName, ...attributes].join(" ") + ">" + text + children.join("");
	};
	window.plainly = (markup) => plain(new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg">' + markup + "</svg>", "image/svg+xml").documentElement);
	window.fill = (fields) => { for (const [name, value] of Object.entries(fields)) document.getElementById("film-" + name).value = value; };
	window.made = true;
})()`

// makeFilm fills in the form and waits for the film.
func (p *tab) makeFilm(fields string) {
	p.Helper()
	p.run(`fill(` + fields + `); document.getElementById("film-result").hidden = true; document.getElementById("film-make").click()`)
	p.wait(`!document.getElementById("film-result").hidden && document.getElementById("film-cancel").hidden`)
}

// testFilm makes films of a small run and decodes them: the number of frames and the duration are
// as requested, frame k is the picture at cursor k, and a second GIF is identical.
func testFilm(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots&t=2&lang=zh")
	p.run(filmHelpers)
	p.wait(`window.made`)
	p.run(`document.querySelector("[data-sheet=film-sheet]").click()`)
	p.wait(`document.querySelectorAll("#film-lanes input").length === 5`)
	p.makeFilm(`{from: 0, to: 9, by: 1, unit: "tick", rate: 4, format: "gif", size: 0}`)
	p.run(`(async () => { window.first = await bytesOf(); window.frames = await gifFrames(first); window.decoded = true; })()`)
	p.wait(`window.decoded`)
	if got := eval[[]float64](p, `[frames.length, frames[0].codedWidth, frames[0].codedHeight, frames.reduce((n, f) => n + f.duration, 0)]`); got[0] != 10 || got[1] != 640 || got[2] != 360 || got[3] != 2_500_000 {
		t.Errorf("the GIF has %v, want 10 frames of 640 × 360 in 2.5 s", got)
	}
	// Every frame is the picture at its own cursor, drawn again separately, and differs from all
	// others.
	p.run(`(async () => {
		const app = { store: { run: new URL(document.getElementById("export-trace").href).searchParams.get("run") }, base: document.body.dataset.base, lang: "zh", lanes: { dial: false } };
		const session = new film.FilmSession();
		await session.open(app, new AbortController().signal);
		const stage = new film.Stage(app, session.store, { width: 640, height: 360, lanes: [0, 1, 2, 3, 4] });
		window.distances = []; window.markups = [];
		for (let k = 0; k < 10; k++) {
			await stage.draw(await session.at({ tick: k }), 0);
			const want = pixelsOf(stage.canvas, 640, 360);
			distances.push(frames.map((f) => apart(pixelsOf(f, 640, 360), want)));
			markups.push([0, 1, 2, 3, 4].map((lane) => stage.markup(lane)));
		}
		session.close();
		window.held = true;
	})()`)
	p.wait(`window.held`)
	distances := eval[[][][2]float64](p, `distances`)
	for k, row := range distances {
		for j, d := range row {
			if same := d[0] < 3 && d[1] < 0.002; same != (j == k) {
				t.Errorf("frame %d and the picture at tick %d are %.2f apart, %.4f of the pixels far", j, k, d[0], d[1])
			}
		}
	}
	// The picture drawn for the film is the one that the page shows at that cursor.
	p.run(`document.querySelector("#film-sheet [data-close-sheet]").click()`)
	for _, tick := range []int64{0, 3, 7} {
		p.run(fmt.Sprintf(`(() => { const time = document.getElementById("time"); time.value = %d; time.dispatchEvent(new Event("input", {bubbles: true})); time.dispatchEvent(new Event("change", {bubbles: true})); })()`, tick))
		p.atTick(tick)
		p.settle()
		p.run(`Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})))`)
		p.frames()
		if apart := eval[string](p, fmt.Sprintf(`[...document.querySelectorAll("section[data-lane] .picture > svg")].map((e, k) => [e.innerHTML, markups[%d][k]].map(plainly)).filter(([a, b]) => a !== b).map((pair) => pair.join("\n")).join("\n\n")`, tick)); apart != "" {
			t.Errorf("tick %d: on the page and in the film:\n%s", tick, apart)
		}
	}
	p.run(`document.querySelector("[data-sheet=film-sheet]").click()`)
	p.makeFilm(`{from: 0, to: 9}`)
	p.run(`(async () => { const again = await bytesOf(); window.alike = again.length === first.length && again.every((b, i) => b === first[i]); window.compared = true; })()`)
	p.wait(`window.compared`)
	if !eval[bool](p, `alike`) {
		t.Error("the same film made twice is not the same")
	}
}

// TestFilmAsVideo makes a WebM event by event and plays it. An invalid request is refused with one
// line, and a long one is cancelled.
func TestFilmAsVideo(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
	p.run(filmHelpers)
	p.wait(`window.made`)
	p.run(`document.querySelector("[data-sheet=film-sheet]").click()`)
	p.wait(`document.querySelectorAll("#film-lanes input").length === 5`)
	p.run(`for (const box of [...document.querySelectorAll("#film-lanes input")].slice(1)) box.click()`)
	p.makeFilm(`{from: 0, to: 0, by: 1, unit: "event", rate: 10, format: "webm", size: 4}`)
	events := eval[float64](p, `fetch("/trace?run=" + new URL(document.getElementById("export-trace").href).searchParams.get("run")).then((r) => r.text()).then((text) => text.split("\n").filter((line) => line.includes('"tick":0,')).length)`)
	p.wait(`document.querySelector("#film-view video")?.readyState >= 1`)
	if got := eval[[]float64](p, `(() => { const v = document.querySelector("#film-view video"); return [v.duration, v.videoWidth, v.videoHeight]; })()`); got[1] != 720 || got[2] != 720 || got[0] < (events-1)/10 || got[0] > events/10+0.01 {
		t.Errorf("the film is %v, want %v frames at 10 a second, 720 × 720", got, events)
	}
	// The frame in the middle is the picture at its event.
	p.run(fmt.Sprintf(`(async () => {
		const v = document.querySelector("#film-view video"), k = Math.floor(%v / 2);
		v.currentTime = (k + 0.5) / 10;
		await new Promise((done) => v.addEventListener("seeked", done, { once: true }));
		const app = { store: { run: new URL(document.getElementById("export-trace").href).searchParams.get("run") }, base: document.body.dataset.base, lang: "en", lanes: { dial: false } };
		const session = new film.FilmSession();
		await session.open(app, new AbortController().signal);
		const stage = new film.Stage(app, session.store, { width: 720, height: 720, lanes: [0] });
		await stage.draw(await session.at({ seq: k + 1 }), 0);
		window.apartBy = apart(pixelsOf(v, 720, 720), pixelsOf(stage.canvas, 720, 720));
		await stage.draw(await session.at({ seq: 1 }), 0);
		window.otherBy = apart(pixelsOf(v, 720, 720), pixelsOf(stage.canvas, 720, 720));
		session.close();
		window.watched = true;
	})()`, events))
	p.wait(`window.watched`)
	if mine, other := eval[[2]float64](p, `apartBy`), eval[[2]float64](p, `otherBy`); mine[0] > 4 || mine[1] > 0.004 || other[1] <= mine[1] {
		t.Errorf("the frame in the middle is %v from its own picture, %v from the first", mine, other)
	}
	for fields, want := range map[string]string{
		`{from: 0, to: 14, by: 1, unit: "tick", rate: 99}`: "1 to 60 frames",
		`{rate: 10, from: 3, to: 2}`:                       "between 3 and 14",
		`{from: 0, to: 14, by: 0}`:                         "1 or more",
		`{by: "", to: 14}`:                                 "1 or more",
		`{from: 0, to: 999999, by: 1}`:                     "between 0 and 14",
		`{from: 8, to: 8, by: 1, unit: "event"}`:           "the film would have no frames",
	} {
		p.run(`fill(` + fields + `); document.getElementById("film-make").click()`)
		p.wait(`document.getElementById("film-error").textContent.includes("` + want + `")`)
	}
	p.run(`fill({from: 0, to: 14, by: 1, unit: "event", rate: 10}); document.getElementById("film-make").click()`)
	p.wait(`document.getElementById("film-said").textContent.startsWith("Frame ")`)
	p.run(`document.getElementById("film-cancel").click()`)
	p.wait(`document.getElementById("film-said").textContent.startsWith("Cancelled") && !document.getElementById("film-make").disabled`)
}

// TestFilmIsBounded refuses a film of a million frames before it begins.
func TestFilmIsBounded(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=hundred-thousand&lang=en")
	p.run(filmHelpers)
	p.wait(`window.made`)
	p.run(`document.querySelector("[data-sheet=film-sheet]").click()`)
	p.wait(`document.querySelectorAll("#film-lanes input").length > 0`)
	for _, unit := range []string{"tick", "event"} {
		p.run(`fill({from: 0, to: 50000, by: 1, unit: "` + unit + `"}); document.getElementById("film-make").click()`)
		p.wait(`document.getElementById("film-error").textContent.includes("a film has at most 3600") && !document.getElementById("film-make").disabled`)
	}
}
