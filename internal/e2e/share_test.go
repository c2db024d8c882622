package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shareAddress presses the key and returns the URL and the frame that are shown.
func (p *tab) shareAddress() (address, frame string) {
	p.Helper()
	p.press("a")
	p.wait(`document.querySelector("#share[open]") && document.getElementById("share-said").textContent`)
	both := eval[[]string](p, `[document.getElementById("share-address").value, document.getElementById("share-frame").value]`)
	p.run(`document.querySelector("#share [data-close-sheet]").click()`)
	return both[0], both[1]
}

// arrived waits for a message about a shared URL.
func (p *tab) arrived(how, says string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("#arrival:not([hidden])[data-how=%s]")?.textContent.includes(%s)`, how, quote(says)))
}

// TestSharedAddress shares experiments between two servers, and between a server and the static site in
// both directions.
func TestSharedAddress(t *testing.T) {
	t.Parallel()
	site := serveSite(t).URL + siteBase
	one, other := serve(t).url, serve(t).url
	for name, way := range map[string][2]string{"server to server": {one, other}, "server to site": {one, site}, "site to server": {site, one}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkSharedAddress(t, way[0], way[1])
		})
	}
}

// checkSharedAddress shares a built-in scenario and a user's scenario at the laboratory with the
// URL here. It opens the shared URLs in another browser at the laboratory with the URL there:
// position and view are the same, and the digests are found equal.
func checkSharedAddress(t *testing.T, here, there string) {
	p := newTab(t)
	p.open(here + "/?view=lab&scenario=three-slots&t=4&lang=zh")
	p.press("d")
	p.press("2")
	p.run(`(() => { const f = document.getElementById("follow"); f.value = "5"; f.dispatchEvent(new Event("change")); })()`)
	address, frame := p.shareAddress()
	if !strings.Contains(frame, `<iframe src="`+here+"/?") || !strings.Contains(frame, "embed=1") {
		t.Errorf("the frame is %s", frame)
	}
	q := newTab(t)
	q.open(strings.Replace(address, here, there, 1))
	q.arrived("good", "逐事件一致：摘要 904efe2a0f027531")
	q.wait(`document.querySelector("section.large")?.dataset.lane === "rounds" && document.querySelector("[data-view=dial]").getAttribute("aria-pressed") === "true"`)
	q.wait(`document.getElementById("follow").value === "5"`)
	compareShown(t, "a built-in scenario", q.shown(), builtin(t, "three-slots").atTick(t, 4))

	in := edited(t, "crowded-slot", map[string]any{"at": 3, "op": "schedule", "timer": "</script>", "delay": 9})
	p.upload(t.TempDir()+"/own.json", string(in.run.Program().Scenario.AppendJSON(nil)))
	p.becomes("the user's own", in.atSeq(t, 0))
	p.press(".")
	p.press(".")
	p.atSeq(2)
	own, frame := p.shareAddress()
	q.open(strings.Replace(own, here, there, 1))
	q.arrived("good", "逐事件一致：摘要 "+in.run.Program().Digest()[:16])
	q.atSeq(2)
	q.settle()
	compareShown(t, "one of the user's own", q.shown(), in.atSeq(t, 2))
	// As a frame, without controls.
	q.open(strings.Replace(strings.Replace(own, here, there, 1), "lang=zh", "lang=zh&embed=1&controls=0", 1))
	q.arrived("good", in.run.Program().Digest()[:16])
	q.wait(`getComputedStyle(document.querySelector(".player")).display === "none" && document.querySelectorAll("section[data-lane]").length === 4`)
	if !strings.Contains(frame, "#share=1&amp;run=") && !strings.Contains(frame, "#share=1&run=") {
		t.Errorf("the frame is %s", frame)
	}
}

// TestSharedAddressOnTheWay opens a shared URL whose decoder has not been fetched when the server
// has sent everything and the page has updated its URL. The message must appear only after the
// shared position is shown, although its tick has sixteen digits.
func TestSharedAddressOnTheWay(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	const tick int64 = 4_000_000_000_000_000
	in := instantsOf(t, fmt.Appendf(nil, `{"wheelscope":1,"tick":"1ns","until":%d,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[
		{"at":5,"op":"schedule","timer":"soon","delay":3},{"at":6,"op":"schedule","timer":"late","delay":%d}]}}`, 2*tick, 2*tick-9))
	p := newTab(t)
	p.open(s.url + "/?view=lab&lang=en")
	p.upload(t.TempDir()+"/own.json", string(in.run.Program().Scenario.AppendJSON(nil)))
	p.wait(`document.querySelector("main").dataset.settled === "true" && document.getElementById("scenario").dataset.scenario === ""`)
	p.slide(tick)
	address, _ := p.shareAddress()
	q := newTab(t)
	release := q.holdAnswers("*/arrival-*.js*")
	q.open(address)
	q.wait(`!location.hash`)
	if says := eval[string](q, `document.getElementById("arrival").hidden ? "" : document.getElementById("arrival-text").textContent`); says != "" {
		t.Errorf("before the address is read the page says %q", says)
	}
	release()
	q.arrived("good", in.run.Program().Digest()[:16])
	q.atTick(tick)
	q.settle()
	compareShown(t, "the shared instant", q.shown(), in.atTick(t, tick))
}

// badAddresses are fragments derived from a valid one, and the message for each.
var badAddresses = []struct{ script, says string }{
	{`good.slice(0, good.length - 9)`, "was cut short"},
	{`good.replace("#share=1", "#share=7")`, "it is of version “7”, expected 1"},
	{`good.replace(/run=[0-9a-f]{3}/, "run=xyz")`, "run is “xyz"},
	{`good.replace("&end", "&follow=abc&end")`, "follow is “abc”"},
	{`good.replace("s=", "s=*")`, "character 1 of the scenario (s) is “*”"},
	{`good.replace(/s=.{40}/, "s=")`, "can’t be unpacked"},
	{`good.replace(/s=[^&]*/, "s=" + bomb)`, "unpacks to more than 16777216 bytes"},
	{`good.replace(/s=[^&]*/, "s=" + words)`, "can’t be opened. Shared: digest "},
	{`good.replace(/run=[0-9a-f]{4}/, "run=0000")`, "This is not the run that was shared. Shared: digest 0000"},
	{`good`, "its run differs here. Trace shared: 0123456789abcdef"},
}

// TestBadAddresses opens URLs that were truncated, edited or are malicious: the error is shown, and
// the open scenario stays open.
func TestBadAddresses(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.forgive("422")
	p.open(s.url + "/?view=lab&scenario=three-slots&t=4&lang=en")
	was := p.shown()
	in := remade(t, "crowded-slot", func(s map[string]any) { s["name"] = "mine" })
	p.run(`(async () => {
		const js = new URL("../../js/", document.querySelector("script[src$='app.js']").src).href;
		const { pack, unpack } = await import(js + "core/pack.js");
		const text = ` + quote(string(in.run.Program().Scenario.AppendJSON(nil))) + `;
		window.good = "#share=1&run=` + in.run.Program().Digest()[:16] + `&sum=0123456789abcdef&s=" + await pack(text) + "&end";
		window.bomb = await pack(" ".repeat((16 << 20) + 1));
		window.words = await pack("these are words");
		for (const packed of ["", "a", "时间轮 ⏲ \u0000", text, "x".repeat(100000)]) {
			if (await unpack(await pack(packed), 1 << 20) !== packed) throw new Error("unpacks otherwise: " + packed.slice(0, 40));
		}
	})()`)
	for _, bad := range badAddresses[:8] {
		p.run(`document.getElementById("arrival-close").click(); location.hash = ` + bad.script)
		p.arrived("bad", bad.says)
		compareShown(t, "after "+bad.script, p.shown(), was)
	}
	for _, other := range badAddresses[8:] {
		p.run(`document.getElementById("arrival-close").click(); location.hash = ` + other.script)
		p.arrived("bad", other.says)
	}
	// A URL that works only in the browser in which it was made.
	q := newTab(t)
	q.open(s.url + "/?view=lab&mine=0123456789abcdef&lang=en")
	q.arrived("bad", "stored only in the browser in which it was made")
}

// TestTooLongAddress offers files for a scenario that is too long for a URL.
func TestTooLongAddress(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&lang=en")
	var ops []map[string]any
	for k := range 900 {
		ops = append(ops, map[string]any{"at": k * 7919 % 97, "op": "set", "timer": fmt.Sprintf("t%x", int64(k)*2654435761%1000003), "delay": k * 104729 % 977})
	}
	in := remade(t, "three-slots", func(s map[string]any) {
		s["until"], s["workload"] = 2000, map[string]any{"ops": ops}
	})
	p.upload(t.TempDir()+"/own.json", string(in.run.Program().Scenario.AppendJSON(nil)))
	p.wait(`document.querySelector("main").dataset.settled === "true" && document.getElementById("scenario").dataset.scenario === ""`)
	p.press("a")
	p.wait(`document.querySelector("#share[open]") && document.getElementById("share-short").hidden`)
	href := eval[string](p, `document.getElementById("export-trace").getAttribute("href")`)
	if body, code := s.get(t, href); code != 200 || !strings.HasPrefix(string(body), `{"wheelscope":1,"kind":"trace"`) {
		t.Errorf("%s: %d", href, code)
	}
}

// holdAnswers delays the server's responses to the page until the returned function is called.
func (p *tab) holdAnswers(pattern string) (release func()) {
	p.Helper()
	held := fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: pattern}}}
	if _, err := chromedp.Call(p.ctx, fetch.Enable, held); err != nil {
		p.Fatal(err)
	}
	return func() {
		if _, err := chromedp.Call(p.ctx, fetch.Disable, cdp.Empty{}); err != nil {
			p.Fatal(err)
		}
	}
}
