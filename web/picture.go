package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/view"
)

// picture serves /picture. It sends a picture of one lane of a run at one position, which the query parameters run,
// lane, t and seq select. The parameters as, theme, size and lang determine the format and appearance of the picture.
func (s *Server) picture(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	file, err := view.Picture(c.Request().Context(), s.answers, run, c.QueryParams(), s.language(c))
	if err != nil {
		return err
	}
	attachFile(c, run, file)
	c.Response().WriteHeader(http.StatusOK)
	return file.Write(c.Request().Context(), c.Response())
}

// attachFile sets headers that make a browser save the response as a file with the name and the media type of
// file, which was made from run.
func attachFile(c echo.Context, run *sim.Run, file *view.File) {
	attach(c, run, file.Ending)
	c.Response().Header().Set("Content-Type", file.Media)
}
