package timerhttp

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// newServer returns the server that all handlers of w share. source provides the data of the page.
func newServer(source watch.Source, w *timer.Wheel) *server {
	return &server{source: source, info: source.Info(), wheel: w}
}

// ServeHTTP responds to a request for the page or a URL below it.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	nonce := newNonce()
	secure(w.Header(), nonce)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this page is only read: GET or HEAD", http.StatusMethodNotAllowed)
		return
	case foreign(r):
		http.Error(w, "asked for by the page of another site", http.StatusForbidden)
		return
	}
	at := r.URL.Path
	if file, ok := assetAt(at); ok {
		asset(w, r, file)
		return
	}
	_, file := path.Split(at) // the page may be mounted at any path
	switch file {
	case "feed":
		s.feed(w, r)
	case "scenario":
		s.scenario(w)
	case "record":
		s.record(w, r)
	default:
		if r.URL.Query().Get("debug") == "1" {
			s.text(w)
			return
		}
		if at = requestPath(r); at != "" && !strings.HasSuffix(at, "/") { // the links of the page are relative to its folder
			folder := url.URL{Path: "./" + path.Base(at) + "/", RawQuery: r.URL.RawQuery} // never parsed as the URL of another site
			w.Header().Set("Location", folder.String())
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
		s.page(w, r, nonce)
	}
}

// requestPath returns the path of request r. If http.StripPrefix has removed the whole path, it
// returns the path of the original URI instead, which shows whether the path ends with a slash.
func requestPath(r *http.Request) string {
	if r.URL.Path != "" {
		return r.URL.Path
	}
	u, err := url.ParseRequestURI(r.RequestURI)
	if err != nil {
		return ""
	}
	return u.Path
}

// foreign reports whether request r was made by a page of another site, according to headers that
// browsers send. A navigation, such as following a link to the page, is not foreign.
func foreign(r *http.Request) bool {
	if r.Header.Get("Sec-Fetch-Mode") == "navigate" {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return true
	}
	_, host, ok := strings.Cut(r.Header.Get("Origin"), "://")
	return ok && host != r.Host
}

// secure sets headers that restrict the page to its own files and to inline scripts and styles that have the given
// nonce.
func secure(h http.Header, nonce string) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'nonce-"+nonce+"'; style-src 'self' 'nonce-"+nonce+
		"'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// assetAt returns the part of a URL path that names a file of package static, beginning with static.Prefix, and reports
// whether the path has such a part. The file may be of another version of the program, and may not exist. assetAt uses
// the last static.Prefix in the path, because the page may itself be mounted in a folder of that name.
func assetAt(at string) (string, bool) {
	at = "/" + at // http.StripPrefix may have removed the first slash too
	i := strings.LastIndex(at, "/"+static.Prefix+"/")
	if i < 0 {
		return "", false
	}
	version, name, _ := strings.Cut(at[i+len(static.Prefix)+2:], "/")
	_, err := hex.DecodeString(version)
	return at[i+1:], err == nil && len(version) == len(static.Hash()) && name != ""
}

// asset sends the file of package static with the path at, a result of assetAt, or status 404 if this program has no
// such file. Browsers may cache the file for a long time, because its path changes with the content.
func asset(w http.ResponseWriter, r *http.Request, at string) {
	name, _ := static.Name(at)
	data, ok := static.File(name)
	if !ok {
		http.NotFound(w, r)
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".js" { // regardless of the MIME tables of the machine
		kind = "text/javascript; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Write(data)
}

// page sends the page, without the state of the wheel, which server.feed sends. nonce is the nonce of the inline
// scripts and styles of the page.
func (s *server) page(w http.ResponseWriter, r *http.Request, nonce string) {
	lang := language(r)
	lane := describe(&s.info)
	v := templates.Live{Shards: s.info.Shards, Shown: min(s.info.Shards, watch.LanesShown), Recorded: watch.RecordedMax}
	v.Page = templates.Page{Lang: lang, Base: ".", Live: true, Tick: s.info.Tick.String(), Texts: static.Texts(lang), Assets: static.Path, Sheet: static.Sheet}
	v.Title = v.Texts.T("live.title")
	for k := range v.Shown {
		v.Lanes = append(v.Lanes, templates.Lane{ID: laneID(k), Algorithm: lane.Algorithm, Title: lane.Title.In(lang), Exact: lane.Exact,
			Shape: string(lane.Shape), Arity: lane.Arity, Params: lane.Params})
	}
	var b bytes.Buffer
	if err := templates.LiveView(v).Render(templ.WithNonce(r.Context(), nonce), &b); err != nil {
		http.Error(w, "the page can't be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", lang)
	h.Set("Cache-Control", "no-store")
	w.Write(b.Bytes())
}

// language returns "zh" or "en", taken from the lang query parameter or else from the
// Accept-Language header.
func language(r *http.Request) string {
	lang := r.URL.Query().Get("lang")
	if lang == "" {
		lang = r.Header.Get("Accept-Language")
	}
	if strings.HasPrefix(strings.ToLower(lang), "zh") {
		return "zh"
	}
	return "en"
}

// scenario sends the recorded operations on the wheel as a scenario file.
func (s *server) scenario(w http.ResponseWriter) {
	s.mu.Lock()
	watched := s.viewers > 0
	var r watch.Recording
	if watched {
		r = s.source.Recorded()
	}
	s.mu.Unlock()
	if !watched {
		http.Error(w, "nobody watches, so nothing is recorded: open the page first", http.StatusConflict)
		return
	}
	data, err := scenarioOf(&s.info, &r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="live.json"`)
	h.Set("Cache-Control", "no-store")
	w.Write(data)
}

// newNonce returns 128 random bits in base64, for use as the nonce of a Content-Security-Policy.
// The nonce permits the inline scripts and styles of one response.
func newNonce() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.StdEncoding.EncodeToString(b[:])
}
