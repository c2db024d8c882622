package e2e

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/gorilla/websocket"
)

// lastAsked returns the parameters of the last socket that the page requested.
func (g *gate) lastAsked() url.Values {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.query
}

// reclaimed waits until the page has requested its session with a secret, and returns that
// socket's parameters.
func (g *gate) reclaimed(t *testing.T) url.Values {
	t.Helper()
	for end := time.Now().Add(settleTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if q := g.lastAsked(); g.tries.Load() > 0 && q.Has("secret") {
			return q
		}
	}
	t.Fatalf("the page asked for a socket with %v, want its session and secret", g.lastAsked())
	return nil
}

// TestReclaimedSession cuts the page's socket, and reloads the page: the page gets its session at
// the same position, and still drives it, which a viewer sees. The secret can't be read anywhere. A
// page whose session another socket has taken over as the driver opens a new session.
func TestReclaimedSession(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := gateTo(t, s)
	in := edited(t, "three-slots", mine)
	p := newTab(t)
	p.open(g.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	p.add("mine", "7", "", "")
	p.shows("a timer added", in.atTick(p, 2))
	p.run(`document.activeElement.blur()`)
	p.press(kb.ArrowRight)
	p.shows("a tick on", in.atTick(p, 3))

	g.tries.Store(0)
	g.cut()
	asked := g.reclaimed(t)
	p.linkSays("Connected again.")
	p.settle()
	p.shows("its socket was cut", in.atTick(t, 3))
	viewer := newTab(t)
	viewer.open(s.url + "/?view=lab&session=" + asked.Get("session"))
	viewer.shows("a viewer", in.atTick(t, 3))
	p.press(kb.ArrowRight)
	p.shows("it drives", in.atTick(t, 4))
	viewer.shows("it drives, to a viewer", in.atTick(t, 4))
	for _, where := range []string{`location.href`, `JSON.stringify(localStorage)`, `JSON.stringify(sessionStorage)`, `document.documentElement.outerHTML`} {
		if eval[bool](p, where+`.includes(`+quote(asked.Get("secret"))+`)`) {
			t.Errorf("the secret is in %s", where)
		}
	}

	g.tries.Store(0)
	p.live(chromedp.Reload())
	if again := g.reclaimed(t); again.Get("session") != asked.Get("session") {
		t.Errorf("reloaded, it asked for %v, before for %v", again, asked)
	}
	p.shows("reloaded", in.atTick(t, 4))
	p.press(kb.ArrowRight)
	p.shows("reloaded, it drives", in.atTick(t, 5))
	viewer.shows("reloaded, it drives, to a viewer", in.atTick(t, 5))

	g.tries.Store(0)
	other, _, err := websocket.DefaultDialer.Dial("ws://"+s.addr()+"/ws?"+asked.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	p.linkSays("Connected again.")
	p.settle()
	p.shows("another drives", in.atTick(t, 5))
	if q := g.lastAsked(); q.Has("session") || g.tries.Load() != 1 {
		t.Errorf("it asked for %d sockets, the last with %v", g.tries.Load(), q)
	}
}

// TestViewerComesBackAsViewer cuts the socket of a page that shows the session of another one, and reloads it: it shows that
// session again and drives nothing.
func TestViewerComesBackAsViewer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := gateTo(t, s)
	driver, _, err := websocket.DefaultDialer.Dial("ws://"+s.addr()+"/ws?scenario=three-slots", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close()
	var hello struct{ Session string }
	if err := driver.ReadJSON(&hello); err != nil || hello.Session == "" {
		t.Fatalf("hello is %+v: %v", hello, err)
	}
	p := newTab(t)
	for _, again := range []func(){func() { p.open(g.url + "/?view=lab&lang=en&session=" + hello.Session) }, g.cut, func() { p.live(chromedp.Reload()) }} {
		g.tries.Store(0)
		again()
		for g.tries.Load() == 0 && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		p.linkSays("someone else controls")
		p.settle()
		if q := g.lastAsked(); q.Get("session") != hello.Session || q.Has("secret") {
			t.Errorf("it asked for %v", q)
		}
		if address := eval[string](p, `location.search`); !strings.Contains(address, "session="+hello.Session) || strings.Contains(address, "scenario=") {
			t.Errorf("its URL is %s", address)
		}
	}
}
