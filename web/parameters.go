package web

import (
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/question"
)

// parameters lists the query parameters of the socket and of the API routes. Others are refused,
// since a misspelt parameter would change the answer silently. Pages accept any parameter, since
// links to them are passed on with more.
var parameters = func() map[string][]string {
	all := map[string][]string{
		"/ws":         {"lang", "run", "scenario", "secret", "seq", "session", "t", "why"},
		importPath:    {"from", "lanes", "lang", "name"},
		estimatePath:  {"lang"},
		"/api/worker": {"lang", "wheel"},
	}
	for _, k := range question.Kinds {
		all[k.Path] = k.Parameters
	}
	return all
}()

// knownParameters is middleware that rejects URLs with a query parameter that the route does not take, or
// with one that cannot be parsed, which net/url would skip.
func (s *Server) knownParameters(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		known, ok := parameters[strings.TrimPrefix(c.Path(), s.base)]
		if !ok {
			return next(c)
		}
		if err := question.CheckParameters(c.Path(), c.Request().URL.RawQuery, known); err != nil {
			return err
		}
		return next(c)
	}
}
