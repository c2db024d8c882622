package picture

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// kind is the kind of a shape: a path, a circle or a text.
type kind int

const (
	path kind = iota
	circle
	words
)

// shape is a path, a circle or a line of text in a picture, with explicit colours. Its lengths are in units of
// the picture, which is 400 units wide.
type shape struct {
	paint
	kind       kind
	dx, dy     float64 // translation of the shape, in units of the picture
	d          string  // commands of a path, as in SVG
	x, y, r    float64 // centre and radius of a circle; for text, x and y are the anchor point
	text       string
	size       float64 // font size of the text
	anchor     string  // alignment of the text at its anchor point: "start", "middle" or "end"
	bold, mono bool
}

// shapesMax is the maximum number of shapes in a picture. It is enough for 2,000 timers, each drawn as a dot
// of five shapes, and the cells of a ring.
const shapesMax = 1 << 16

// shapesPerCheck is the number of shapes that are processed between two checks of the context.
const shapesPerCheck = 64

// reader converts the SVG elements of a template to shapes.
type reader struct {
	in      *xml.Decoder
	colours palette
	stack   []group // elements whose end has not been read yet, the outermost first
	all     []shape // shapes found so far
}

// group is an SVG element whose end has not been read yet. It holds the classes of the element and its
// ancestors, and the translation of its content.
type group struct {
	classes classes
	dx, dy  float64
}

// shapesOf returns the shapes in an SVG that a template has written. It reads the SVG from in. colours contains
// the colours of the theme.
func shapesOf(ctx context.Context, in io.Reader, colours palette) ([]shape, error) {
	r := &reader{in: xml.NewDecoder(transform.NewReader(in, legible)), colours: colours, stack: []group{{}}}
	for n := 0; ; n++ {
		if n%shapesPerCheck == 0 {
			if err := fairqueue.Pace(ctx); err != nil {
				return nil, err
			}
		}
		token, err := r.in.Token()
		if errors.Is(err, io.EOF) {
			return r.all, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := r.open(t); err != nil {
				return nil, fmt.Errorf("%s: %w", t.Name.Local, err)
			}
		case xml.EndElement:
			r.stack = r.stack[:len(r.stack)-1]
		}
		if len(r.all) > shapesMax {
			return nil, fmt.Errorf("more than %d shapes", shapesMax)
		}
	}
}

// open processes the start element e: it appends the group of e to r.stack, and the shape of e, if it has one,
// to r.all. If e is a text or a title, open also reads its content and its end, and removes its group again.
func (r *reader) open(e xml.StartElement) error {
	attr := map[string]string{}
	for _, a := range e.Attr {
		attr[a.Name.Local] = a.Value
	}
	g := r.stack[len(r.stack)-1]
	g.classes = classesOf(g.classes, attr["class"])
	if from, ok := strings.CutPrefix(attr["transform"], "translate("); ok {
		if _, err := fmt.Sscanf(from, "%g %g)", &g.dx, &g.dy); err != nil {
			return fmt.Errorf("transform %q: %w", attr["transform"], err)
		}
	}
	r.stack = append(r.stack, g)
	switch e.Name.Local {
	case "path", "circle", "rect":
		return r.outline(e.Name.Local, attr, g)
	case "text", "title":
		return r.words(e, attr, g)
	}
	return nil
}

// outline appends the shape of an SVG element to r.all. name, the name of the element, is "path", "circle" or
// "rect"; attr contains its attributes, and g is its group. For a path without data, outline appends nothing.
func (r *reader) outline(name string, attr map[string]string, g group) error {
	s := shape{kind: path, paint: paintOf(g.classes, r.colours), dx: g.dx, dy: g.dy, d: attr["d"]}
	if share, ok := attr["data-heat"]; ok {
		n, err := strconv.ParseFloat(share, 64)
		if err != nil {
			return err
		}
		s.fill = r.colours.heat(n / 1000)
	}
	var err error
	number := func(name string) float64 {
		n, wrong := numberOf(attr[name])
		err = errors.Join(err, wrong)
		return n
	}
	if wide := number("stroke-width"); wide > 0 && s.width == 0 {
		s.width = wide
	}
	switch name {
	case "circle":
		s.kind, s.x, s.y, s.r = circle, number("cx"), number("cy"), number("r")
	case "rect":
		s.d = fmt.Sprintf("M%g %gh%gv%gh%gz", number("x"), number("y"), number("width"), number("height"), -number("width"))
	}
	if name != "path" || s.d != "" {
		r.all = append(r.all, s)
	}
	return err
}

// words reads e, a text or title element with the attributes attr, to its end. If e is a text and not empty,
// words appends its shape to r.all. g is the group of e.
func (r *reader) words(e xml.StartElement, attr map[string]string, g group) error {
	var content string
	if err := r.in.DecodeElement(&content, &e); err != nil {
		return err
	}
	r.stack = r.stack[:len(r.stack)-1] // its end has been read, too
	if e.Name.Local == "title" || content == "" {
		return nil
	}
	s := shape{kind: words, dx: g.dx, dy: g.dy, text: content, anchor: attr["text-anchor"]}
	wordsOf(g.classes, r.colours, &s)
	var errs [3]error
	s.x, errs[0] = numberOf(attr["x"])
	s.y, errs[1] = numberOf(attr["y"])
	if size, err := numberOf(attr["font-size"]); err == nil && size > 0 {
		s.size = size
	} else {
		errs[2] = err
	}
	s.anchor = cmp.Or(s.anchor, "start")
	r.all = append(r.all, s)
	return errors.Join(errs[:]...)
}

// numberOf parses the value of an attribute. It returns 0 if text is empty.
func numberOf(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	return strconv.ParseFloat(text, 64)
}

// legible replaces characters that XML does not allow with the replacement rune. The name of a timer may
// contain such characters.
var legible = runes.Map(func(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return utf8.RuneError
	}
	return r
})
