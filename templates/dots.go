package templates

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wheelscope/wheelscope/internal/knowledge"
)

// firstPaintDots is the maximum number of timers of a lane that are drawn individually in the HTML of a page.
// The scripts of the page, once they have started, draw up to DotsMax timers.
const firstPaintDots = 400

// colours is the number of timer colours, whose style classes are c0 to c5. They are from the palette of
// Okabe and Ito, which colour-blind viewers can distinguish.
const colours = 6

// dot is a timer as drawn in a picture.
type dot struct {
	point
	Timer *Timer
	Label string
	Badge bool // whether the dot has a number, the remaining rounds or the stale key, and room for it
	Due   bool // whether the dot has room for the due tick
	Class string
	Title string
}

// dots returns the dots for the timers of lane l, at most max(firstPaintDots, p.Dots).
func (p *Page) dots(l *Lane) []dot {
	var all []dot
	for i := range l.Places {
		pl := &l.Places[i]
		for j := range pl.Timers {
			if len(all) == max(firstPaintDots, p.Dots) {
				return all
			}
			all = append(all, p.dot(l, pl, j))
		}
	}
	return all
}

// labelSize returns the largest font size at which label fits into a dot with radius r. A part of the label outside the
// dot could be invisible, because it could have the colour of the background.
func labelSize(r float64, label string) float64 {
	switch n := utf8.RuneCountInString(label); {
	case n > 2:
		return r * 0.9
	case strings.Trim(label, "0123456789") == "":
		return r * 1.2
	}
	return r
}

func (p *Page) dot(l *Lane, pl *Place, j int) dot {
	t := &pl.Timers[j]
	d := dot{point: spot(l, pl, j), Timer: t, Title: p.timerTitle(t)}
	if d.R >= labelRadius {
		d.Label = shortName(t.Name)
		d.Badge = (t.HasRounds || t.Stale) && d.R >= badgeRadius
		d.Due = l.Shape == "list" && pl.Count <= listRoomy
	}
	d.Class = "dot c" + strconv.Itoa(int((t.ID+colours-1)%colours))
	if t.Marked {
		d.Class += " marked"
	}
	return d
}

// badge returns the number on the timer's dot: its key if that is stale, and otherwise its remaining rounds.
func (t *Timer) badge() int64 {
	if t.Stale {
		return t.Key
	}
	return t.Rounds
}

// shortName returns an abbreviation of name:
//
//   - if name has several words and begins with a digit, such as "15 s from 2", up to three digits at its beginning
//     ("15");
//   - otherwise, if name ends in a digit, up to three digits at its end;
//   - otherwise its first two characters, or only the first if that is a Chinese character.
func shortName(name string) string {
	if first, _, words := strings.Cut(strings.TrimSpace(name), " "); words && isDigit(rune(first[0])) {
		return first[:min(3, strings.IndexFunc(first+" ", func(r rune) bool { return !isDigit(r) }))]
	}
	digits := name[len(strings.TrimRightFunc(name, isDigit)):]
	if digits != "" {
		return digits[max(0, len(digits)-3):]
	}
	runes := []rune(strings.TrimSpace(name))
	if len(runes) > 1 && unicode.Is(unicode.Han, runes[0]) {
		return string(runes[:1])
	}
	return string(runes[:min(2, len(runes))])
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// chains returns an SVG path that connects the timers of each slot in order, except in slots with more than
// chainMax timers. It returns "" if the algorithm of the lane does not sort the timers of a slot.
func chains(l *Lane) string {
	if !knowledge.TraitsOf(l.Algorithm).Sorted {
		return ""
	}
	var b strings.Builder
	for i := range l.Places {
		pl := &l.Places[i]
		for j := 1; j < pl.Count && pl.Count <= chainMax; j++ {
			from, to := spot(l, pl, j-1), spot(l, pl, j)
			b.WriteString("M" + fix(from.X) + " " + fix(from.Y) + "L" + fix(to.X) + " " + fix(to.Y))
		}
	}
	return b.String()
}

// edges returns an SVG path that connects each node of a heap to its parent, or the adjacent timers in the rows of a
// list. It returns "" for a heap of more than edgesMax nodes, a list of more than listRoomy timers, and other shapes.
func edges(l *Lane) string { return edgesOf(l, size(l)) }

// edgesOf is like edges, for the first n nodes or timers.
func edgesOf(l *Lane, n int) string {
	if n > edgesMax {
		return ""
	}
	var b strings.Builder
	line := func(from, to point) {
		b.WriteString("M" + fix(from.X) + " " + fix(from.Y) + "L" + fix(to.X) + " " + fix(to.Y))
	}
	switch l.Shape {
	case "heap":
		for i := 1; i < n; i++ {
			line(heapSpot((i-1)/max(l.Arity, 2), n, l.Arity), heapSpot(i, n, l.Arity))
		}
	case "list":
		if n > listRoomy {
			break
		}
		for i := 1; i < n; i++ {
			from, to := listSpot(i-1, n), listSpot(i, n)
			if from.Y == to.Y {
				line(from, to)
			}
		}
	}
	return b.String()
}
