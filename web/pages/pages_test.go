package pages

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session"
)

// testPages returns the pages of a site below /lab.
func testPages(t *testing.T) *Pages {
	t.Helper()
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	answers := api.NewAnswers(session.NewLibrary(store, nil))
	t.Cleanup(func() { answers.Shutdown(t.Context()) })
	return New(Options{Base: "/lab", Answers: answers})
}

// Every page of the table is rendered in both languages, and its links stay below the base path.
func TestEveryPage(t *testing.T) {
	p := testPages(t)
	for _, path := range Paths() {
		names := []string{path.Name}
		if path.IDs != nil {
			names = nil
			for _, id := range path.IDs() {
				names = append(names, path.Name+id)
			}
		}
		for _, name := range names {
			for lang, tag := range map[string]string{"en": `lang="en"`, "zh": `lang="zh-Hans"`} {
				d, err := p.Render(t.Context(), Request{Path: name, Lang: lang})
				if err != nil {
					t.Fatalf("%s in %s: %v", name, lang, err)
				}
				if html := string(d.HTML); d.Problem != nil || d.Lang != lang || !strings.Contains(html, "<html "+tag) || strings.Contains(html, `href="/static`) {
					t.Errorf("%s in %s: problem %v, %.200s", name, lang, d.Problem, html)
				}
			}
			if !Has(name) {
				t.Errorf("%s is not a page", name)
			}
		}
	}
}

// A page that can't show what its URL asks for shows something else and has a problem; a path without a
// page is an error.
func TestPagesThatDoNotExist(t *testing.T) {
	p := testPages(t)
	for address, want := range map[string]texts.Kind{"/?scenario=none": texts.NotFound, "/?t=-1": texts.Invalid, "/?seq=99999999": texts.Invalid, "/race?n=text": texts.Invalid, "/race?n=5": texts.Invalid} {
		u, _ := url.Parse(address)
		d, err := p.Render(t.Context(), Request{Path: u.Path, Query: u.Query(), Lang: "en"})
		if err != nil || d.Problem == nil || d.Problem.Kind != want || !strings.Contains(string(d.HTML), "<main") {
			t.Errorf("%s: %+v, %v", address, d, err)
		}
	}
	for _, path := range []string{"", "/none", "/algorithms/", "/algorithms/none", "/algorithms/simple/more"} {
		_, err := p.Render(t.Context(), Request{Path: path, Lang: "zh"})
		if e, ok := errors.AsType[*texts.Error](err); !ok || e.Kind != texts.NotFound {
			t.Errorf("%q: %v", path, err)
		}
	}
}
