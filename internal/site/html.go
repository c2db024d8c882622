package site

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/static"
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

// adapt converts text, the HTML with which a server responds to a request for page a, to the HTML of that page
// in the site. It adds a content security policy, and the script that opens pages by URL; it makes the page use
// the engine or a recorded run instead of a server; and it replaces links with links to the files of the site.
func (s *site) adapt(text string, a address) (string, error) {
	text = strings.ReplaceAll(text, ` nonce=""`, "")
	text = links.ReplaceAllStringFunc(text, func(link string) string {
		m := links.FindStringSubmatch(link)
		return m[1] + `="` + html.EscapeString(s.link(html.UnescapeString(m[2]))) + `"`
	})
	folder := ""
	if a.path != "/" {
		folder = a.path[1:] + "/"
	}
	shown := ""
	if a.path == "/" {
		shown = a.view()
	}
	head := fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="%s"/><script src="%s" data-base="%s" data-path="%s" data-lang="%s" data-view="%s" data-scenario="%s" data-scenarios="%s" data-entries="%s"></script>`,
		html.EscapeString(policy(text)), s.asset("js/site/open.js"), s.Base, folder, a.lang, shown, a.scenario, strings.Join(scenarios(), " "), strings.Join(s.entries, " "))
	script, start, entry := "", "site-app.js", entries.FindStringSubmatch(text)
	body := fmt.Sprintf(` data-base="%s" data-engine="%s" data-engine-full="%s" data-engine-start="%s"`, s.Base,
		s.engineURL(EngineFile), s.engineURL(fullFile), s.engineURL(StartFile))
	if recorded(a) {
		start = "site-recorded.js"
		body += fmt.Sprintf(` data-recording="%s/%s/"`, s.Base, recordingFolder(a.scenario))
	}
	if entry != nil { // preloaded before the other modules of the page
		head += s.preload(entry[2] + start)
	}
	if entry != nil {
		script = "./" + entry[3]
		text = strings.Replace(text, entry[0], entry[1]+entry[2]+start+`"`, 1)
	}
	body += fmt.Sprintf(` data-script="%s"`, script)
	text = strings.Replace(text, ` data-base="`+s.Base+`"`, "", 1) // the lab's page has this attribute
	note := fmt.Sprintf(`<p class="hint site-note" data-offline>%s</p>`, html.EscapeString(static.Messages(a.lang).Say(texts.Of("site.without"))))
	text = strings.Replace(text, fileMenuEnd, note+fileMenuEnd, 1)
	for _, change := range [][2]string{{`<meta charset="utf-8">`, `<meta charset="utf-8">` + head}, {"<body", "<body" + body}} {
		if strings.Count(text, change[0]) != 1 {
			return "", fmt.Errorf("site: %s: %q is not once in the page", a.path, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text, nil
}

// fileMenuEnd is the HTML at the end of the file menu on the lab's page. Before this HTML, adapt inserts a note
// that lists the functions that need a server.
const fileMenuEnd = `</div></details> <input class="offscreen" type="file" id="file"`

// entries matches the start tag of the script element that loads the main module of a page. Its submatches are
// the text before the folder of the module, the folder ("js/" or "bundle/lab/"), and the path of the module in that folder.
var entries = regexp.MustCompile(`(<script type="module" src="[^"]*/)(js/|bundle/lab/)([^"]*)"`)

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

// preload returns the HTML of links that make a browser preload a module and the modules that it imports
// statically.
func (s *site) preload(module string) string {
	var links strings.Builder
	for _, name := range static.Closure(module) {
		fmt.Fprintf(&links, `<link rel="modulepreload" href="%s"/>`, s.asset(name))
	}
	return links.String()
}

// asset returns the URL of a file of package static.
func (s *site) asset(name string) string { return s.Base + "/" + static.Path(name) }

// links matches the href and src attributes of a page.
var links = regexp.MustCompile(`(href|src)="([^"]*)"`)

// link converts a URL of a page on a server to the URL of the same page in the site. It returns other URLs
// unchanged.
func (s *site) link(to string) string {
	u, err := url.Parse(to)
	below, inSite := strings.CutPrefix(to, s.Base+"/")
	if err != nil || !inSite || strings.HasPrefix(below, "/") {
		return to
	}
	a := address{path: strings.TrimPrefix(u.Path, s.Base), lang: languages[0]}
	if !pages.Has(a.path) {
		return to
	}
	q := u.Query()
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

// inline matches an inline script of a page, but not a script element of another type, which
// contains data. Its submatch is the content of the element.
var inline = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// policy returns the content security policy for the page whose HTML is text. The policy permits only files
// of the site, WebAssembly, and the inline scripts in text, which it identifies by their digests.
func policy(text string) string {
	scripts := "script-src 'self' 'wasm-unsafe-eval'"
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		sum := sha256.Sum256([]byte(m[1]))
		scripts += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join([]string{"default-src 'none'", scripts, "style-src 'self'", "img-src 'self' data: blob:", "media-src blob:",
		"font-src 'self'", "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "frame-src 'self'", "base-uri 'none'",
		"form-action 'self'"}, "; ")
}
