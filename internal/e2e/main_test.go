package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/internal/testkit"
)

// Time limits. They are generous, since a slow machine is not a fault of the page.
const (
	startTime  = 30 * time.Second // time for a server or the browser to start or end
	stopTime   = 15 * time.Second
	settleTime = 40 * time.Second // time for the page to show an expected state
	tabTime    = 3 * time.Minute  // time for all actions in one tab
)

// The program and the browser, shared by all tests.
var (
	binary   string
	chromium context.Context
)

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := start(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "internal/e2e:", err)
		code = 1
	}
	os.Exit(code)
}

// start builds the program, starts the browser, runs the tests and stops the browser.
func start(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "wheelscope-e2e-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if binary, err = testkit.BuildProgram(dir); err != nil {
		return 0, err
	}
	path, err := findChromium()
	if err != nil {
		return 0, err
	}
	end, err := startBrowser(path, filepath.Join(dir, "profile"))
	if err != nil {
		return 0, err
	}
	defer end()
	return m.Run(), nil
}

// findChromium returns the path of a browser, preferably the headless one, with which the tests
// take less time. If there is none it returns an error, because the page would not be tested.
func findChromium() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return exec.LookPath(path)
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium found: install it (apt-get install chromium, brew install --cask chromium) or give its path in CHROMIUM")
}

// unneeded are features of Chromium that the tests do not need: the pages that it creates for the
// address bar of each window, and the process that it starts for each tab in advance of the next
// navigation. Without the pages the tests take a seventh less time, without the processes a
// twelfth.
const unneeded = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,SpareRendererForSitePerProcess"

// startBrowser starts one Chromium for all tests, with an empty profile.
func startBrowser(path, profile string) (end func(), err error) {
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.UserDataDir(profile),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-features", unneeded),
		chromedp.Flag("disable-renderer-backgrounding", true), chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true), chromedp.Flag("hide-scrollbars", false),
		chromedp.Flag("site-per-process", true), chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("lang", "en-US"),
		chromedp.WindowSize(1440, 900))
	ctx, cancel := chromedp.NewContext(alloc)
	end = func() {
		limited, stop := context.WithTimeout(ctx, stopTime)
		defer stop()
		chromedp.Cancel(limited) // closes it in order; the allocator kills the rest
		cancel()
		cancelAlloc()
	}
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	chromium = ctx
	return end, nil
}
