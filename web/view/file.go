package view

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/picture"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// File is a file that the user saves.
type File struct {
	Ending string                                       // suffix that follows the scenario's name in the file name, such as ".html" or "-5.svg"
	Media  string                                       // media type of the file
	Bytes  int64                                        // number of bytes of memory that Write needs, to be reserved by the caller
	Write  func(ctx context.Context, w io.Writer) error // writes the content to w
}

// Picture returns a picture of a lane of run as SVG. The parameters "lane", "t" and "seq" in q select the lane and the
// position; "theme" and "size" select the appearance; "as", the format, must be "svg". Texts in the picture are in the language
// lang. The picture is complete when Picture returns.
func Picture(ctx context.Context, answers *api.Answers, run *sim.Run, q url.Values, lang string) (*File, error) {
	at, err := api.Position(q)
	if err != nil {
		return nil, err
	}
	as, o := q.Get("as"), picture.Options{Theme: q.Get("theme")}
	if as != "svg" {
		return nil, texts.Errorf(texts.Invalid, "as", "%q is not one of %s", texts.Clip(as), "svg")
	}
	if q.Get("size") != "" {
		size, err := api.Integer(q, "size", picture.WidthMin)
		if err == nil && size > picture.WidthMax {
			err = texts.Errorf(texts.Invalid, "size", "%d is not %s", size, scenario.Between(picture.WidthMin, picture.WidthMax))
		}
		if err != nil {
			return nil, err
		}
		o.Width = int(size)
	}
	if o.Theme != "" && !slices.Contains(picture.Themes(), o.Theme) {
		return nil, texts.Errorf(texts.Invalid, "theme", "%q is not one of %s", texts.Clip(o.Theme), strings.Join(picture.Themes(), ", "))
	}
	ctx, cancel := context.WithTimeout(ctx, protocol.AnswerWait)
	defer cancel()
	ctx, done, err := answers.Work(ctx, picture.Bytes)
	if err != nil {
		return nil, err
	}
	defer done()
	var b bytes.Buffer
	err = LanePicture(ctx, &b, LaneAt{Run: run, Lane: q.Get("lane"), At: at, Lang: lang}, o)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, api.NotComputed()
	case err != nil:
		return nil, err
	}
	return &File{Ending: "-" + strconv.FormatInt(max(at.Tick, 0), 10) + ".svg", Media: "image/svg+xml; charset=utf-8", Write: func(_ context.Context, w io.Writer) error {
		_, err := b.WriteTo(w)
		return err
	}}, nil
}

// Player returns run as one HTML file that works without a server. The optional "seq" parameter in q is the
// number of the event at which the file opens. Player waits until the run is computed, and returns an error if
// it has too many events.
func Player(ctx context.Context, run *sim.Run, q url.Values) (*File, error) {
	at := int64(0)
	if q.Get("seq") != "" {
		var err error
		if at, err = api.Integer(q, "seq", 0); err != nil {
			return nil, err
		}
	}
	wait, cancel := context.WithTimeout(ctx, protocol.AnswerWait)
	defer cancel()
	events, err := player.Events(wait, run)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, api.NotComputed()
	case err != nil:
		return nil, err
	case at > events:
		return nil, &sim.PositionError{Seq: at, Last: events}
	case events > player.EventsMax:
		return nil, texts.Errorf(texts.Invalid, "", "run: %d events are more than a page can hold: expected %d or fewer", events, player.EventsMax)
	}
	const eventBytes = 100 // all events are in memory before the first byte is written
	bytes := api.EngineBytes(run.Program()) + eventBytes*events
	return &File{".html", "text/html; charset=utf-8", bytes, func(ctx context.Context, w io.Writer) error {
		return player.Write(ctx, w, run, player.Options{Open: at})
	}}, nil
}
