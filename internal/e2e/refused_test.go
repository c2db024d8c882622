package e2e

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// gate is a proxy in front of a server. It forwards everything except what it is set to refuse.
type gate struct {
	url      string
	refuses  atomic.Bool  // whether new sockets get 503
	commands atomic.Int64 // maximum bytes of a command; 0: any
	tries    atomic.Int64 // number of sockets requested
	busy     atomic.Int64 // number of comparisons that will still get 503
	after    atomic.Int64 // seconds in the Retry-After of these answers
	asked    atomic.Int64 // number of comparisons requested

	mu    sync.Mutex
	conns []*websocket.Conn // connections to the browser
	query url.Values        // parameters of the last socket
}

const busyLine = "this is being computed; ask again within 10s"

const fullLine = "the limit of 3 sessions is reached"

// gateTo starts a gate before a server.
func gateTo(t testing.TB, s *server) *gate {
	t.Helper()
	to, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{}
	pass := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/api/compare" && g.asked.Add(1) > 0 && g.busy.Add(-1) >= 0:
			w.Header().Set("Retry-After", strconv.FormatInt(g.after.Load(), 10))
			http.Error(w, busyLine, http.StatusServiceUnavailable)
		case r.URL.Path != "/ws":
			pass.ServeHTTP(w, r)
		case g.refuses.Load():
			if websocket.IsWebSocketUpgrade(r) {
				g.tries.Add(1)
			}
			w.Header().Set("Retry-After", "1")
			http.Error(w, fullLine, http.StatusServiceUnavailable)
		case !websocket.IsWebSocketUpgrade(r):
			pass.ServeHTTP(w, r)
		default:
			g.tries.Add(1)
			g.mu.Lock()
			g.query = r.URL.Query()
			g.mu.Unlock()
			g.relay(t, w, r, "ws://"+to.Host+r.URL.RequestURI())
		}
	}))
	t.Cleanup(func() {
		g.cut()
		front.Close()
	})
	g.url = front.URL
	return g
}

// relay forwards the messages of a socket.
func (g *gate) relay(t testing.TB, w http.ResponseWriter, r *http.Request, to string) {
	back, _, err := websocket.DefaultDialer.Dial(to, nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer back.Close()
	front, err := (&websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer front.Close()
	g.mu.Lock()
	g.conns = append(g.conns, front)
	g.mu.Unlock()
	go func() {
		for {
			kind, data, err := back.ReadMessage()
			if closed, ok := errors.AsType[*websocket.CloseError](err); ok && closed.Code != websocket.CloseAbnormalClosure {
				reason := websocket.FormatCloseMessage(closed.Code, closed.Text)
				front.WriteControl(websocket.CloseMessage, reason, time.Now().Add(settleTime)) // the browser answers
				return
			}
			if err != nil || front.WriteMessage(kind, data) != nil {
				front.Close()
				return
			}
		}
	}()
	for {
		kind, data, err := front.ReadMessage()
		if err != nil {
			return
		}
		if most := g.commands.Load(); most > 0 && int64(len(data)) > most {
			reason := websocket.FormatCloseMessage(websocket.CloseMessageTooBig, "")
			front.WriteControl(websocket.CloseMessage, reason, time.Now().Add(stopTime))
			front.ReadMessage() // the browser's answer
			return
		}
		if back.WriteMessage(kind, data) != nil {
			return
		}
	}
}

// cut closes every socket.
func (g *gate) cut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.conns {
		c.Close()
	}
	g.conns = nil
}

// linkSays waits for a text about the connection in the page.
func (p *tab) linkSays(words string) {
	p.Helper()
	p.wait(`document.querySelector("#link:not([hidden])")?.textContent.includes(` + quote(words) + `)`)
}

// TestRefusedSocket refuses the page's sockets: the page shows why, keeps its content, retries from
// time to time, and continues when accepted.
func TestRefusedSocket(t *testing.T) {
	t.Parallel()
	g := gateTo(t, serve(t))
	p := newTab(t)
	p.forgive("503")
	p.forgive("WebSocket connection to")
	p.open(g.url + "/?view=lab&scenario=three-slots&t=4&lang=en")
	was := p.shown()
	g.refuses.Store(true)
	g.tries.Store(0)
	began := time.Now()
	g.cut()
	p.linkSays("The server reports: “" + fullLine + "”. The page keeps its last state; trying again in ")
	for g.tries.Load() < 3 { // pauses of a second or more, as the server requests
		time.Sleep(50 * time.Millisecond)
		if time.Since(began) > settleTime {
			t.Fatalf("%d sockets were asked for", g.tries.Load())
		}
	}
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("three sockets were asked for within %s", took)
	}
	compareShown(t, "without a socket", p.shown(), was)
	g.refuses.Store(false)
	p.linkSays("Connected again.")
	p.settle()
	compareShown(t, "connected again", p.shown(), was)
}

// TestAsksAgain refuses a comparison with 503. If Retry-After is short the page retries, and
// meanwhile shows that the comparison is being computed. If Retry-After is long it shows the
// reason.
func TestAsksAgain(t *testing.T) {
	soak(t)
	t.Parallel()
	g := gateTo(t, serve(t))
	p := newTab(t)
	p.forgive("503")
	p.open(g.url + "/?view=lab&scenario=cascade-storm&t=4&lang=en")
	g.busy.Store(2)
	g.after.Store(1)
	began := time.Now()
	p.press("c")
	p.wait(`document.querySelector(".compare [data-problem]")?.textContent.includes("still computing")`)
	p.wait(`document.querySelectorAll(".compare-table tbody tr").length === 5`) // four lanes and package time
	if n := g.asked.Load(); n != 3 {
		t.Errorf("asked %d times, want 3", n)
	}
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("asked again twice within %s, want a second before each", took)
	}
	if text := eval[string](p, `document.querySelector(".compare [data-problem]").textContent`); text != "" {
		t.Errorf("beside the comparison it says %q", text)
	}
	g.busy.Store(1)
	g.after.Store(11) // longer than the page waits
	g.asked.Store(0)
	p.open(g.url + "/?view=lab&scenario=three-slots&t=4&lang=en")
	p.press("c")
	p.wait(`document.querySelector(".compare [data-problem]")?.textContent.includes(` + quote(busyLine) + `)`)
	if n := g.asked.Load(); n != 1 {
		t.Errorf("after a long Retry-After asked %d times, want 1", n)
	}
}

// TestCommandThatIsTooLarge makes the server close the socket because of a command: the page shows
// the reason, keeps its content and does not send the command again.
func TestCommandThatIsTooLarge(t *testing.T) {
	soak(t)
	t.Parallel()
	g := gateTo(t, serve(t))
	p := newTab(t)
	p.open(g.url + "/?view=lab&scenario=three-slots&t=4&lang=en")
	was := p.shown()
	g.commands.Store(900)
	g.tries.Store(0)
	p.upload(t.TempDir()+"/own.json", strings.Replace(largeScenario, "<b>much</b>", strings.Repeat("much ", 12), 1)+strings.Repeat(" ", 1000))
	p.wait(`document.querySelector("#problem:not([hidden])")?.textContent.includes("own.json: Not done: the command is too large.")`)
	p.wait(`!document.querySelector("#link:not([hidden])") || document.getElementById("link").textContent === "Connected again."`)
	p.settle()
	compareShown(t, "after a command that was too large", p.shown(), was)
	time.Sleep(2 * time.Second)
	if n := g.tries.Load(); n != 1 {
		t.Errorf("%d sockets were asked for afterwards, want 1", n)
	}
	_, seq := p.cursor()
	p.press(".")
	p.atSeq(seq + 1) // the page still works
}
