package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// algorithmTable serves /algorithms: the whole catalogue in one table.
func (s *Server) algorithmTable(c echo.Context) error {
	list := templates.AlgorithmList{Page: s.plainPage(s.language(c))}
	for i := range algorithms.Catalogue() {
		if row := algorithmRow(i, list.Lang); row != nil {
			list.Algorithms = append(list.Algorithms, *row)
		}
	}
	return s.render(c, list.Lang, templates.AlgorithmsView(list))
}

// algorithmPage serves /algorithms/ID, the page of one algorithm.
func (s *Server) algorithmPage(c echo.Context) error {
	id := c.Param("id")
	at := slices.IndexFunc(algorithms.Catalogue(), func(a catalog.Algorithm) bool { return a.ID == id })
	k, ok := knowledge.Of(id)
	if at < 0 || !ok {
		return deny(http.StatusNotFound, "algorithm: %q is not the id of an algorithm; %s/algorithms lists them", clip(id), s.base)
	}
	v := describeAlgorithm(k, &algorithms.Catalogue()[at], s.plainPage(s.language(c)))
	v.Algorithm, v.Before, v.After = *algorithmRow(at, v.Lang), algorithmRow(at-1, v.Lang), algorithmRow(at+1, v.Lang)
	return s.render(c, v.Lang, templates.AlgorithmView(v))
}

// plainPage returns the data that every page needs, without a run.
func (s *Server) plainPage(lang string) templates.Page {
	return templates.Page{Lang: lang, Base: s.base, Texts: static.Texts(lang), Assets: static.Path, Sheet: static.Sheet}
}

// render sends a page that does not show a run.
func (s *Server) render(c echo.Context, lang string, page templ.Component) error {
	var b bytes.Buffer
	err := s.inTurn(c.Request().Context(), func(ctx context.Context) error {
		return page.Render(ctx, fairqueue.Writer(ctx, &b))
	})
	if err != nil {
		return fmt.Errorf("rendering a page: %w", err)
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store") // it carries a nonce
	h.Set("Content-Language", lang)
	h.Add("Vary", "Accept-Language")
	return s.sendHTML(c, http.StatusOK, b.Bytes())
}
