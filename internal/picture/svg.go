package picture

import (
	"bufio"
	"context"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// Font families of the SVG's text, provided by the viewer's system.
const (
	sans = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
	mono = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace"
)

// central is the distance from the middle of a line of text to its baseline, relative to the font size. It is
// used because not every program supports dominant-baseline.
const central = 0.36

// writeSVG writes the shapes in all to w as an SVG image that does not need a style sheet. The image has the
// given title and is width pixels wide. The colour of its background is taken from colours.
func writeSVG(ctx context.Context, w io.Writer, all []shape, colours palette, title string, width int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %g %g" role="img">`+"\n", width, heightOf(width), side, side+above)
	fmt.Fprintf(out, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", escape(title), web(colours.get("card")))
	for i := range all {
		if i%shapesPerCheck == 0 {
			if err := fairqueue.Pace(ctx); err != nil {
				return err
			}
		}
		out.WriteString(element(&all[i]))
		out.WriteByte('\n')
	}
	out.WriteString("</svg>\n")
	return out.Flush()
}

// heightOf returns the height in pixels of a picture with the given width.
func heightOf(width int) int { return int(float64(width)*(side+above)/side + 0.5) }

// element returns shape s as an SVG element.
func element(s *shape) string {
	switch s.kind {
	case circle:
		return fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s"%s/>`, num(s.x+s.dx), num(s.y+s.dy), num(s.r), attributes(&s.paint))
	case words:
		return text(s)
	}
	move := ""
	if s.dx != 0 || s.dy != 0 {
		move = fmt.Sprintf(` transform="translate(%s %s)"`, num(s.dx), num(s.dy))
	}
	return fmt.Sprintf(`<path d="%s"%s%s/>`, escape(s.d), move, attributes(&s.paint))
}

func text(s *shape) string {
	family, weight := sans, ""
	if s.mono {
		family = mono
	}
	if s.bold {
		weight = ` font-weight="700"`
	}
	return fmt.Sprintf(`<text x="%s" y="%s" font-size="%s" font-family="%s"%s text-anchor="%s" fill="%s">%s</text>`,
		num(s.x+s.dx), num(s.y+s.dy+central*s.size), num(s.size), family, weight, s.anchor, web(s.fill), escape(s.text))
}

// attributes returns the SVG attributes for the fill and stroke in p.
func attributes(p *paint) string {
	var b strings.Builder
	b.WriteString(` fill="` + web(p.fill) + `"`)
	if p.fill.A > 0 && p.fill.A < 0xff {
		b.WriteString(` fill-opacity="` + num(float64(p.fill.A)/0xff) + `"`)
	}
	if p.stroke.A > 0 && p.width > 0 {
		b.WriteString(` stroke="` + web(p.stroke) + `" stroke-width="` + num(p.width) + `"`)
	}
	for i, d := range p.dash {
		b.WriteString([]string{` stroke-dasharray="`, " "}[min(i, 1)] + num(d))
	}
	if len(p.dash) > 0 {
		b.WriteString(`"`)
	}
	if p.round {
		b.WriteString(` stroke-linejoin="round"`)
	}
	if p.opacity > 0 {
		b.WriteString(` opacity="` + num(p.opacity) + `"`)
	}
	return b.String()
}

// web formats a colour for an SVG attribute. A colour with alpha 0 is "none"; other alpha values are
// ignored.
func web(c color.NRGBA) string {
	if c.A == 0 {
		return "none"
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// num formats a number with at most two decimals.
func num(v float64) string {
	return strconv.FormatFloat(float64(int64(v*100+sign(v)*0.5))/100, 'f', -1, 64)
}

func sign(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}

func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // writes to a strings.Builder do not fail
	return b.String()
}
