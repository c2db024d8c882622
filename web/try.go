package web

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/api"
)

// tryPath is the path, below the base path, of the route that judges a wheel in JavaScript.
const tryPath = "/api/try"

// try serves tryPath.
func (s *Server) try(c echo.Context) error {
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, api.TryBytesMax))
	if err != nil {
		body = nil // Try says what is expected
	}
	http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(api.TryWait + requestWait))
	ctx, cancel := context.WithTimeout(c.Request().Context(), api.TryWait)
	defer cancel()
	answer, err := s.answers.Try(ctx, s.judge, body, s.language(c))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, answer)
}
