package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/web/view"
)

// algorithmTable serves /algorithms: the whole catalogue in one table.
func (s *Server) algorithmTable(c echo.Context) error {
	list := view.Catalogue(view.Plain(s.base, s.language(c)))
	return s.render(c, list.Lang, templates.AlgorithmsView(list))
}

// algorithmPage serves /algorithms/ID, the page of one algorithm.
func (s *Server) algorithmPage(c echo.Context) error {
	id := c.Param("id")
	v, ok := view.Algorithm(view.Plain(s.base, s.language(c)), id)
	if !ok {
		return deny(http.StatusNotFound, "algorithm: %q is not the id of an algorithm; %s/algorithms lists them", usererr.Clip(id), s.base)
	}
	return s.render(c, v.Lang, templates.AlgorithmView(v))
}

// render sends page, which shows no run, in the language lang.
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
