package web

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/pages"
	"golang.org/x/text/language"
)

// page serves the HTML page at the path of the request. It renders the page when it has a turn to use a processor.
func (s *Server) page(c echo.Context) error {
	var d *pages.Document
	err := s.inTurn(c.Request().Context(), func(ctx context.Context) (err error) {
		path := strings.TrimPrefix(c.Request().URL.Path, s.base)
		d, err = s.pages.Render(ctx, pages.Request{Path: path, Query: c.QueryParams(), Lang: s.language(c), Lab: s.remembersLab(c, path)})
		return err
	})
	if err != nil {
		return err
	}
	return s.sendPage(c, d)
}

// viewCookie is the name of the cookie of a visitor who has chosen the laboratory.
const viewCookie = "wheelscope-view"

// remembersLab reports whether the visitor has chosen the laboratory. If the request chooses a view, remembersLab sets
// the cookie or deletes it.
func (s *Server) remembersLab(c echo.Context, path string) bool {
	cookie := &http.Cookie{Name: viewCookie, Path: cmp.Or(s.base, "/"), MaxAge: int(viewKept / time.Second), HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: s.secure || c.Request().TLS != nil}
	switch choice := pages.Choice(c.QueryParams()); {
	case path != "/" || choice == pages.NotChosen:
		given, err := c.Cookie(viewCookie)
		return err == nil && given.Value == "lab"
	case choice == pages.Laboratory:
		cookie.Value = "lab"
	default:
		cookie.MaxAge = -1
	}
	c.SetCookie(cookie)
	return cookie.Value != ""
}

// viewKept is how long a browser remembers that its user has chosen the laboratory.
const viewKept = 365 * 24 * time.Hour

// sendPage sends page d. The status is 200 if d.Problem is nil. Otherwise, d does not show what its URL selects, and
// the status is the one for d.Problem, which is the reason.
func (s *Server) sendPage(c echo.Context, d *pages.Document) error {
	code := http.StatusOK
	if d.Problem != nil {
		code = int(d.Problem.Kind)
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store") // it carries a nonce
	h.Set("Content-Language", d.Lang)
	h.Add("Vary", "Accept-Language")
	if d.Embeddable {
		frameable(h)
	}
	return s.sendHTML(c, code, d.HTML)
}

// routePages adds to g a route for each page. Unless the path of the page is "/" or ends with an ID, it also adds a
// route that redirects the path with a trailing slash to the path without it.
func (s *Server) routePages(g *echo.Group) {
	for _, p := range pages.Paths() {
		route := p.Name
		if p.IDs != nil {
			route += ":id"
		} else if p.Name != "/" {
			g.Match(readMethods, p.Name+"/", movedTo(s.base+p.Name))
		}
		g.Match(readMethods, route, s.page, s.inTime)
	}
}

// languages selects the supported language that best matches the preferences of a browser. If none matches, it
// selects English, the first in the list.
var languages = language.NewMatcher([]language.Tag{language.English, language.SimplifiedChinese})

// language returns the language of the response, "en" or "zh". The query parameter "lang" selects the language; a value
// such as "zh-TW" selects "zh". For any other value, language returns the one that the browser prefers.
func (s *Server) language(c echo.Context) string {
	switch lang := c.QueryParam("lang"); {
	case lang == "en" || lang == "zh":
		return lang
	case strings.HasPrefix(lang, "zh-"):
		return "zh"
	}
	_, i := language.MatchStrings(languages, c.Request().Header.Get("Accept-Language"))
	return [...]string{"en", "zh"}[i]
}
