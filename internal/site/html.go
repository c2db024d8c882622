package site

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/pages"
)

// address identifies a page of the site in one language.
type address struct {
	path     string // path of the page on a server, such as "/" or "/algorithms/simple"
	scenario string // scenario of the entry view or the laboratory; "" means the default one
	lab      bool   // whether the page at "/" is the laboratory instead of the entry view
	lang     string
}

// folder returns the path, relative to the root of the site, of the folder that contains the page. It is
// a.path without its slash at the beginning or, for a scenario, entry/NAME or lab/NAME; the laboratory with the default
// scenario is in lab. In languages other than the first, it begins with a folder named after the language.
func (a address) folder() string {
	lang := a.lang
	if lang == languages[0] {
		lang = ""
	}
	switch {
	case a.lab:
		return path.Join(lang, "lab", a.scenario)
	case a.scenario != "":
		return path.Join(lang, "entry", a.scenario)
	}
	return path.Join(lang, a.path[1:])
}

// view returns the value of the query parameter "view" with which a server shows the page.
func (a address) view() string {
	if a.lab {
		return "lab"
	}
	return "entry"
}

// options returns what page a has in addition to, or instead of, the page of a server.
func (s *site) options(a address) *templates.Site {
	folder := ""
	if a.path != "/" {
		folder = a.path[1:] + "/"
	}
	shown := ""
	if a.path == "/" {
		shown = a.view()
	}
	o := &templates.Site{
		Address: s.link,
		Opener: templ.Attributes{"data-base": s.Base, "data-path": folder, "data-lang": a.lang, "data-view": shown,
			"data-scenario": a.scenario, "data-scenarios": strings.Join(scenarios(), " "), "data-entries": strings.Join(s.entries, " ")},
		Module:  "site-app.js",
		Preload: static.Closure, // before the other modules of the page
		Body: templ.Attributes{"data-engine": s.engineURL(EngineFile), "data-engine-full": s.engineURL(fullFile),
			"data-engine-own": s.engineURL(ownFile), "data-engine-start": s.engineURL(StartFile)},
		Offline: static.Messages(a.lang).Say(texts.Of("site.without")),
	}
	switch {
	case a.path == "/" && !a.lab && recorded(a): // the page has the events
		o.Body, o.Preload = templ.Attributes{"data-engine": "none"}, nil
	case a.path == "/" && !a.lab:
		o.Body["data-transport"] = s.asset(transportModule)
		o.Preload = func(string) []string { return static.Closure(transportModule) }
	case recorded(a):
		o.Module = "site-recorded.js"
		o.Body["data-recording"] = s.Base + "/" + recordingFolder(a.scenario) + "/"
	}
	o.Policy = policy(templates.InlineScripts())
	return o
}

// transportModule connects the entry view with the engine. The page loads it when it is already playing.
const transportModule = "js/site/transport.js"

// recorded reports whether page a shows a run that was recorded when the site was written; see isRecorded.
func recorded(a address) bool { return a.scenario != "" && isRecorded(a.scenario) }

// isRecorded reports whether the run of the named scenario is recorded when the site is written. That is the case if
// the scenario has a wheel on Redis. The engine does not contain the code of that wheel, which would add 1.7 MB to its
// compressed size, so it cannot run the scenario.
func isRecorded(scenario string) bool {
	return slices.ContainsFunc(everyScenario(), func(b *library.Scenario) bool {
		return b.Name == scenario && slices.Contains(b.Algorithms, "redis")
	})
}

// recordingFolder returns the folder, relative to the root of the site, of the recorded run of a scenario.
func recordingFolder(scenario string) string { return address{scenario: scenario, lab: true}.folder() }

// asset returns the URL of a file of package static.
func (s *site) asset(name string) string { return s.Base + "/" + static.Path(name) }

// link returns the URL of the page of the site that a server has at to, a path and a query below the base path.
func (s *site) link(to string) string {
	u, err := url.Parse(to)
	if err != nil || !pages.Has(u.Path) {
		return s.Base + to
	}
	q := u.Query()
	a := address{path: u.Path, lang: languages[0]}
	if lang := q.Get("lang"); slices.Contains(languages, lang) {
		a.lang = lang
	}
	if name := q.Get("scenario"); a.path == "/" && slices.Contains(scenarios(), name) {
		a.scenario = name
	}
	a.lab = a.path == "/" && (q.Has("view") && q.Get("view") != "entry" || a.scenario != "" && !slices.Contains(s.entries, a.scenario))
	u.Path = s.Base + "/" + a.folder()
	if a.folder() != "" {
		u.Path += "/"
	}
	return u.String()
}

// policy returns a content security policy that permits only files of the site, WebAssembly, and the given inline
// scripts, which it identifies by their digests.
func policy(inline []string) string {
	scripts := "script-src 'self' 'wasm-unsafe-eval'"
	for _, text := range inline {
		sum := sha256.Sum256([]byte(text))
		scripts += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join([]string{"default-src 'none'", scripts, "style-src 'self'", "img-src 'self' data: blob:", "media-src blob:",
		"font-src 'self'", "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "frame-src 'self'", "base-uri 'none'",
		"form-action 'self'"}, "; ")
}
