package e2e

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/sim/library"
)

// siteBase is the path below which the tests serve the static site.
const siteBase = "/wheelscope"

// writtenSite writes the static site once for all tests, with an engine compiled as `make engine` does.
var writtenSite = sync.OnceValues(func() (folder string, err error) {
	dir := filepath.Join(filepath.Dir(binary), "site")
	made := exec.Command("make", "-C", "../..", "engine", "ENGINE="+filepath.Join(dir, "engine"))
	if out, err := made.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make engine: %w: %s", err, out)
	}
	out, err := exec.Command(binary, "site", "-o", filepath.Join(dir, "files"), "--base-path", siteBase, "--engine", filepath.Join(dir, "engine")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("wheelscope site: %w: %s", err, out)
	}
	return filepath.Join(dir, "files"), nil
})

// serveSite serves the static site and returns its URL. The test fails if anything outside its folder is
// requested.
func serveSite(t *testing.T) *httptest.Server {
	t.Helper()
	folder, err := writtenSite()
	if err != nil {
		t.Fatal(err)
	}
	files := http.StripPrefix(siteBase, http.FileServer(http.Dir(folder)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, siteBase+"/") {
			t.Errorf("the site requests %s", r.URL)
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// openSite opens an address of the site and waits until the engine shows it.
func openSite(t *testing.T, s *httptest.Server, address string) *tab {
	t.Helper()
	p := newTab(t)
	p.do(chromedp.Navigate(s.URL + siteBase + "/" + address))
	p.wait(`document.querySelector("main")?.dataset.settled === "true"`)
	return p
}

// siteTrace is a script that returns the SHA-256 of the trace of a scenario, which the engine writes as for
// the export of the page.
const siteTrace = `(async () => {
	const script = document.querySelector('script[src$="/js/site-app.js"]').src;
	const { openSocket, request } = await import(script.replace("/site-app.js", "/core/transport.js"));
	const socket = openSocket(location.origin.replace("http", "ws") + "/wheelscope/ws?scenario=%s");
	const run = await new Promise((done, failed) => {
		socket.onmessage = ({ data }) => { if (JSON.parse(data).kind === "hello") done(JSON.parse(data).run); };
		socket.onclose = ({ reason }) => failed(new Error("closed " + reason));
	});
	const answer = await request("/wheelscope/trace?run=" + run);
	const sum = await crypto.subtle.digest("SHA-256", await answer.arrayBuffer());
	socket.close();
	return Array.from(new Uint8Array(sum), (b) => b.toString(16).padStart(2, "0")).join("");
})()`

// The traces that the engine in a browser exports equal those of the command line, byte for byte.
func TestSiteTracesAreExact(t *testing.T) {
	p := openSite(t, serveSite(t), "")
	const eventsMax = 100_000 // of a run that is computed in each `make test`
	for _, b := range library.Builtins() {
		if slices.Contains(b.Algorithms, "redis") {
			continue // runs on a server only
		}
		want := command(t, nil, "run", b.Name)
		if !whole() && bytes.Count(want, []byte("\n")) > eventsMax {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			got := eval[string](p, fmt.Sprintf(siteTrace, b.Name))
			if sum := fmt.Sprintf("%x", sha256.Sum256(want)); got != sum {
				t.Errorf("SHA-256 %s, want %s", got, sum)
			}
		})
	}
}
