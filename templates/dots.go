package templates

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// firstPaintDots is how many timers of a lane the page draws one by one as it is
// served; the scripts draw up to DotsMax, and slots by their counts past that.
const firstPaintDots = 400

// labelRadius is the least radius of a dot that has room for a label.
const labelRadius = 6.0

// badgeRadius is the least radius of a dot that has room for a badge.
const badgeRadius = 10.5

// colours is the number of timer colours, classes c0 … in the style sheet: the
// palette of Okabe and Ito, safe for colour-blind viewers.
const colours = 6

// dot is one timer in the picture.
type dot struct {
	point
	Timer *Timer
	Label string
	Badge bool // has room for the rounds left
	Due   bool // has room for the due tick
	Class string
	Title string
}

// dots are the timers of a lane as they are drawn.
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

// labelSize is the size of a dot's label: three digits as large as others would reach past
// the dot, where their colour may be the card's.
func labelSize(r float64, label string) float64 {
	if utf8.RuneCountInString(label) > 2 {
		return r * 0.85
	}
	return r
}

func (p *Page) dot(l *Lane, pl *Place, j int) dot {
	t := &pl.Timers[j]
	d := dot{point: spot(l, pl, j), Timer: t, Title: p.timerTitle(t)}
	if d.R >= labelRadius {
		d.Label = shortName(t.Name)
		d.Badge = t.HasRounds && d.R >= badgeRadius
		d.Due = l.Shape == "list" && pl.Count <= listRoomy
	}
	d.Class = "dot c" + strconv.Itoa(int((t.ID+colours-1)%colours))
	if t.Marked {
		d.Class += " marked"
	}
	return d
}

// shortName is the number at the end of a name, up to three digits of it, or the
// first two letters.
func shortName(name string) string {
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

// chainMax is how many timers a slot has at most whose order is drawn.
const chainMax = 12

// chains are lines from timer to timer of a slot, in order, for lanes whose slots
// are sorted: a bucket is worked from its head.
func chains(l *Lane) string {
	if l.Algorithm != "hashed-sorted" && l.Algorithm != "calendar" {
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

// edges are the lines of a heap's tree, or of a short list, as an SVG path.
func edges(l *Lane) string {
	const edgesMax = 255
	n := size(l)
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
