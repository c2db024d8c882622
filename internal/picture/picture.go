// Package picture writes the state of a lane as an SVG file. It draws what the page draws: the
// templates determine the layout, and the style sheets the colours. A picture is converted to shapes
// with explicit colours, so that the SVG looks the same in every program.
//
// Start reading here, then shapes.go (from the template) and svg.go.
package picture

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/wheelscope/wheelscope/templates"
)

// Minimum, maximum and default width of a picture, in pixels.
const (
	WidthMin     = 64
	WidthMax     = 4096
	WidthDefault = 800
)

// Dimensions of a picture in units: a square lane view below a title line.
const (
	side  = 400.0
	above = 34.0
)

// Bytes is an upper bound on the memory, in bytes, that Write needs, including memory for its output.
// A server reserves this amount before the call.
const Bytes = 20 << 20

// Themes returns the colour themes. The first is the default.
func Themes() []string { return []string{"light", "dark", "contrast"} }

// Options configures the appearance of a picture.
type Options struct {
	Width int    // width in pixels; 0 means WidthDefault
	Theme string // name of a theme, one of Themes; "" means the first
}

// filled returns o with defaults in place of zero fields.
func (o Options) filled() Options {
	o.Width = cmp.Or(o.Width, WidthDefault)
	if o.Theme == "" {
		o.Theme = Themes()[0]
	}
	return o
}

// Write draws lane l of page p and writes the picture to w. If ctx is done, Write returns ctx.Err().
func Write(ctx context.Context, w io.Writer, p *templates.Page, l *templates.Lane, o Options) error {
	o = o.filled()
	if o.Width < WidthMin || o.Width > WidthMax {
		return fmt.Errorf("size: %d is not between %d and %d pixels", o.Width, WidthMin, WidthMax)
	}
	if !slices.Contains(Themes(), o.Theme) {
		return fmt.Errorf("theme: %q is not one of %v", o.Theme, Themes())
	}
	colours, err := paletteOf(o.Theme)
	if err != nil {
		return err
	}
	all, err := layOut(ctx, p, l, colours)
	if err != nil {
		return err
	}
	return writeSVG(ctx, w, all, colours, p.Title+" · "+l.Title, o.Width)
}

// layOut returns the shapes of a picture of lane l, including the texts of its title and ID.
func layOut(ctx context.Context, p *templates.Page, l *templates.Lane, colours palette) ([]shape, error) {
	var b bytes.Buffer
	if err := templates.LanePicture(p, l).Render(ctx, &b); err != nil {
		return nil, fmt.Errorf("drawing lane %s: %w", l.ID, err)
	}
	name := shape{kind: words, x: 8, y: 17, size: 19, bold: true, anchor: "start", text: l.Title, paint: paint{fill: colours.get("ink")}}
	id := shape{kind: words, x: side - 8, y: 17, size: 17, anchor: "end", text: l.ID, mono: true, paint: paint{fill: colours.get("soft")}}
	shapes, err := shapesOf(ctx, &b, colours)
	if err != nil {
		return nil, fmt.Errorf("drawing lane %s: %w", l.ID, err)
	}
	for i := range shapes {
		shapes[i].dy += above
	}
	return append([]shape{name, id}, shapes...), nil
}
