package templates

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// label is the number of a slot and its position.
type label struct {
	X, Y float64
	Slot int
	Side string // the end of the text at X, Y: "start", "middle" or "end"
}

// labels returns the slot numbers of a level: outside the rim for the finest, in the outer part of
// the ring for a coarser level with room for them. It leaves out numbers where span, the text in
// that part, is written.
func labels(level, levels, slots int, span string) []label {
	if level < 0 || level > 0 && !hasBand(level, levels) {
		return nil
	}
	if level == 0 && slots > longMin {
		return longLabels(slots)
	}
	every := 1
	if slots > labelsMax {
		every = labelStep(slots)
	}
	radius, taken := rimRadius+labelRoom, 0.0
	if level > 0 {
		_, outer := ringRadii(level, levels)
		radius = outer - bandWide/2
		taken = spanAngle(level, levels, span)/2 + spanGap/radius
	}
	var all []label
	for s := 0; s < slots && (every == 1 || s+every <= slots); s += every {
		a := slotAngle(s, slots)
		if math.Abs(a-math.Pi/2) < taken {
			continue
		}
		x, y := polar(radius, a)
		all = append(all, label{x, y, s, "middle"})
	}
	return all
}

// hasBand reports whether a level's ring has an outer part for text.
func hasBand(level, levels int) bool {
	inner, outer := ringRadii(level, levels)
	return outer-inner >= bandLeast
}

// spanAngle returns the angle in radians that the text about a level's slots takes at the bottom of
// its ring; 0 if there is no room for it.
func spanAngle(level, levels int, text string) float64 {
	_, outer := ringRadii(level, levels)
	angle := ems(text) * bandFont / (outer - spanBase)
	if text == "" || angle > spanMost || !hasBand(level, levels) {
		return 0
	}
	return angle
}

// spanPath returns the base line of the text about a level's slots as an SVG path: the lower half of
// a circle, from left to right.
func spanPath(level, levels int) string {
	_, outer := ringRadii(level, levels)
	r := outer - spanBase
	return "M" + fix(centre-r) + " " + fix(centre) + "A" + fix(r) + " " + fix(r) + " 0 0 0 " + fix(centre+r) + " " + fix(centre)
}

// spanID returns the id of that path's element.
func spanID(l *Lane, level int) string {
	return fmt.Sprintf("span-%x-%d", l.ID, level)
}

// pointerPath returns a level's hand as an SVG path: a line from the middle through the slot.
func pointerPath(level, levels, slot, slots int) string {
	_, outer := dotRadii(level, levels)
	a := slotAngle(slot, slots)
	x1, y1 := polar(holeRadius(levels), a)
	x2, y2 := polar(outer, a)
	return "M" + fix(x1) + " " + fix(y1) + "L" + fix(x2) + " " + fix(y2)
}

// longLabels returns the numbers of a ring of many slots, few and large: at the top, the bottom,
// and in the corners of the square, where there is room beside the ring.
func longLabels(slots int) []label {
	var all []label
	for _, eighth := range []int{0, 1, 3, 4, 5, 7} {
		slot := slots * eighth / 8
		a := slotAngle(slot, slots)
		x, y := polar(rimRadius+longRoom, a)
		side := "middle"
		switch { // in a corner the near end of the text is beside the rim
		case eighth%4 != 0 && eighth < 4:
			side = "start"
		case eighth%4 != 0:
			side = "end"
		}
		all = append(all, label{x, y + (longAbove-longRoom)*math.Sin(a), slot, side})
	}
	return all
}

// clockSize, wallSize and waitingSize return the font sizes of the lines in the middle, so that they
// fit the hole, whose radius is given.
func clockSize(hole float64, text string) string {
	return fix(math.Min(44, 2*hole*0.9/(0.62*float64(utf8.RuneCountInString(text)))))
}

func wallSize(hole float64, text string) string {
	return fix(math.Min(0.34*hole, 2*hole*0.86/ems(text)))
}

func waitingSize(hole float64, text string) string {
	return fix(waitingUnits(hole, text))
}

func waitingUnits(hole float64, text string) float64 { return math.Min(22, 2*hole*0.74/ems(text)) }

// waitingClass returns the style class for the size of the second line of text. static/css/pictures.css
// hides it in pictures too small to read it; the number is also below the picture.
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

// flushSizes returns the font sizes of the time and of the number of pending timers if both share a
// line, so that they do not overlap.
func flushSizes(clock, waiting string) (large, small string) {
	scale := math.Min(1, 306/(38*0.61*float64(len(clock))+24*ems(waiting)))
	return fix(38 * scale), fix(24 * scale)
}

// ems returns the approximate width of a text in units of its font size.
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

// fix formats a coordinate with at most one decimal.
func fix(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}
