package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/picture"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
)

// Instant is a lane of a run at a position.
type Instant struct {
	Run  *sim.Run
	Lane string // its id; "": the first lane
	Tick int64  // at the end of this tick; -1: before anything
	Seq  int64  // exactly after this event, if it is 0 or more
	Lang string
}

// LanePicture draws a lane at an instant as the page does, in one of picture.Formats. It waits
// until the run is computed that far. It returns an error of w or ctx, or one that names the wrong
// field.
func LanePicture(ctx context.Context, w io.Writer, at Instant, as string, o picture.Options) error {
	p := at.Run.Program()
	k, err := laneCalled(p, at.Lane)
	if err != nil {
		return err
	}
	where, err := position{at.Tick, at.Seq}.locate(ctx, at.Run)
	if err != nil {
		return err
	}
	snap, err := where.snapshot(ctx, at.Run, templates.DotsMax)
	if err != nil {
		return err
	}
	lang := at.Lang
	if as == "png" && lang == "zh" && !picture.Speaks(o.Font, "等待") {
		lang = "en" // the font has no Chinese
	}
	lane := lanePictured(p, k, &snap.Lanes[k], lang)
	texts := templates.Texts(static.Texts(lang))
	page := &templates.Page{Lang: lang, Name: p.Scenario.Name, Title: texts.Called(p.Scenario.Title.In(lang), p.Scenario.Name), Until: p.Until, Now: snap.Tick, Seq: snap.Seq, Texts: texts}
	return picture.Write(ctx, w, as, page, &lane, o)
}

// lanePictured returns a lane with all timers, or with none if there are more than
// templates.DotsMax: then the picture shows their number in each place.
func lanePictured(p *sim.Program, k int, snap *sim.LaneSnapshot, lang string) templates.Lane {
	info := p.Scenario.Facts()
	lane := laneOf(p, k, &info[k], snap, lang)
	most := templates.DotsMax
	if lane.Totals.Live > templates.DotsMax {
		most = 0
	}
	lane.Places = placesOf(p, snap.Places, most)
	return lane
}

// laneCalled returns the index of the lane with an id, or 0 if id is "".
func laneCalled(p *sim.Program, id string) (int, error) {
	var ids []string
	for i := range p.Scenario.Lanes {
		ids = append(ids, p.Scenario.Lanes[i].ID)
	}
	if id == "" {
		return 0, nil
	}
	k := slices.Index(ids, id)
	if k < 0 {
		return 0, refuse("lane", "%q is not one of %s", clip(id), strings.Join(ids, ", "))
	}
	return k, nil
}

// picture sends a lane at a position: /picture?run=&lane=&t=&seq=&as=&theme=&size=&lang=
func (s *Server) picture(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	bad := func(err error) error {
		return echo.NewHTTPError(http.StatusBadRequest, userError(err, s.language(c)).Error())
	}
	at, err := readPosition(c.QueryParams())
	if err != nil {
		return bad(err)
	}
	as := c.QueryParam("as")
	if !slices.Contains(picture.Formats(), as) {
		return bad(refuse("as", "%q is not one of %s", clip(as), strings.Join(picture.Formats(), ", ")))
	}
	size := int64(0)
	if c.QueryParam("size") != "" {
		if size, err = queryInteger(c, "size", picture.WidthMin); err == nil && size > picture.WidthMax {
			err = refuse("size", "%d is not %s", size, fmt.Sprintf("a whole number between %d and %d", picture.WidthMin, picture.WidthMax))
		}
		if err != nil {
			return bad(err)
		}
	}
	theme := c.QueryParam("theme")
	if theme != "" && !slices.Contains(picture.Themes(), theme) {
		return bad(refuse("theme", "%q is not one of %s", clip(theme), strings.Join(picture.Themes(), ", ")))
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), answerWait)
	defer cancel()
	o := picture.Options{Width: int(size), Theme: theme}
	ctx, done, err := s.work(ctx, picture.Bytes(o))
	if err != nil {
		return err
	}
	defer done()
	var b bytes.Buffer
	err = LanePicture(ctx, &b, Instant{run, c.QueryParam("lane"), at.tick, at.seq, s.language(c)}, as, o)
	done() // the answer is sent without holding a turn
	switch {
	case errors.Is(err, context.Canceled), isShortage(err):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return notComputed()
	case err != nil:
		return bad(err)
	}
	media := map[string]string{"svg": "image/svg+xml; charset=utf-8", "png": "image/png"}[as]
	attach(c, run, "-"+strconv.FormatInt(max(at.tick, 0), 10)+"."+as)
	return c.Blob(http.StatusOK, media, b.Bytes())
}
