package templates

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// DotsMax is the maximum number of timers of a lane that are drawn individually. In a lane with more timers,
// the number of timers in each slot is drawn instead. It equals LaneTimersMax in
// web/session/protocol/limits.go.
const DotsMax = 2000

// heatBinsMax is the maximum number of bins into which a ring is divided. In a ring with more slots, each bin
// covers several slots and has the shade of the fullest of them.
const heatBinsMax = 1024

// heatSteps is the number of shades that represent the number of timers in a slot.
const heatSteps = 64

// heatEdge is the distance between the shaded area of a slot and the circles on both sides of its ring, on which numbers
// are, in units; a picture is 400 units wide.
const heatEdge = 4

// crowded reports whether lane l has more than DotsMax timers. Its picture then shows the number of timers in
// each slot instead of dots.
func crowded(l *Lane) bool { return l.Totals.Live > DotsMax }

// heat is a shaded area, which covers one or more adjacent slots, in the picture of a lane with more than
// DotsMax timers.
type heat struct {
	Path string // outline of the shaded area as an SVG path
	// Share is the shade. It depends on the number of timers in the fullest slot of the area, on a logarithmic scale: 0
	// for one timer, 1 for the number of timers in the fullest slot of all rings, rounded up to a power of two. If no
	// slot of the rings has more than one timer, Share is always 1.
	Share float64
}

// bin identifies one or more adjacent slots of a level that are drawn as one area. index is the index of the area in
// the ring of the level.
type bin struct{ level, index int }

// heats returns the shaded areas in the rings of lane l, ordered by level. There is one area for each bin, a group of
// adjacent slots, that contains timers.
func heats(l *Lane) []heat {
	counts, most := map[bin]int{}, 1
	for i := range l.Places {
		pl := &l.Places[i]
		if pl.Level < 0 || pl.Level >= len(l.Levels) {
			continue
		}
		at := bin{pl.Level, pl.Slot * heatBins(l, pl.Level) / l.Levels[pl.Level].Slots}
		counts[at] = max(counts[at], pl.Count)
		most = max(most, pl.Count)
	}
	end := math.Ceil(math.Log2(float64(most))) // the scale ends at a power of two
	var list []heat
	for _, at := range slices.SortedFunc(maps.Keys(counts), func(a, b bin) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.index, b.index))
	}) {
		share := 1.0
		if end > 0 {
			share = math.Round(math.Log2(float64(counts[at]))/end*(heatSteps-1)) / (heatSteps - 1)
		}
		list = append(list, heat{binPath(l, at), share})
	}
	return list
}

// sideCount returns, as text, the number of timers in the side list (level −1) of lane l. It returns "" if the lane has
// at most DotsMax timers, or if it has no timers in a side list. The number is shown because a side list is not drawn
// as a shaded area.
func sideCount(l *Lane) string {
	for i := range l.Places {
		if pl := &l.Places[i]; pl.Level < 0 && crowded(l) {
			return num(int64(pl.Count))
		}
	}
	return ""
}

func heatBins(l *Lane, level int) int { return min(l.Levels[level].Slots, heatBinsMax) }

// binPath returns the outline of an area in the picture of lane l, as an SVG path. at identifies the slots that the
// area represents.
func binPath(l *Lane, at bin) string {
	r := ringsOf(l)[at.level]
	return ringShape{inner: r.inner + heatEdge, outer: r.outer - heatEdge, slots: heatBins(l, at.level)}.sector(at.index)
}

// handLines returns an SVG path with a line for the hand of each level, across the ring of the level. It is used for a
// lane with more than DotsMax timers.
func handLines(l *Lane) string {
	path := ""
	for _, v := range l.Levels {
		if v.Level < 0 || v.Hand < 0 {
			continue
		}
		r := ringsOf(l)[v.Level]
		path += "M" + dialAt(r.inner, float64(v.Hand), v.Slots) + "L" + dialAt(r.outer, float64(v.Hand), v.Slots)
	}
	return path
}

// block is a rectangle that is drawn instead of the timers of a list or of a row of a heap. Its upper left corner
// and its size are in units; a picture is 400 units wide.
type block struct{ X, Y, Wide, High float64 }

// blocks returns the rectangles that are drawn instead of timers if lane l is a list or a heap with more than DotsMax
// timers: one rectangle for a list, and one per row for a heap. It returns nil for other shapes.
// static/js/picture/picture.js must draw the same rectangles.
func blocks(l *Lane) []block {
	n := size(l)
	switch l.Shape {
	case "list":
		return []block{{24, 64, 352, math.Min(300, 24*math.Log2(float64(n+1)))}}
	case "heap":
		var list []block
		for first, row, depth := 0, 1, 0; first < n; first, row, depth = first+row, row*max(l.Arity, 2), depth+1 {
			full := math.Min(1, float64(n-first)/float64(row))
			list = append(list, block{16, 64 + 16*float64(depth), 368 * full, 12})
		}
		return list
	}
	return nil
}
