package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/web/pages"
)

// sitePages returns the addresses of the site's pages in both languages.
func sitePages() (list []string) {
	for _, lang := range []string{"", "zh/"} {
		for _, p := range pages.Paths() {
			names := []string{""}
			if p.IDs != nil {
				names = p.IDs()
			}
			for _, name := range names {
				address := lang + strings.TrimPrefix(p.Name+name, "/")
				if address != lang {
					address += "/"
				}
				list = append(list, address)
			}
		}
	}
	return list
}

// Every page of the site opens without an error, and all its links to the site lead to a file. The
// server of serveSite checks that nothing else is requested. The short form opens each page in one
// language, alternating between the languages.
func TestSitePages(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serveSite(t)
	folder, _ := writtenSite()
	p := newTab(t)
	checked, opened := map[string]bool{}, 0
	list := sitePages()
	for k, address := range list {
		if half := len(list) / 2; !longForm() && (k%half+k/half)%2 != 0 {
			continue
		}
		opened++
		p.do(chromedp.Navigate(s.URL + siteBase + "/" + address))
		p.wait(`document.readyState !== "loading"`)
		lang := "en"
		if strings.HasPrefix(address, "zh/") {
			lang = "zh"
		}
		if got := eval[string](p, `document.body.dataset.lang`); got != lang {
			t.Errorf("%s: in %q, want %q", address, got, lang)
		}
		for _, link := range eval[[]string](p, `[...document.querySelectorAll("a[href]")].map((a) => a.href.split(/[?#]/)[0])`) {
			path, ours := strings.CutPrefix(link, s.URL)
			switch {
			case !ours || checked[path] || strings.HasSuffix(path, "/trace") || strings.HasSuffix(path, "/scenario"):
			case !strings.HasPrefix(path, siteBase+"/"):
				t.Errorf("%s links to %s", address, path)
			default:
				checked[path] = true
				if _, err := os.Stat(filepath.Join(folder, strings.TrimPrefix(path, siteBase))); err != nil {
					t.Errorf("%s links to %s: %v", address, path, err)
				}
			}
		}
	}
	t.Logf("%d of %d pages, %d links", opened, len(list), len(checked))
}

// The site shows what the query of a URL asks for, or says in one line why it cannot.
func TestSiteAddresses(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	for address, want := range map[string]struct{ what, script, value string }{
		"?scenario=cascade-storm&t=40&lang=zh&view=lab": {"the tick", `document.body.dataset.lang + " " + document.querySelector("#time").value`, "zh 40"},
		"lab/cascade-storm/?scenario=cascade-storm&t=7": {"the tick", `document.querySelector("#time").value`, "7"},
	} {
		t.Run(address, func(t *testing.T) {
			p := openSite(t, s, address)
			p.wait(fmt.Sprintf(`(%s) === %q`, want.script, want.value))
		})
	}
	for address, want := range map[string]string{
		"?scenario=nonesuch":         "nonesuch",
		"?scenario=nonesuch&lang=zh": "nonesuch",
	} {
		t.Run(address, func(t *testing.T) {
			p := newTab(t)
			p.do(chromedp.Navigate(s.URL + siteBase + "/" + address))
			p.wait(fmt.Sprintf(`!document.getElementById("problem").hidden && document.getElementById("problem").textContent.includes(%q)`, want))
		})
	}
}

// stored returns an expression whose promise is fulfilled when the service worker has stored the file at a URL.
func stored(url string) string {
	return `new Promise((done) => {
		const look = async () => ((await caches.match(` + url + `)) ? done() : setTimeout(look, 100));
		look();
	})`
}

// After the first visit the site works without its server.
func TestSiteOffline(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	p := newTabFor(t, tabTime)
	p.do(chromedp.Navigate(s.URL + siteBase + "/lab/"))
	p.wait(`navigator.serviceWorker.controller !== null && document.querySelector("main")?.dataset.settled === "true"`)
	p.run(stored("document.body.dataset.engineFull")) // for pictures and players; the pages are stored before
	s.Close()
	for _, address := range []string{"zh/lab/cascade-storm/?scenario=cascade-storm&t=7&lang=zh", "lab/redis-same-key/?t=7"} {
		p.do(chromedp.Navigate(s.URL + siteBase + "/" + address))
		p.wait(`document.querySelector("main")?.dataset.settled === "true" && document.querySelector("#time").value === "7"`)
	}
	p.do(chromedp.Navigate(s.URL + siteBase + "/learn/"))
	p.wait(`document.querySelector("h1").checkVisibility()`)
}

// A page that is not stored says so when there is no network, and leads to one that is.
func TestSitePageThatIsNotStored(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	p := newTabFor(t, tabTime)
	p.forgive("503")
	p.do(chromedp.Navigate(s.URL + siteBase + "/learn/"))
	p.wait(`navigator.serviceWorker.controller !== null`)
	s.Close()
	p.do(chromedp.Reload())
	p.wait(`document.querySelector("h1")?.checkVisibility()`) // the page that was open is stored first
	p.do(chromedp.Navigate(s.URL + siteBase + "/nonesuch/"))
	p.wait(`document.body.textContent.includes("not stored yet") && document.body.textContent.includes("尚未保存")`)
}

// A page loads the engine again after a failed download.
func TestSiteLoadsTheEngineAgain(t *testing.T) {
	t.Parallel()
	folder, err := writtenSite()
	if err != nil {
		t.Fatal(err)
	}
	var failed atomic.Int32
	files := http.StripPrefix(siteBase, http.FileServer(http.Dir(folder)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/engine.wasm.pack") && failed.Add(1) <= 2 {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	p := newTab(t)
	p.forgive("503")
	p.do(chromedp.Navigate(s.URL + siteBase + "/lab/"))
	p.wait(`document.getElementById("link").textContent.includes("503")`)
	p.wait(`document.getElementById("link").textContent.includes("again.") && document.querySelector("main")?.dataset.settled === "true"`)
	p.press(kb.ArrowRight)
	p.wait(`document.querySelector("main").dataset.seq !== "0"`)
}

// TestSiteArticle goes to the next cascade in the article: the cost in the sentence is that of the
// engine's run.
func TestSiteArticle(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serveSite(t)
	p := newTab(t)
	p.do(chromedp.Navigate(s.URL + siteBase + "/learn/#levels"))
	p.run(`import(document.querySelector('script[src$="/js/site-app.js"]').src).then(() => {})`) // until the controls work
	p.run(`document.querySelector("#levels button[data-find]").click()`)
	p.wait(tryOf("levels") + `.includes("The tick at 64 ms cost 20 steps.")`)
}
