package picture

import (
	"image/color"
	"strings"
)

// paint is the fill and stroke of a shape. A shape is not filled if the alpha of fill is 0, and has no stroke if
// the alpha of stroke is 0.
type paint struct {
	fill, stroke color.NRGBA
	width        float64   // width of the stroke; 0 means no stroke
	dash         []float64 // lengths of drawn and skipped parts of the stroke, alternately; nil means a solid line
	opacity      float64   // opacity of the whole shape; 0 means opaque
	round        bool      // whether line joins are round
}

// classes is the set of CSS classes of an element and its ancestors.
type classes map[string]bool

// timer returns the number of a timer's colour, which is the digit in the CSS class c0, c1, … of the timer.
// It returns "" if the element does not belong to a timer.
func (c classes) timer() string {
	for name := range c {
		if len(name) == 2 && name[0] == 'c' && '0' <= name[1] && name[1] <= '9' {
			return name[1:]
		}
	}
	return ""
}

// paintOf returns the style of a path, circle or rectangle according to static/css/pictures.css.
func paintOf(c classes, p palette) paint {
	switch {
	case c["dot"]:
		return dotPaint(c, p)
	case c["bundle"]:
		return paint{fill: p.get("accent-pale"), stroke: p.get("accent"), width: 1.4}
	case c["trail"]:
		return paint{stroke: p.get("move"), width: 3, opacity: 0.8, round: true}
	case c["trailhead"]:
		return paint{fill: p.get("move")}
	case c["left"]:
		return paint{stroke: p.get("move"), width: 2, dash: []float64{3, 4}}
	case c["hole"]:
		return paint{fill: p.get("card"), stroke: p.get("ring-line"), width: 1.2}
	case c["ring"]:
		return paint{fill: p.get("ring"), stroke: p.get("ring-line"), width: 1.2}
	case c["border"]:
		return paint{stroke: p.get("ring-line"), width: 1.2}
	case c["edge"]:
		return paint{stroke: p.get("ring-line"), width: 2}
	case c["chain"]:
		return paint{stroke: p.get("ink"), width: 2.4, opacity: 0.55}
	case c["hand"]:
		return paint{fill: p.get("hand-fill"), stroke: p.get("hand"), width: 1.3, round: true}
	case c["pointer"]:
		return paint{stroke: p.get("hand"), width: pointerWidth(c)}
	case c["spans"]:
		return paint{stroke: p.get("soft"), width: 0.8}
	case c["hand-line"]:
		return paint{stroke: p.get("hand"), width: 2.5}
	case c["block"]:
		return paint{fill: p.get("heat-1"), opacity: 0.85}
	case c["shade"]:
		return shadePaint(c, p)
	}
	return paint{}
}

// pointerWidth returns the line width of a hand, which depends on its level: the CSS class is p0 for level 0,
// p1 for level 1, and p2 for higher levels.
func pointerWidth(c classes) float64 {
	switch {
	case c["p0"]:
		return 3.2
	case c["p1"]:
		return 4.2
	}
	return 5.2
}

func dotPaint(c classes, p palette) paint {
	switch {
	case c["turn"]:
		return paint{stroke: p.get("timer-" + c.timer()), width: 2.5}
	case c["cross"]:
		return paint{stroke: p.get("rejection"), width: 2, round: true}
	case c["marked"]:
		return paint{fill: p.get("card"), stroke: p.get("dot-line"), width: 1.4, dash: []float64{3, 3}}
	case c["fired"]:
		return paint{fill: p.get("card"), stroke: p.get("expiry"), width: 2.5}
	case c["rejected"]:
		return paint{fill: p.get("card"), stroke: p.get("rejection"), width: 2}
	}
	return paint{fill: p.get("timer-" + c.timer()), stroke: p.get("dot-line"), width: 1.4}
}

func shadePaint(c classes, p palette) paint {
	fill := p.get("waits")
	switch {
	case c["second"]:
		fill.A = 0x2e
	case c["s0"]:
		fill.A = 0x59
	case c["s1"]:
		fill.A = 0x99
	case c["s2"]:
		fill.A = 0xd9
	case c["s3"]:
		fill = p.get("heat-1")
	}
	return paint{fill: fill}
}

// wordsOf sets the style of s, a text with the CSS classes c, according to static/css/pictures.css: size,
// weight, colour, family and anchor. The element itself may override the size.
func wordsOf(c classes, p palette, s *shape) {
	s.fill = p.get("soft")
	switch {
	case c["clock"]:
		s.fill, s.bold, s.mono, s.anchor = p.get("ink"), true, true, flush(c, "start")
	case c["wall"]:
		s.anchor = flush(c, "start")
	case c["waiting"]:
		s.anchor = flush(c, "end")
	case c["note"]:
		s.size, s.anchor = 17, "start"
	case c["bundle"]:
		s.fill, s.bold, s.anchor = p.get("ink"), true, "middle"
	case c["many"]:
		s.fill, s.bold, s.size = p.get("ink"), true, 15
	case c["dot"]:
		dotWords(c, p, s)
	case c["traytext"]:
		s.size = 15
		if c["rejected"] {
			s.fill = p.get("rejection")
		}
	case c["spans"]:
		s.size = 10.5
	case c["numbers"]:
		numberWords(c, p, s)
	}
}

// dotWords sets the style of the label of a timer.
func dotWords(c classes, p palette, s *shape) {
	s.fill, s.bold, s.anchor = p.get("timer-ink-"+c.timer()), true, "middle"
	switch {
	case c["marked"]:
		s.fill = p.get("soft")
	case c["fired"]:
		s.fill = p.get("ink")
	case c["rejected"]:
		s.fill = p.get("rejection")
	}
}

// flush returns the text anchor of an element with the CSS classes c. If "flush" is one of the classes, it
// returns side, which is "start" or "end"; otherwise it returns "middle".
func flush(c classes, side string) string {
	if c["flush"] {
		return side
	}
	return "middle"
}

func numberWords(c classes, p palette, s *shape) {
	s.size = 23
	switch {
	case c["word"]:
		s.size, s.anchor, s.mono = 16, "end", true
	case c["row"]:
		s.size, s.anchor = 17, "start"
	case c["inner"]:
		s.size = 10.5
	case c["slice"]:
		s.size, s.anchor = 17, "middle"
		if c["narrow"] {
			s.size = 10
		}
	case c["second"]:
		s.size, s.anchor = 15, "end"
	case c["beside"]:
		s.size, s.anchor = 16, "start"
	case c["long"]:
		s.size = 24
	}
	if c["under"] {
		s.fill, s.bold = p.get("hand"), true
	}
}

// classesOf returns the union of outer and the names in class, the value of a class attribute.
func classesOf(outer classes, class string) classes {
	out := classes{}
	for name := range outer {
		out[name] = true
	}
	for _, name := range strings.Fields(class) {
		out[name] = true
	}
	return out
}
