package web

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// pageOf returns a page as a document.
func pageOf(t *testing.T, h *harness, path string) *goquery.Document {
	t.Helper()
	a := h.get(path)
	if a.code != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		t.Fatalf("%s: %d %s", path, a.code, a.header.Get("Content-Type"))
	}
	d, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The table has a row for each algorithm, with its costs, its bounds and a link to its page.
func TestAlgorithmTable(t *testing.T) {
	inBubble(t, Config{BasePath: "/lab"}, func(t *testing.T, h *harness) {
		rows := pageOf(t, h, "/lab/algorithms?lang=zh").Find("tbody tr")
		if rows.Length() != len(algorithms.Catalogue()) {
			t.Fatalf("%d rows of %d algorithms", rows.Length(), len(algorithms.Catalogue()))
		}
		for i, a := range algorithms.Catalogue() {
			row := rows.Eq(i)
			k, _ := knowledge.Of(a.ID)
			if href, _ := row.Find("a").Attr("href"); href != "/lab/algorithms/"+a.ID+"?lang=zh" || row.Find("a").Text() != k.Title.ZH {
				t.Errorf("%s: %q leads to %q", a.ID, row.Find("a").Text(), href)
			}
			cells := row.Find("td").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
			want := []string{k.Start.Term("zh"), k.Stop.Term("zh"), k.Tick.Term("zh"), k.Guarantee.Early.ZH, k.Guarantee.Late.ZH, a.Source}
			if !slices.Equal(cells, want) {
				t.Errorf("%s: %q, want %q", a.ID, cells, want)
			}
		}
	})
}

// The page of an algorithm has every text of its file, every line of its code, its parameters, the
// scenarios with a lane of it, and the wheel to play with.
func TestAlgorithmPages(t *testing.T) {
	inBubble(t, Config{BasePath: "/lab"}, func(t *testing.T, h *harness) {
		for _, lang := range []string{"en", "zh"} {
			for i := range algorithms.Catalogue() {
				checkAlgorithmPage(t, h, &algorithms.Catalogue()[i], lang)
			}
		}
	})
}

func checkAlgorithmPage(t *testing.T, h *harness, a *catalog.Algorithm, lang string) {
	t.Helper()
	d := pageOf(t, h, "/lab/algorithms/"+a.ID+"?lang="+lang)
	k, _ := knowledge.Of(a.ID)
	text := d.Find("main").Text()
	for _, want := range append([]string{k.Title.In(lang), k.Summary.In(lang), k.Idea.In(lang), k.Structure.In(lang), k.Fires.In(lang), k.Used.In(lang), k.Instead.In(lang),
		k.Start.In(lang), k.Stop.In(lang), k.Tick.In(lang), k.Guarantee.Early.In(lang), k.Guarantee.Late.In(lang)}, k.Sources...) {
		if !strings.Contains(text, want) {
			t.Errorf("%s in %s lacks %q", a.ID, lang, want)
		}
	}
	lines := d.Find("[data-line]")
	if lines.Length() != len(k.Code) {
		t.Errorf("%s has %d lines of code of %d", a.ID, lines.Length(), len(k.Code))
	}
	for i := range k.Code {
		if got := lines.Eq(i).Text(); got != k.Code[i].In(lang) {
			t.Errorf("%s, line %d: %q, want %q", a.ID, i, got, k.Code[i].In(lang))
		}
	}
	settings := d.Find(".settings tbody th").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
	for i, q := range a.Parameters {
		if i >= len(settings) || settings[i] != q.Name || !strings.Contains(text, k.Parameters[q.Name].In(lang)) {
			t.Errorf("%s has the parameters %q, lacks %s", a.ID, settings, q.Name)
		}
	}
	if src, _ := d.Find("iframe").Attr("src"); src != "/lab/?scenario=try-"+a.ID+"&lang="+lang+"&embed=1" {
		t.Errorf("the wheel of %s is at %q", a.ID, src)
	}
	for _, b := range library.Builtins() {
		links := d.Find(`a[href="/lab/?scenario=` + b.Name + `&lang=` + lang + `"]`)
		if has := slices.Contains(b.Algorithms, a.ID); has != (links.Length() == 1) {
			t.Errorf("%s leads %d times to %s; that has a lane of it: %v", a.ID, links.Length(), b.Name, has)
		}
	}
}

// The links at the end of the pages lead through all algorithms, each once.
func TestAlgorithmsAreLinkedInOrder(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		next := "/algorithms/" + algorithms.Catalogue()[0].ID + "?lang=en"
		for i, a := range algorithms.Catalogue() {
			d := pageOf(t, h, next)
			if got, want := d.Find("h1").Text(), knowledge.Title(a.ID).EN; got != want {
				t.Fatalf("page %d is of %q, want %q", i, got, want)
			}
			next, _ = d.Find(`a[rel="next"]`).Attr("href")
		}
		if next != "" {
			t.Errorf("after the last comes %q", next)
		}
	})
}

func TestNoSuchAlgorithm(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		if a := h.get("/algorithms/"); a.code != 308 || a.header.Get("Location") != "/algorithms" {
			t.Errorf("with a slash: %d to %q", a.code, a.header.Get("Location"))
		}
		for _, id := range []string{"nope", "%3Cb%3E", "simple.json", strings.Repeat("x", 1000)} {
			a := h.get("/algorithms/" + id)
			if a.code != 404 || strings.Count(a.body, "\n") != 1 || !strings.Contains(a.body, "/algorithms lists them") || len(a.body) > 300 {
				t.Errorf("%.60s: %d %q", id, a.code, a.body)
			}
		}
	})
}

// An embedded page is marked for its style sheet, and other sites may frame it; they may not frame
// other pages. The picker of either lists the trial that it shows.
func TestEmbed(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for query, want := range map[string]bool{"&embed=1": true, "": false, "&embed=0": false} {
			a := h.get("/?view=lab&scenario=try-simple" + query)
			if got := regexp.MustCompile(`<body class="lab embed"`).MatchString(a.body); a.code != 200 || got != want {
				t.Errorf("%q: %d, embedded %v", query, a.code, got)
			}
			if !strings.Contains(a.body, `<option value="try-simple"`) {
				t.Errorf("%q: the trial is not in the list", query)
			}
			csp := a.header.Get("Content-Security-Policy")
			if strings.Contains(csp, "frame-ancestors 'self'") == want || !strings.Contains(csp, "frame-src 'self'") {
				t.Errorf("%q: %s", query, csp)
			}
		}
	})
}
