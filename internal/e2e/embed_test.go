package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// deck serves docs/examples/reveal.html with reveal.js from npm, and returns its address. Its frames are of the server at base, which is
// another site for the browser.
func deck(t *testing.T, base string) string {
	t.Helper()
	if out, err := exec.Command("../../scripts/node-modules").CombinedOutput(); err != nil {
		t.Fatalf("npm: %v\n%s", err, out)
	}
	data, err := os.ReadFile("../../docs/examples/reveal.html")
	if err != nil {
		t.Fatal(err)
	}
	slides := strings.ReplaceAll(string(data), "http://127.0.0.1:8080", base)
	if !strings.Contains(slides, base) {
		t.Fatal("the example does not name the server's address")
	}
	mux := http.NewServeMux()
	mux.Handle("/node_modules/", http.StripPrefix("/node_modules/", http.FileServer(http.Dir("../../static/node_modules"))))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, slides)
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
}

// TestSlidesKeepTheirClicker clicks into the frame of a slide of reveal.js: each key pressed then changes the slide. The tab has the
// real focus, which a click moves into the frame, so the test is not parallel.
func TestSlidesKeepTheirClicker(t *testing.T) {
	s := serve(t)
	p := newTab(t)
	if _, err := chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, page.BringToFront, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	p.atStart(`addEventListener("message", ({data}) => { if (data?.kind === "position") window.told = true; if (data?.kind === "key") window.keys = (window.keys ?? 0) + 1; })`)
	p.forgive("Blocked autofocusing") // a log of Chromium about any frame with autofocus
	slides, passed := deck(t, s.url), 0
	for n := range 10 {
		p.do(chromedp.Navigate(fmt.Sprintf("%s/?%d#/1", slides, n)))
		p.wait(`document.querySelector(".reveal.ready") && window.told`)
		middle := eval[[2]float64](p, `((box) => [box.left + box.width / 2, box.top + box.height / 2])(document.querySelector("section.present iframe").getBoundingClientRect())`)
		p.do(chromedp.MouseClickXY(middle[0], middle[1]))
		p.wait(`document.activeElement.tagName === "IFRAME"`)
		p.press([]string{kb.PageDown, kb.ArrowRight, " ", "n", kb.PageUp}[n%5])
		p.wait(`deck.getState().indexh !== 1`)
		passed += eval[int](p, `window.keys ?? 0`)
	}
	if passed != 10 {
		t.Errorf("the frame has passed on %d of 10 keys", passed)
	}
}

// asks sends a command to the frame of a page, and returns the reply.
func (p *tab) asks(command string) string {
	p.Helper()
	return eval[string](p, `new Promise((done) => {
		const id = Math.floor(performance.now() * 1000);
		addEventListener("message", function take({data}) {
			if (data?.kind !== "ack" || data.id !== id) return;
			removeEventListener("message", take);
			done(data.error ?? "done");
		});
		document.querySelector("iframe").contentWindow.postMessage({wheelscope: 1, id, ...`+command+`}, "*");
	})`)
}

// TestEmbeddedPageObeysItsParent steers a frame with messages, on the server and in an exported file: it executes the commands of the
// list, refuses others, reports positions, and applies the parameters of its address.
func TestEmbeddedPageObeysItsParent(t *testing.T) {
	t.Parallel()
	s := serve(t)
	file := string(command(t, nil, "export", "three-slots", "--as", "html"))
	mux := http.NewServeMux()
	mux.HandleFunc("/file.html", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, file) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		src := s.url + "/?scenario=three-slots&embed=1&lanes=rounds,heap&theme=dark&controls=none&lang=en"
		if r.URL.Path == "/offline" {
			src = "file.html#view=lab&embed=1&lanes=rounds,heap&theme=dark&controls=none&lang=en"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!DOCTYPE html><title>around</title><link rel="icon" href="data:,"><script>
			addEventListener("message", ({data}) => { if (data?.kind === "position") window.at = data; });
		</script><iframe title="lab" width="900" height="500" src="%s"></iframe>`, strings.ReplaceAll(src, "&", "&amp;"))
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	for _, path := range []string{"/", "/offline"} {
		p := newTab(t)
		p.do(chromedp.Navigate(strings.Replace(site.URL, "127.0.0.1", "localhost", 1) + path))
		p.wait(`window.at?.until === 14`)
		for command, want := range map[string]string{
			`{do: "seek", tick: 6}`: "done", `{do: "follow", timer: "task6"}`: "done", `{do: "follow", timer: "nobody"}`: "timer: no timer of this name is known at this position",
			`{do: "load", scenario: "reach"}`: "do: expected one of seek, play, pause, step, follow", `{do: "op", op: "cancel"}`: "do: expected one of seek, play, pause, step, follow",
			`{do: "seek", tick: "6"}`: "tick: not a value of seek",
		} {
			if strings.Contains(command, "follow") {
				p.asks(`{do: "seek", tick: 6}`)
			}
			if got := p.asks(command); got != want {
				t.Errorf("%s: %s: %q, want %q", path, command, got, want)
			}
		}
		p.wait(`window.at.tick === 6 && window.at.seq > 0 && !window.at.playing`)
		p.asks(`{do: "step", by: "tick", n: 1}`)
		p.wait(`window.at.tick === 7`)
		p.asks(`{do: "play", rate: 0}`)
		p.wait(`window.at.tick === 14`)
		if path == "/offline" { // the frame is of the same site
			const shown = `(({document: d}) => [...d.querySelectorAll("section[data-lane]")].filter((s) => s.checkVisibility()).map((s) => s.dataset.lane).join() + " " + d.documentElement.dataset.theme + " " + d.body.className)(document.querySelector("iframe").contentWindow)`
			if got := eval[string](p, shown); !strings.HasPrefix(got, "rounds,heap dark") || !strings.Contains(got, "embed bare") {
				t.Errorf("the file shows %q", got)
			}
		}
	}
}
