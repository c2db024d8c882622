package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// parameters lists the query parameters of the socket and of the API routes. Others are refused,
// since a misspelt parameter would change the answer silently. Pages accept any parameter, since
// links to them are passed on with more.
var parameters = map[string][]string{
	"/ws":                {"lang", "run", "scenario", "secret", "seq", "session", "t", "why"},
	"/api/algorithms":    {"lang"},
	"/api/scenarios":     {"lang"},
	"/api/digest":        {"lang", "run"},
	importPath:           {"from", "lanes", "lang", "name"},
	estimatePath:         {"lang"},
	"/api/compare":       {"lang", "run"},
	contestPath:          {"lang", "name", "run", "scenario", "with"},
	"/api/costs":         {"from", "lang", "run", "to"},
	"/api/lessons":       {"lang"},
	"/api/lesson":        {"lang", "name"},
	"/api/lesson/answer": {"lang", "name", "pick", "step"},
	"/api/quiz":          {"lang", "n", "run", "seed", "seen", "t"},
	"/api/quiz/answer":   {"lang", "n", "pick", "run", "seed", "seen", "t"},
	"/api/worker":        {"lang", "wheel"},
	"/api/step":          {"lang", "run", "seq"},
	"/api/events":        {"lang", "n", "run", "seq"},
	"/api/life":          {"id", "lang", "run"},
}

// knownParameters refuses a URL with a query parameter that its route does not take, or one that
// can't be parsed, which net/url would skip.
func (s *Server) knownParameters(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		known, ok := parameters[strings.TrimPrefix(c.Path(), s.base)]
		if !ok {
			return next(c)
		}
		given, err := url.ParseQuery(c.Request().URL.RawQuery)
		if err != nil {
			return deny(http.StatusBadRequest, "what follows the question mark of the address can't be read: %s", usererr.Clip(err.Error()))
		}
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if !slices.Contains(known, name) {
				return deny(http.StatusBadRequest, "%q is not a parameter of %s; expected one of %s", usererr.Clip(name), c.Path(), strings.Join(known, ", "))
			}
		}
		return next(c)
	}
}
