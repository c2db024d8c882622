package templates

import (
	"strings"

	"github.com/wheelscope/wheelscope/internal/knowledge"
)

// colours is the number of timer colours, whose style classes are c0 to c5. They are from the palette of
// Okabe and Ito, which colour-blind viewers can distinguish.
const colours = 6

// dots returns the timers of lane l, the trails of those that cascaded, and the names of trays, each as SVG. There are none
// if the timers are so many that the numbers of timers in slots are drawn instead.
func (p *Page) dots(l *Lane) (timers, trails, trays string) {
	if crowded(l) {
		return "", "", ""
	}
	f := Face{Lane: l, Before: l.Places, After: l.Places, Moved: true, Until: l.Until, First: func(id uint32) uint32 { return id },
		Fired: p.Texts.T("entry.tray.fired"), Reject: p.Texts.T("entry.tray.rejected"), lab: true}
	if l.Step != nil {
		f.Before, f.Moves, f.Ended = l.Step.Before, l.Step.Moves, l.Step.Ended
		for _, e := range f.Ended {
			if e.Rejected {
				f.Totals.Rejected++
			} else {
				f.Totals.Fired++
			}
		}
	}
	dots, ways := f.timers()
	return svgOf(dots), svgOf(ways), svgOf(f.trayWords())
}

func svgOf(list []shape) string {
	var b strings.Builder
	markup(&b, list)
	return b.String()
}

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
