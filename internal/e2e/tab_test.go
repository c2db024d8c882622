package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/internal/testkit"
)

// tab is one page in a browser context of its own: it shares no cookies, storage or cache with
// another test.
type tab struct {
	testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
	forgiven []string          // parts of the texts of expected problems
	states   int               // number of states that the server sent to the page
	onSite   bool              // whether the page is one of the static site, which has no WebSocket
	motion   bool              // whether the page does not ask for reduced motion
	longest  int               // bytes of the longest command of the page
	late     network.RequestID // the request of a page whose run was still being computed
}

// longForm reports whether tests run in their long form, as in `make soak`.
func longForm() bool { return testkit.Full() }

// soak skips a test that runs in `make soak` only: matrices of layouts, themes, sizes and languages, axe-core in every
// view, and details of pictures. Those that run always are journeys: one for each thing that a user does.
func soak(t *testing.T) {
	t.Helper()
	testkit.SoakOnly(t)
}

// some returns the first n of a list of combinations, and all of them in the long form.
func some[T any](n int, all ...T) []T {
	if longForm() {
		return all
	}
	return all[:n]
}

// newTab opens a tab and watches it. The test fails if the page reports an error, throws, or makes
// a request that fails. The tab has no service worker, and prefers reduced motion; see
// newMovingTab.
func newTab(t testing.TB) *tab {
	t.Helper()
	p := newTabFor(t, tabTime)
	p.atStart(noServiceWorker)
	return p
}

// newMovingTab opens a tab like newTab, but with motion, as most visitors have it. It is for tests
// of movements, of every frame, or of what a page shows after or instead of movements.
func newMovingTab(t testing.TB) *tab {
	t.Helper()
	p := newTab(t)
	p.motion = true
	p.media("")
	return p
}

// newTabFor opens a tab that may be used for the given time. Benchmarks measure with motion.
func newTabFor(t testing.TB, limit time.Duration) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	ctx, cancelTime := context.WithTimeout(ctx, limit)
	_, measured := t.(*testing.B)
	p := &tab{TB: t, ctx: ctx, motion: measured}
	t.Cleanup(func() {
		p.report()
		cancelTime()
		cancel()
	})
	if err := chromedp.Listen(ctx, p.watch); err != nil {
		t.Fatalf("a new tab: %v", err)
	}
	p.focus()
	p.media("")
	return p
}

// feature is the name and the value of a media feature.
type feature [2]string

// media sets the type of the medium, "" for that of the browser, and media features. Features that
// were set before are reset. Unless p.motion is set the page also prefers reduced motion.
func (p *tab) media(kind string, features ...feature) {
	p.Helper()
	if !p.motion {
		features = append(features, feature{"prefers-reduced-motion", "reduce"})
	}
	params := emulation.SetEmulatedMediaParams{Media: kind}
	for _, f := range features {
		params.Features = append(params.Features, &emulation.MediaFeature{Name: f[0], Value: f[1]})
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, params); err != nil {
		p.Fatalf("emulating %q %v: %v", kind, features, err)
	}
}

// noServiceWorker simulates a browser without service workers. The one of the site would fetch
// and keep all files in each tab. Without it every page comes from the server, which checks the
// requests.
const noServiceWorker = `Object.defineProperty(Navigator.prototype, "serviceWorker", {value: undefined})`

// atStart executes a script in each page of the tab, before the scripts of the page.
func (p *tab) atStart(script string) {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		p.Fatalf("a new tab: %v", err)
	}
}

// focus makes the page behave as if it were in front: tests run in parallel, and only the page in
// front receives keys and shows the focus ring.
func (p *tab) focus() {
	if _, err := chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		p.Fatalf("a new tab: %v", err)
	}
}

// watch records errors of the page. It runs in the loop that reads the browser's messages.
func (p *tab) watch(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.problem("exception: %s", (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			p.problem("console.%s: %s", e.Type, consoleText(e.Args))
		}
	case *network.EventWebSocketFrameReceived:
		if bytes.Contains(e.Response.PayloadData[:min(len(e.Response.PayloadData), 80)], []byte(`"kind":"state"`)) {
			p.mu.Lock()
			p.states++
			p.mu.Unlock()
		}
	case *network.EventWebSocketFrameSent:
		p.mu.Lock()
		p.longest = max(p.longest, len(e.Response.PayloadData))
		p.mu.Unlock()
	case *log.EventEntryAdded:
		p.mu.Lock()
		late := e.Entry.NetworkRequestID != "" && e.Entry.NetworkRequestID == p.late
		p.mu.Unlock()
		if late {
			break
		}
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.problem("browser log: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled {
			p.problem("request failed: %s %s", e.Type, e.ErrorText)
		}
	case *network.EventResponseReceived:
		if e.Response.Status == 503 && e.Response.Headers["Refresh"] != nil { // on a loaded machine: the browser asks again
			p.mu.Lock()
			p.late = e.RequestID
			p.mu.Unlock()
		} else if e.Response.Status >= 400 {
			p.problem("request failed: %d %s", e.Response.Status, e.Response.URL)
		}
	}
}

// consoleText returns the arguments of a call of the console.
func consoleText(args []*runtime.RemoteObject) string {
	var words []string
	for _, a := range args {
		if a.Description != "" {
			words = append(words, a.Description)
			continue
		}
		words = append(words, string(a.Value))
	}
	return strings.Join(words, " ")
}

func (p *tab) problem(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// forgive excludes problems that contain one of the texts, since the test causes them.
func (p *tab) forgive(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgiven = append(p.forgiven, part)
}

// report fails the test for every problem that was not forgiven.
func (p *tab) report() {
	p.mu.Lock()
	defer p.mu.Unlock()
next:
	for _, problem := range p.problems {
		for _, part := range p.forgiven {
			if strings.Contains(problem, part) {
				continue next
			}
		}
		p.Errorf("the page: %s", problem)
	}
}

// do executes actions, within the time limit for one state.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, settleTime)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// open opens a URL and waits until the page's scripts are running.
func (p *tab) open(url string) {
	p.Helper()
	p.onSite = p.onSite || strings.Contains(url, siteBase+"/")
	p.live(chromedp.Navigate(url))
}

// live executes an action and waits until the server, or the engine of the site, has sent a state and the page has had time to
// show it.
func (p *tab) live(action chromedp.Action[chromedp.Void]) {
	p.Helper()
	if p.onSite { // all actions on the site in these tests load the page
		p.run(`document.documentElement?.setAttribute("data-before", "")`)
		p.do(action)
		p.wait(`!document.documentElement.hasAttribute("data-before") && document.querySelector("main")?.dataset.settled === "true"`)
		return
	}
	had := p.statesReceived()
	p.do(action)
	for end := time.Now().Add(settleTime); p.statesReceived() == had; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatalf("within %s the page had no state from the server\n%s", settleTime, p.where())
		}
	}
	p.settle()
}

// statesReceived returns how many states the page has received.
func (p *tab) statesReceived() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.states
}

// settle waits until the page has drawn everything it received: large tables are drawn in several
// frames.
func (p *tab) settle() {
	p.Helper()
	p.frames()
	p.wait(`document.querySelector("main").dataset.settled === "true"`)
}

// frames waits until the page has drawn twice.
func (p *tab) frames() {
	p.Helper()
	p.run(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`)
}

// eval returns the value of an expression in the page, which may be a promise.
func eval[T any](p *tab, expression string) T {
	p.Helper()
	v, err := tryEval[T](p, expression)
	if err != nil {
		p.Fatalf("%.300s: %v", expression, err)
	}
	return v
}

func tryEval[T any](p *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, settleTime)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// run executes a script for its effect.
func (p *tab) run(script string) {
	p.Helper()
	eval[chromedp.Void](p, script)
}

// wait waits until an expression, or the value of its promise, is true in the page. It polls from outside the page, so that a
// strict policy on scripts or a reload does not matter.
func (p *tab) wait(expression string) {
	p.Helper()
	p.waitFor(settleTime, expression)
}

// waitFor is like wait, with the given time limit.
func (p *tab) waitFor(limit time.Duration, expression string) {
	p.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(8 * time.Millisecond) {
		v, err := tryEval[bool](p, "(async () => !!(await ("+expression+")))()")
		if err == nil && v {
			return
		}
		if time.Now().After(end) {
			p.Fatalf("within %s this did not come true: %s (error %v)\n%s", limit, expression, err, p.where())
		}
	}
}

// where describes what the page shows, for a failing test.
func (p *tab) where() string {
	text, err := tryEval[string](p, `location.href + " now " + document.querySelector("main")?.dataset.now +
		" seq " + document.querySelector("main")?.dataset.seq + " says " + document.querySelector("[role=status]")?.textContent +
		" problem " + document.querySelector("#problem:not([hidden])")?.textContent + " link " + document.querySelector("#link:not([hidden])")?.textContent`)
	if err != nil {
		return err.Error()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return text + "\n" + strings.Join(p.problems, "\n")
}

// atSeq waits until the page's cursor is at an event.
func (p *tab) atSeq(seq int64) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("main").dataset.seq === "%d"`, seq))
}

// atTick waits until the page's cursor is at a tick.
func (p *tab) atTick(tick int64) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("main").dataset.now === "%d"`, tick))
}

// slide moves the time slider to a tick and waits until that is shown.
func (p *tab) slide(tick int64) {
	p.Helper()
	p.run(fmt.Sprintf(`(() => { const s = document.getElementById("time"); s.value = %d; s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change")); })()`, tick))
	p.atTick(tick)
	p.settle()
}

// cursor returns the position of the page's cursor.
func (p *tab) cursor() (tick, seq int64) {
	p.Helper()
	at := eval[[]int64](p, `(({now, seq}) => [+now, +seq])(document.querySelector("main").dataset)`)
	return at[0], at[1]
}

// quote returns a value as JavaScript.
func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the tests quote strings and numbers only
	}
	return string(text)
}
