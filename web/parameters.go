package web

import (
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/api"
)

// parameters maps the path of the socket, and of each route of the API and of files, to its query parameters. Other parameters are
// rejected, because a misspelled one would silently change the answer. Pages accept any parameter, because other sites
// often add parameters to links.
var parameters = func() map[string][]string {
	all := map[string][]string{
		"/ws":         {"lang", "run", "scenario", "secret", "seq", "session", "t", "why"},
		importPath:    {"from", "lanes", "lang", "name", "own"},
		estimatePath:  {"lang"},
		tryPath:       {"lang"},
		advisePath:    api.ChooseParameters,
		"/api/worker": {"lang", "wheel"},
		"/scenario":   {"lang", "run"},
		"/trace":      {"as", "lang", "run", "seq"},
		"/picture":    {"as", "lane", "lang", "run", "seq", "size", "t", "theme"},
	}
	for _, k := range api.Served() {
		all[k.Path] = k.Parameters
	}
	return all
}()

// knownParameters is middleware that rejects a URL with a query parameter that its route does not accept. It also
// rejects a query that cannot be parsed completely; net/url would ignore the rest.
func (s *Server) knownParameters(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		known, ok := parameters[strings.TrimPrefix(c.Path(), s.base)]
		if !ok {
			return next(c)
		}
		if err := api.CheckParameters(c.Path(), c.Request().URL.RawQuery, known); err != nil {
			return err
		}
		return next(c)
	}
}
