package e2e

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim/program"
)

// largeScenario is a small text whose run has more than 2 million events by the lower bound of its plan.
const largeScenario = `{"wheelscope":1,"name":"<b>much</b>","until":400000,"lanes":[{"algorithm":"heap"},{"algorithm":"heap","id":"other"}],
	"workload":{"generate":[{"prefix":"t","seed":1,"count":510000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"uniform","min":1,"max":400000}}]}}`

// shareOf returns the fragment that shares a scenario, and its run's digest. A page must be open.
func (p *tab) shareOf(scenario string) (fragment, digest string) {
	p.Helper()
	program, err := program.Load([]byte(scenario))
	if err != nil {
		p.Fatal(err)
	}
	digest = program.Digest()
	return "#share=1&run=" + digest[:16] + "&s=" + p.packed(scenario) + "&end", digest
}

// isKnown reports whether the server has a run.
func (s *server) isKnown(t testing.TB, digest string) bool {
	t.Helper()
	_, code := s.get(t, "/scenario?run="+digest)
	return code == http.StatusOK
}

const asking = `document.querySelector("#large[open]")`

// TestLargeSharedScenario opens the URL of a large scenario: its name and cost are shown as text,
// and nothing is computed before the user opens it. If the user cancels, the page stays as it is.
func TestLargeSharedScenario(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=4&lang=en")
	was := p.shown()
	fragment, digest := p.shareOf(largeScenario)

	p.run(`location.hash = ` + quote(fragment))
	p.wait(asking)
	if name := p.text("large-name"); name != "<b>much</b>" {
		t.Errorf("it is called %q", name)
	}
	if cost := p.text("large-cost"); !strings.HasPrefix(cost, "2 lanes and 510,000 timers: at least 2 million events, ") || !strings.HasSuffix(cost, "B of the server’s memory.") {
		t.Errorf("its cost is %q", cost)
	}
	if focus := eval[string](p, `document.activeElement.id`); focus != "large-title" {
		t.Errorf("the focus is on %q", focus)
	}
	p.press(kb.Escape)
	p.wait(`!` + asking)
	p.settle()
	compareShown(t, "cancelled", p.shown(), was)

	// The URL is opened by a link on another page.
	q := newTab(t)
	q.open(s.url + "/?view=lab&lang=zh" + fragment)
	q.wait(asking)
	if cost := q.text("large-cost"); !strings.Contains(cost, "万 个事件") {
		t.Errorf("its cost is %q", cost)
	}
	q.button("取消")
	q.wait(`!` + asking)
	if s.isKnown(t, digest) {
		t.Error("the server has a run of what was not opened")
	}

	p.run(`location.hash = ""`)
	p.run(`location.hash = ` + quote(fragment))
	p.wait(asking)
	p.press(kb.Tab)
	p.press(kb.Enter)
	p.wait(`!` + asking + ` && document.getElementById("title").textContent === "<b>much</b>"`)
	p.settle()
	if !eval[bool](p, `document.getElementById("arrival").hidden`) {
		t.Error("a report, although the address names no trace to compare")
	}
	if !s.isKnown(t, digest) {
		t.Error("the server has no run of what was opened")
	}
}

// TestSharedScenarioThatIsRefused opens URLs of invalid scenarios, and of one for which the server
// is too busy: the reason is shown.
func TestSharedScenarioThatIsRefused(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.forgive("422")
	p.open(s.url + "/?view=lab&scenario=three-slots&t=4&lang=en")
	was := p.shown()
	p.run(`location.hash = "#share=1&run=0000000000000000&s=` + p.packed(`{"wheelscope":1,"lanes":[{"algorithm":"heap","arity":1}],"workload":{"ops":[]}}`) + `&end"`)
	p.arrived("bad", "can’t be opened. Shared: digest 0000000000000000")
	if why := p.text("problem"); !strings.Contains(why, "lanes[0].arity: ") {
		t.Errorf("the reason is %q", why)
	}
	compareShown(t, "after one that is refused", p.shown(), was)
}

// foreignPage serves a page of another site, which shows a URL in a frame.
func foreignPage(t testing.TB, address string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!DOCTYPE html><title>elsewhere</title><link rel="icon" href="data:,"><iframe id="lab" title="lab" width="360" height="420" src="%s"></iframe>`, strings.ReplaceAll(address, "&", "&amp;"))
	}))
	site.Listener = ln
	site.Start()
	t.Cleanup(site.Close)
	// The other host name makes it another site for the browser.
	return strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
}

// TestLargeScenarioInAFrame shows a large scenario in a frame of another site: the frame asks the
// user first. Its link opens a new window, which asks again before anything is computed.
func TestLargeScenarioInAFrame(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&lang=en")
	fragment, digest := p.shareOf(largeScenario)
	p.do(chromedp.Navigate(foreignPage(t, s.url+"/?view=lab&embed=1&controls=0&lang=en"+fragment)))
	frame := p.inFrame(s.url)
	frame.wait(asking)
	if open := eval[bool](frame, `document.getElementById("large-open").checkVisibility() || !document.getElementById("large-open").disabled`); open {
		t.Error("it can be opened within the frame")
	}
	href := eval[string](frame, `(({href, target, rel}) => target === "_blank" && rel === "noopener" ? href : "")(document.getElementById("large-window"))`)
	if href != s.url+"/?view=lab&lang=en"+fragment {
		t.Errorf("the link leads to %q", href)
	}
	// Nothing is computed, whichever button is pressed in the frame.
	frame.run(`document.getElementById("large-open").click()`)
	frame.run(`document.querySelector("#large form").requestSubmit()`)
	frame.frames()
	if s.isKnown(t, digest) {
		t.Error("it was opened from the frame")
	}
	q := newTab(t)
	q.open(href)
	q.wait(asking + ` && document.getElementById("large-open").checkVisibility() && !document.getElementById("large-window").checkVisibility()`)
	if s.isKnown(t, digest) {
		t.Error("it was opened without being asked for")
	}
}

// TestAxeOnALargeSharedScenario checks the dialog that asks the user with axe-core, in light and
// dark colours and at the width of a telephone.
func TestAxeOnALargeSharedScenario(t *testing.T) {
	soak(t)
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	p := newTab(t)
	for _, v := range some(2, view{1440, 900, "dark", "zh"}, view{360, 640, "light", "en"}, view{360, 640, "dark", "zh"}, view{1440, 900, "light", "en"}) {
		p.look(v)
		p.open(s.url + "/?view=lab&lang=" + v.lang)
		fragment, _ := p.shareOf(largeScenario)
		p.run(`location.hash = ` + quote(fragment))
		p.wait(asking)
		p.run(string(script))
		p.axe(v.String())
		if wide := eval[bool](p, `document.getElementById("large").getBoundingClientRect().right > innerWidth || document.getElementById("large").scrollWidth > document.getElementById("large").clientWidth`); wide {
			t.Errorf("%s: the question is wider than its window", v)
		}
	}
}

// inFrame returns the page of another site that is shown in a frame of this page, selected by the
// beginning of its URL.
func (p *tab) inFrame(address string) *tab {
	p.Helper()
	for end := time.Now().Add(settleTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		infos, err := chromedp.Targets(p.ctx)
		if err != nil {
			p.Fatal(err)
		}
		for _, info := range infos {
			if info.Type != "iframe" || !strings.HasPrefix(info.URL, address) {
				continue
			}
			ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
			q := &tab{TB: p.TB, ctx: ctx}
			p.Cleanup(func() { q.report(); cancel() })
			if err := chromedp.Listen(ctx, q.watch); err != nil {
				p.Fatal(err)
			}
			return q
		}
	}
	p.Fatalf("no frame shows %s", address)
	return nil
}
