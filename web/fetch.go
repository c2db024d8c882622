package web

import (
	"net/http"
	"strings"
)

// allowsFetch decides by the Fetch Metadata of a request (W3C, sec-fetch-* headers)
// whether the site that caused it may do so. Another site, also one of the same
// registrable domain, may open a page as the document of a tab, or embed a page with
// embed=1; it may not load anything as an image, a script or a frame, prefetch a page,
// or link to what is computed for a download. Browsers that do not send the headers,
// and all on plain HTTP but for the loopback, are not refused here.
func (s *Server) allowsFetch(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	if r.Header.Get("Sec-Fetch-Mode") != "navigate" || !s.isPage(r.URL.Path) ||
		r.Method != http.MethodGet && r.Method != http.MethodHead || strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document":
		return true
	case "iframe", "frame", "embed", "object":
		return r.URL.Path == s.base+"/" && r.URL.Query().Get("embed") == "1"
	}
	return false
}

// isPage reports whether a path is that of an HTML page.
func (s *Server) isPage(path string) bool {
	below, ok := strings.CutPrefix(path, s.base)
	switch {
	case !ok:
		return false
	case below == "", below == "/", below == "/worker", below == "/algorithms":
		return true
	}
	return strings.HasPrefix(below, "/algorithms/")
}
