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

	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/pages"
)

// address is what the file of a page shows.
type address struct {
	path     string // of the page, as for a server: "/", "/algorithms/simple"
	scenario string // of the lab's page; "": the default one
	lang     string
}

// folder returns the folder of the page's file, relative to the site: the server's path below a folder for
// the language, and lab/NAME for a scenario.
func (a address) folder() string {
	lang := a.lang
	if lang == languages[0] {
		lang = ""
	}
	if a.scenario != "" {
		return path.Join(lang, "lab", a.scenario)
	}
	return path.Join(lang, a.path[1:])
}

// adapt changes a page for the site: a content security policy, the script that opens the file of an
// address, the engine instead of a server, and links to files.
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
	head := fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="%s"/><script src="%s" data-base="%s" data-path="%s" data-lang="%s" data-scenario="%s" data-scenarios="%s"></script>`,
		html.EscapeString(policy(text)), s.asset("js/site/open.js"), s.Base, folder, a.lang, a.scenario, strings.Join(scenarios(), " "))
	script, entry := "", entries.FindStringSubmatch(text)
	if entry != nil {
		script = "./" + entry[2]
		text = strings.Replace(text, entry[0], entry[1]+"site-app.js\"", 1)
	}
	body := fmt.Sprintf(` data-base="%s" data-engine="%s" data-engine-full="%s" data-engine-start="%s" data-script="%s" data-refused="%s"`, s.Base,
		s.engineURL(EngineFile), s.engineURL(fullFile), s.engineURL(StartFile), script, html.EscapeString(refused(a)))
	text = strings.Replace(text, ` data-base="`+s.Base+`"`, "", 1) // of the lab's page
	for _, change := range [][2]string{{`<meta charset="utf-8">`, `<meta charset="utf-8">` + head}, {"<body", "<body" + body}} {
		if strings.Count(text, change[0]) != 1 {
			return "", fmt.Errorf("site: %s: %q is not once in the page", a.path, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text, nil
}

// entries matches the script of a page: what is before its path below the folder js, and that path.
var entries = regexp.MustCompile(`(<script type="module" src="[^"]*/js/)([^"]*)"`)

// refused returns why the engine can't run the scenario of a page, in the language of the page; "" if it
// can.
func refused(a address) string {
	for _, b := range everyScenario() {
		if b.Name == a.scenario && slices.Contains(b.Algorithms, "redis") {
			return onServer.In(static.Errors(a.lang))
		}
	}
	return ""
}

// onServer is shown with scenarios that have a lane on Redis.
var onServer = say.Of("this scenario has a wheel in Redis, which a browser can't reach: only its start is shown; `wheelscope serve` runs it")

// asset returns the URL of a file of package static.
func (s *site) asset(name string) string { return s.Base + "/" + static.Path(name) }

// links matches the attributes of a page that have URLs of pages.
var links = regexp.MustCompile(`(href|src)="([^"]*)"`)

// link returns the URL of the file for a server's URL of a page, or to itself if it is none.
func (s *site) link(to string) string {
	u, err := url.Parse(to)
	below, ours := strings.CutPrefix(to, s.Base+"/")
	if err != nil || !ours || strings.HasPrefix(below, "/") {
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
	u.Path = s.Base + "/" + a.folder()
	if a.folder() != "" {
		u.Path += "/"
	}
	return u.String()
}

// inline matches a script that is part of a page. Blocks of data have a type.
var inline = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// policy returns the content security policy of a page: only files of the site, the inline scripts of the
// page by their digests, and WebAssembly.
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
