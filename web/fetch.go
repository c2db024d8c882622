package web

import (
	"net/http"
	"strings"
)

// allowsFetch reports whether the site that caused a request may do so, according to its Fetch
// Metadata headers (W3C, Sec-Fetch-*). Another site, even of the same registrable domain, may open
// a page as the document of a tab, or embed a page with embed=1. It may not load anything as an
// image, a script or a frame, prefetch a page, or link to a computed download. Requests without
// these headers are allowed: some browsers never send them, and none does over plain HTTP except to
// the loopback.
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
