package templates

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// label is a slot number and its position.
type label struct {
	X, Y float64
	Slot int
	Side string // value of the SVG attribute text-anchor: "start", "middle" or "end"
}

// labels returns the slot numbers of a level. Those of the finest level are outside the rim, and those of a coarser level on
// the border of its ring.
func (r ringShape) labels(level int) []label {
	if level == 0 && r.slots > longMin {
		return r.longLabels()
	}
	every := 1
	if r.slots > labelsMax {
		every = labelStep(r.slots)
	}
	radius := faceRim + faceLabel
	if level > 0 {
		radius = r.outer
		if r.slots/every > innerMax && r.slots%(2*every) == 0 {
			every *= 2
		}
	}
	var all []label
	for s := 0; s < r.slots && (every == 1 || s+every <= r.slots); s += every {
		x, y := dialPoint(radius, float64(s), r.slots)
		all = append(all, label{x, y, s, "middle"})
	}
	return all
}

// spanLine is a line of the text about the slots of a level, and its position.
type spanLine struct {
	X, Y       float64
	Side, Text string
	Long       bool // whether Text must be compressed horizontally because it is too wide for its corner of the picture
}

// spanLines returns text, which describes the slots of a level, as one or two lines with their positions. Levels 0, 1 and 2 have the upper left,
// the upper right and the lower left corner of the square picture; the lower right is that of the timers that fired.
//
// The result is empty if text is "" or if level is above 2, and for level 2 if beside is true, which means that a side list is drawn in its corner.
func spanLines(level int, text string, beside bool) []spanLine {
	if text == "" || level > 2 || beside && level == 2 {
		return nil
	}
	cut := strings.IndexAny(text, ",，")
	parts := []string{text}
	if cut >= 0 {
		_, wide := utf8.DecodeRuneInString(text[cut:])
		parts = []string{text[:cut], strings.TrimSpace(text[cut+wide:])}
	}
	x, side := spanLeft, "start"
	if level == 1 {
		x, side = 2*centre-spanLeft, "end"
	}
	var all []spanLine
	for k, part := range parts {
		y := spanTop + spanHigh*float64(k)
		if level == 2 {
			y = 2*centre - spanTop - spanHigh*float64(len(parts)-1-k)
		}
		all = append(all, spanLine{x, y, side, part, ems(part)*bandFont > spanMost})
	}
	return all
}

// leadPath returns the line, as an SVG path, from the text about the slots of a level (see spanLines) to its ring.
func (r ringShape) leadPath(level int) string {
	right, below := level == 1, level == 2
	x, y, eighth := leadLeft, leadTop, [...]float64{7, 1, 5}[level]
	if right {
		x = 2*centre - x
	}
	if below {
		y = 2*centre - y
	}
	at := float64(r.slots) * eighth / 8 // the slot on the diagonal
	border := math.Floor(at) + 0.5      // between two numbers; of two equally near, towards the vertical axis
	if right != below {
		border = math.Ceil(at) - 0.5
	}
	most := leadMost * float64(r.slots) / (2 * math.Pi)
	away := max(-most, min(most, border-at))
	if r.slots > longMin { // a long number is on the diagonal
		away = most
		if right != below {
			away = -most
		}
	}
	return "M" + fix(x) + " " + fix(y) + "L" + dialAt(r.outer-ringIn, at+away, r.slots)
}

// pointerPath returns the hand of a level as an SVG path: a line from the circle in the middle of the picture, whose
// radius is hub, through the slot with the given number.
func (r ringShape) pointerPath(hub float64, slot int) string {
	return "M" + dialAt(hub, float64(slot), r.slots) + "L" + dialAt(r.outer-ringIn, float64(slot), r.slots)
}

// longLabels returns the labels for a ring with more than longMin slots. It labels only the slots at the top, at the
// bottom, and in the direction of the corners of the square picture, where there is room for larger numbers beside the
// ring.
func (r ringShape) longLabels() []label {
	var all []label
	for _, eighth := range []int{0, 1, 3, 4, 5, 7} {
		slot := r.slots * eighth / 8
		x, _ := dialPoint(faceRim+longRoom, float64(slot), r.slots)
		_, y := dialPoint(faceRim+longAbove, float64(slot), r.slots)
		side := "middle"
		switch { // in a corner the near end of the text is beside the rim
		case eighth%4 != 0 && eighth < 4:
			side = "start"
		case eighth%4 != 0:
			side = "end"
		}
		all = append(all, label{x, y, slot, side})
	}
	return all
}

// clockSize returns the font size of text, the line with the tick in the middle of a picture. At that size, the line
// fits into a circle with radius hole. wallSize and waitingSize do the same for the lines with the time and with the
// number of pending timers.
func clockSize(hole float64, text string) string {
	return fix(math.Min(44, 2*hole*0.78/(0.62*float64(utf8.RuneCountInString(text)))))
}

func wallSize(hole float64, text string) string {
	return fix(math.Min(0.34*hole, 2*hole*0.86/ems(text)))
}

func waitingSize(hole float64, text string) string {
	return fix(waitingUnits(hole, text))
}

func waitingUnits(hole float64, text string) float64 { return math.Min(22, 2*hole*0.68/ems(text)) }

// waitingClass returns the style classes of text, the line with the number of pending timers in the middle of a
// picture. hole is the radius of the circle that contains the line. The classes depend on the font size at which the
// line fits into the circle, so that static/css/pictures.css can hide the line in a picture where it would be too small
// to read. The number is also shown below the picture.
func waitingClass(hole float64, text string) string {
	switch size := waitingUnits(hole, text); {
	case size < 12:
		return "waiting finest"
	case size < 16:
		return "waiting fine"
	case size < 19:
		return "waiting small"
	}
	return "waiting"
}

// flushSizes returns the font sizes at which the texts clock and waiting together fit on one line of a picture. large
// is the font size of clock, which shows the tick. small is the font size of waiting, which shows the number of pending
// timers.
func flushSizes(clock, waiting string) (large, small string) {
	scale := math.Min(1, 306/(flushFont*0.61*float64(len(clock))+24*ems(waiting)))
	return fix(flushFont * scale), fix(24 * scale)
}

// ems returns the approximate width of text as a multiple of its font size.
func ems(text string) float64 {
	width := 0.0
	for _, r := range text {
		width += 0.55
		if r > 0x2e80 { // a wide character
			width += 0.45
		}
	}
	return width
}

// fix formats a coordinate, rounded to hundredths, as JavaScript does. Halves are rounded up although sines of the two differ in the last bits.
func fix(v float64) string {
	v = math.Floor(v*100+0.5+1e-6) / 100
	return strconv.FormatFloat(v+0, 'f', -1, 64)
}
