//go:build linux

package attack

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/sim/program"
)

const (
	browserWait = 30 * time.Second // time for the browser to start, and for one action
	pageStays   = 2 * time.Second  // time for which a foreign page is open
)

// foreignPage opens a page of another site with two embedded scenarios in a real browser, and then
// links to them. The large one may not be computed before the user confirms. The other is small by its estimate, and its
// run ends with an error in the tick in which its lane would examine 10^18 slots: opening it must delay no other user.
func foreignPage(c *trial) {
	heavy := scenarioOf("heavy", 1_000_001, lanesOf(24, wheel4x64), groupOf(timersMax/8, atOnce, 1_000_000))
	endless := longStall("endless", stalledLanes[0])
	_, port, _ := strings.Cut(c.addr, ":")
	own := "http://localhost:" + port // a different site from the foreign page's 127.0.0.1
	share := func(scenario string) string {
		return "#share=1&run=0000000000000000&s=" + packed(scenario) + "&end"
	}
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><iframe src="%s/?embed=1%s"></iframe><iframe src="%s/?embed=1%s"></iframe>`, own, share(heavy), own, share(endless))
	}))
	defer foreign.Close()
	browser, end, err := startBrowser(c.ctx, c.t)
	if err != nil {
		c.t.Fatal(err)
	}
	defer end()
	c.begin()
	pages := []string{foreign.URL, own + "/" + share(heavy), own + "/" + share(endless)}
	if !*full {
		pages = pages[:2]
	}
	for _, page := range pages {
		ctx, cancel := context.WithTimeout(browser, browserWait)
		if err := chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page)); err != nil && c.ctx.Err() == nil {
			c.t.Errorf("%.60s: %v", page, err)
		}
		cancel()
		time.Sleep(pageStays)
		c.notOpened(page, heavy)
	}
}

// notOpened fails the case if the server has a run of a scenario.
func (c *trial) notOpened(page, scenario string) {
	p, err := program.Load([]byte(scenario))
	if err != nil {
		return // the server refuses it, too
	}
	res, err := (&http.Client{Timeout: answerMax}).Get("http://" + c.addr + "/scenario?run=" + p.Digest())
	if err != nil {
		if c.ctx.Err() == nil {
			c.t.Error(err)
		}
		return
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		c.t.Errorf("after %.50s… the server has a run of the scenario %s, which no user chose to open (%s)", page, p.Scenario.Name, res.Status)
	}
}

// packed returns a scenario as encoded in the fragment of a shared URL.
func packed(text string) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err) // the level is a valid one
	}
	w.Write([]byte(text))
	w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// startBrowser starts Chromium with an empty profile.
func startBrowser(ctx context.Context, t *testing.T) (browser context.Context, end func(), err error) {
	path, err := findChromium()
	if err != nil {
		return nil, nil, err
	}
	alloc, cancelAlloc := chromedp.NewExecAllocator(ctx,
		chromedp.ExecPath(path), chromedp.UserDataDir(filepath.Join(t.TempDir(), "profile")),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	browser, cancel := chromedp.NewContext(alloc)
	end = func() {
		limited, stop := context.WithTimeout(browser, browserWait)
		defer stop()
		chromedp.Cancel(limited)
		cancel()
		cancelAlloc()
	}
	if err := chromedp.Do(browser); err != nil {
		end()
		return nil, nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return browser, end, nil
}

// findChromium finds a browser as the end-to-end tests do.
func findChromium() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return exec.LookPath(path)
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium found: install it or give its path in CHROMIUM")
}
