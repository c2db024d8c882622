package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// siteBase is the path below which the tests serve the static site. TestSiteOnPythonsServer serves
// another one at the root.
const siteBase = "/a/b/wheelscope"

// writtenSite writes the static site once for all tests, with an engine compiled as `make engine` does.
var writtenSite = sync.OnceValues(func() (folder string, err error) {
	dir := filepath.Join(filepath.Dir(binary), "site")
	made := exec.Command("make", "-C", "../..", "engine", "ENGINE="+filepath.Join(dir, "engine"))
	if out, err := made.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make engine: %w: %s", err, out)
	}
	folder = filepath.Join(dir, "files")
	return folder, writeSite(folder, siteBase)
})

// writeSite writes a static site for a base path to a folder, with the engine of writtenSite.
func writeSite(folder, base string) error {
	out, err := exec.Command(binary, "site", "-o", folder, "--base-path", base, "--engine", filepath.Join(filepath.Dir(binary), "site", "engine")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("wheelscope site: %w: %s", err, out)
	}
	return nil
}

// serveSite serves the static site and returns its URL. The test fails if anything outside its folder is
// requested.
func serveSite(t testing.TB) *httptest.Server {
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

// enginesMax lists the maximum sizes in bytes of the packed engine that a page loads first, and of the program that runs wheels
// in JavaScript.
var enginesMax = map[string]int64{"engine.wasm.pack": 3_000_000, "own.wasm.pack": 7_000_000}

// The engine that a page loads first is small enough. Pictures and players have another engine.
func TestSiteEngineIsSmall(t *testing.T) {
	t.Parallel()
	if _, err := writtenSite(); err != nil {
		t.Fatal(err)
	}
	for name, most := range enginesMax {
		file, err := os.Stat(filepath.Join(filepath.Dir(binary), "site", "engine", name))
		if err != nil {
			t.Fatal(err)
		}
		if file.Size() > most {
			t.Errorf("%s has %d bytes, at most %d are wanted", name, file.Size(), most)
		}
	}
}

// openSite opens an address of the site and waits until the engine shows it.
func openSite(t testing.TB, s *httptest.Server, address string) *tab {
	t.Helper()
	p := newTab(t)
	p.do(chromedp.Navigate(s.URL + siteBase + "/" + address))
	p.wait(`document.querySelector("main")?.dataset.settled === "true"`)
	return p
}
