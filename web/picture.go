package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/picture"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/locate"
	"github.com/wheelscope/wheelscope/web/question"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/web/view"
)

// picture sends a picture of one lane: /picture?run=&lane=&t=&seq=&as=&theme=&size=&lang=
func (s *Server) picture(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	bad := func(err error) error {
		return echo.NewHTTPError(http.StatusBadRequest, usererr.Describe(err, s.language(c)).Error())
	}
	at, err := locate.Parse(c.QueryParams())
	if err != nil {
		return bad(err)
	}
	as := c.QueryParam("as")
	if !slices.Contains(picture.Formats(), as) {
		return bad(usererr.New("as", "%q is not one of %s", usererr.Clip(as), strings.Join(picture.Formats(), ", ")))
	}
	size := int64(0)
	if c.QueryParam("size") != "" {
		if size, err = question.Integer(c.QueryParams(), "size", picture.WidthMin); err == nil && size > picture.WidthMax {
			err = usererr.New("size", "%d is not %s", size, fmt.Sprintf("a whole number between %d and %d", picture.WidthMin, picture.WidthMax))
		}
		if err != nil {
			return bad(err)
		}
	}
	theme := c.QueryParam("theme")
	if theme != "" && !slices.Contains(picture.Themes(), theme) {
		return bad(usererr.New("theme", "%q is not one of %s", usererr.Clip(theme), strings.Join(picture.Themes(), ", ")))
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	o := picture.Options{Width: int(size), Theme: theme}
	ctx, done, err := s.answers.Work(ctx, picture.Bytes(o))
	if err != nil {
		return err
	}
	defer done()
	var b bytes.Buffer
	err = view.LanePicture(ctx, &b, view.Instant{Run: run, Lane: c.QueryParam("lane"), Tick: at.Tick, Seq: at.Seq, Lang: s.language(c)}, as, o)
	done() // the answer is sent without holding a turn
	switch {
	case errors.Is(err, context.Canceled), usererr.IsShortage(err):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return api.NotComputed()
	case err != nil:
		return bad(err)
	}
	media := map[string]string{"svg": "image/svg+xml; charset=utf-8", "png": "image/png"}[as]
	attach(c, run, "-"+strconv.FormatInt(max(at.Tick, 0), 10)+"."+as)
	return c.Blob(http.StatusOK, media, b.Bytes())
}
