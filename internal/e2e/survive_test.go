package e2e

import (
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// mine is the edit of these tests: a timer at tick 2 of the small scenario.
var mine = map[string]any{"at": 2, "op": "schedule", "timer": "mine", "delay": 7}

// makeMine adds it and goes to a tick without events.
func (p *tab) makeMine(s *server) (in *instants, tick int64) {
	p.Helper()
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	in = edited(p, "three-slots", mine)
	p.add("mine", "7", "", "")
	p.shows("a timer added", in.atTick(p, 2))
	p.run(`document.activeElement.blur()`)
	for tick = 3; tick <= 10; tick++ {
		p.press(kb.ArrowRight)
		p.shows("a tick on", in.atTick(p, tick))
	}
	p.wait(`location.search.includes("t=10")`)
	return in, tick - 1
}

// TestReloadKeeps reloads the page, of a built-in scenario and of an edited one.
func TestReloadKeeps(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	for tick := range int64(5) {
		p.press(kb.ArrowRight)
		p.atTick(tick)
	}
	p.wait(`location.search.includes("t=4")`)
	p.live(chromedp.Reload())
	p.shows("reloaded", builtin(t, "three-slots").atTick(t, 4))

	in, tick := p.makeMine(s)
	p.live(chromedp.Reload())
	p.shows("an edited scenario reloaded", in.atTick(t, tick))
	p.press(kb.End)
	p.shows("its end", in.atTick(t, in.until()))
}

// TestServerRestartKeeps stops the server under an edited scenario and starts another on the same
// address: the page says so, and continues.
func TestServerRestartKeeps(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	in, tick := p.makeMine(s)
	was := p.shown()
	p.forgive("ERR_CONNECTION_REFUSED")
	p.forgive("WebSocket connection to")
	p.forgive("404") // another server does not have the page's session
	s.stop(t)
	p.wait(`document.getElementById("link").checkVisibility() && document.getElementById("link").textContent.length > 10`)
	compareShown(t, "without a server", p.shown(), was)
	p.press(".")
	p.frames()
	compareShown(t, "a key without a server", p.shown(), was)

	serveAt(t, s.addr())
	p.wait(`!document.getElementById("link").checkVisibility() || document.getElementById("link").textContent.includes("again.")`)
	p.shows("with another server", in.atTick(t, tick))
	p.button("Fast-forward")
	p.atEnd(in)
	compareShown(t, "its end", p.shown(), in.atTick(t, in.until()))
	p.wait(`location.search.includes("t=14")`)
	p.live(chromedp.Reload())
	p.shows("reloaded at its end", in.atTick(t, in.until()))
}

// TestSwallowedConnection lets the network swallow what the page and the server send over their socket, which stays open: the page says
// so within 10 s, and connects again.
func TestSwallowedConnection(t *testing.T) {
	t.Parallel()
	for _, view := range []string{"lab", "entry"} {
		t.Run(view, func(t *testing.T) {
			t.Parallel()
			proxy := newSwallower(t, serve(t).addr())
			p := newTab(t)
			p.forgive("WebSocket connection to")
			p.open("http://" + proxy.addr + "/?scenario=three-slots&t=1&view=" + view)
			p.press(kb.ArrowRight)
			p.atTick(2)
			proxy.swallow.Store(time.Now().UnixNano())
			const told = `["sub", "link"].map((id) => document.getElementById(id)?.textContent).join()`
			p.run(`new Promise((done, failed) => {
				const at = performance.now();
				const look = () => ` + told + `.includes("does not answer") ? done() : performance.now() - at > 10_000 ? failed(new Error("after 10 s the page says " + ` + told + `)) : setTimeout(look, 50);
				look();
			})`)
			p.wait(`document.documentElement.matches(":has(body.entry):not(.offline)") || document.getElementById("link")?.textContent.includes("again.")`)
			p.press(kb.ArrowRight)
			p.atTick(3)
		})
	}
}

// swallower is a proxy whose connections may become half-open: they stay open, but pass nothing.
type swallower struct {
	addr    string
	swallow atomic.Int64 // connections that were accepted before this time, in nanoseconds, pass nothing
}

// newSwallower serves a proxy for the server at an address.
func newSwallower(t *testing.T, to string) *swallower {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := &swallower{addr: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				client.Close()
				continue
			}
			at := time.Now().UnixNano()
			for from, to := range map[net.Conn]net.Conn{client: server, server: client} {
				go func() {
					defer to.Close()
					buffer := make([]byte, 32<<10)
					for {
						n, err := from.Read(buffer)
						if err != nil {
							return
						}
						if at >= s.swallow.Load() {
							to.Write(buffer[:n])
						}
					}
				}()
			}
		}
	}()
	return s
}

// TestExports downloads the trace and the scenario of a built-in and of an edited run: the trace
// equals that of the command line, byte for byte.
func TestExports(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=crowded-slot")
	trace := p.download("export-trace")
	if want := command(t, nil, "run", "crowded-slot"); string(trace) != string(want) {
		t.Fatalf("the page's trace has %d bytes, that of the command line %d, or others", len(trace), len(want))
	}
	for _, as := range []string{"csv", "perfetto"} {
		if want := command(t, trace, "export", "-", "--as", as); string(p.download("export-"+as)) != string(want) {
			t.Errorf("the page's %s is not that of the command line", as)
		}
	}
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.add("mine", "7", "", "")
	p.shows("a timer added", edited(t, "three-slots", mine).atTick(t, 2))
	scenario := p.download("export-scenario")
	trace = p.download("export-trace")
	if want := command(t, scenario, "run", "-"); string(trace) != string(want) {
		t.Fatal("the trace of an edited run differs from that of its scenario on the command line")
	}
	if want := traceOf(t, edited(t, "three-slots", mine)); string(trace) != string(want) {
		t.Fatal("the trace of an edited run is not that of the edit")
	}
}

// download clicks a link and returns the file that the browser saved.
func (p *tab) download(id string) []byte {
	p.Helper()
	dir := p.TempDir()
	params := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir,
		BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID}
	if _, err := chromedp.CallBrowser(p.ctx, browser.SetDownloadBehavior, params); err != nil {
		p.Fatal(err)
	}
	p.forgive("net::ERR_ABORTED") // a navigation that becomes a download ends in this way
	p.run(`if (!document.getElementById("share").open) document.querySelector("[data-sheet=share]").click()`)
	p.do(chromedp.Click(chromedp.ID(id)))
	for end := time.Now().Add(settleTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(names) != 1 || filepath.Ext(names[0]) == ".crdownload" || filepath.Base(names[0])[0] == '.' { // not saved to its end
			continue
		}
		data, err := os.ReadFile(names[0])
		if err != nil {
			p.Fatal(err)
		}
		return data
	}
	p.Fatalf("no file was saved within %s", settleTime)
	return nil
}
