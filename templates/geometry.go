package templates

import (
	"math"
	"strings"
)

// The picture of a lane is a square of 400 units. Most of its dimensions are in static/picture.json, from which
// constants in this package and in static/js/picture are generated. Dimensions that depend on the number of
// levels or timers, such as holeRadius, are computed in both and must agree.
//
//go:generate go run dimensions_gen.go

// point is the position and the radius of a dot in a picture.
type point struct{ X, Y, R float64 }

// rings returns the number of levels that are drawn as rings: all but level −1, the list beside the wheel.
func rings(l *Lane) int {
	n := 0
	for _, v := range l.Levels {
		if v.Level >= 0 {
			n++
		}
	}
	return n
}

// holeRadius returns the radius of the circle inside the innermost ring; the time is shown in the circle.
// levels is the number of rings.
func holeRadius(levels int) float64 {
	switch {
	case levels <= 1:
		return 80
	case levels == 2:
		return 60
	}
	return 46
}

// ringRadii returns the inner and outer radius of the ring of a level. levels is the number of rings. Level
// 0, the finest, is the outermost ring.
func ringRadii(level, levels int) (inner, outer float64) {
	thick := (rimRadius - holeRadius(levels)) / float64(max(levels, 1))
	outer = rimRadius - float64(level)*thick
	return outer - thick, outer
}

// dotRadii returns the inner and outer radius of the part of a level's ring in which timers are drawn. levels is the
// number of rings. If the ring is thick enough, its outer part is reserved for slot numbers and for the text about the
// slots.
func dotRadii(level, levels int) (inner, outer float64) {
	inner, outer = ringRadii(level, levels)
	if outer-inner >= bandLeast {
		outer -= bandWide
	}
	return inner, outer
}

// slotAngle returns the angle, in radians, of the middle of a slot in a ring of the given number of slots.
// Slot 0 is at the top, and slots are numbered clockwise.
func slotAngle(slot, slots int) float64 {
	return 2*math.Pi*float64(slot)/float64(slots) - math.Pi/2
}

func polar(radius, angle float64) (x, y float64) {
	return centre + radius*math.Cos(angle), centre + radius*math.Sin(angle)
}

// grid is the layout of the dots of a place: rows and columns of square cells, one for each dot. In a ring, rows are
// counted along the radius and columns along the arc. cell is the width of a cell in units; a picture is 400 units
// wide.
type grid struct {
	rows, cols int
	cell       float64
}

// fit returns a grid for count dots in an area. In a ring, depth is the size of the area along the radius, and breadth
// its size along the arc; elsewhere, they are its height and its width. The cells of the grid are as large as possible,
// but at most cellMax wide. Lengths are in units; a picture is 400 units wide.
func fit(count int, depth, breadth, cellMax float64) grid {
	best := grid{rows: 1, cols: max(count, 1)}
	for rows := 1; rows <= count; rows++ {
		cols := (count + rows - 1) / rows
		cell := math.Min(math.Min(depth/float64(rows), breadth/float64(cols)), cellMax)
		if cell > best.cell {
			best = grid{rows, cols, cell}
		}
		if depth/float64(rows) < best.cell {
			break
		}
	}
	return best
}

func (g grid) radius() float64 { return math.Max(dotMin, g.cell*0.45) }

// room returns the arrangement of the count dots of a slot: the grid best, centred at the radius middle. slot is the
// number of the slot in a ring of the given number of slots. inner and outer are the radii of the part of the ring in
// which timers are drawn. cell is the maximum width of a cell in units; a picture is 400 units wide.
//
// In a ring with narrow slots, the dots of adjacent slots are placed at different radii, so that a dot can be wider
// than its slot. If the dots would still be too small to see, they get the smallest visible size and overlap those of
// adjacent slots.
func room(inner, outer float64, slot, slots, count int, cell float64) (middle float64, best grid) {
	depth := outer - inner - 2*slotMargin
	most := min(staggerMax, slots)
	if count > staggerMany || math.Pi*(inner+outer)/float64(slots) > staggerWide {
		most = 1
	}
	for k := 1; k <= most; k++ {
		band := depth / float64(k)
		at := outer - slotMargin - band*(float64(slot%k)+0.5)
		breadth := math.Max(2*math.Pi*at/float64(slots)*float64(k)-2*slotMargin, 1)
		g := fit(count, band, breadth, cell)
		if k > 1 { // in one column: the middle of a dot stays in its slot
			g = grid{count, 1, math.Min(math.Min(band/float64(count), breadth), cell)}
		}
		if g.cell > best.cell*1.15 {
			middle, best = at, g
		}
	}
	least := cellLeast(cell)
	k := max(1, min(most, int(depth/(float64(count)*least))))
	band := depth / float64(k)
	if seen := math.Min(band/float64(count), least); seen > best.cell {
		middle, best = outer-slotMargin-band*(float64(slot%k)+0.5), grid{count, 1, seen}
	}
	return middle, best
}

// cellMost returns the maximum width of the cell for a dot in a lane with the given number of timers, in units;
// a picture is 400 units wide. The limit keeps the dots of a lane similar in size.
func cellMost(timers int) float64 {
	switch {
	case timers <= 60:
		return 2*dotMax + 4
	case timers <= 250:
		return 24
	}
	return 13
}

// cellLeast returns the width, in units, below which the cell for a dot is not reduced to fit a narrow slot, so that
// the dot remains visible. cellMax is the maximum width of a cell in the lane. If the ring is too thin for the timers
// of the slot, their cells may be narrower than this. A picture is 400 units wide.
func cellLeast(cellMax float64) float64 {
	switch {
	case cellMax > 24:
		return 9
	case cellMax > 13:
		return 5
	}
	return 1
}

// ringSpot returns the position of the timer at the given index among the count timers of a slot. levels is
// the number of rings, slots the number of slots of the level, and cell the maximum width of the cell for a
// dot.
func ringSpot(level, levels, slot, slots, index, count int, cell float64) point {
	inner, outer := dotRadii(level, levels)
	middle, g := room(inner, outer, slot, slots, count, cell)
	row, col := index%g.rows, index/g.rows
	radius := middle - (float64(row)-float64(g.rows-1)/2)*g.cell
	angle := slotAngle(slot, slots) + (float64(col)-float64(g.cols-1)/2)*g.cell/middle
	x, y := polar(radius, angle)
	return point{x, y, g.radius()}
}

// listSpot returns the position of the timer at the given index among the count timers of a list, row by row.
func listSpot(index, count int) point {
	if count <= listRoomy {
		cell := listWide / listColumns
		return point{listLeft + cell*(float64(index%listColumns)+0.5), listTop + 84*(float64(index/listColumns)+0.3), 23}
	}
	g := fit(count, listHigh, listWide, 40)
	return point{listLeft + g.cell*(float64(index%g.cols)+0.5), listTop + g.cell*(float64(index/g.cols)+0.5), g.radius()}
}

// heapSpot returns the position of the node at the given index in a heap of count nodes, each with at most arity
// children.
func heapSpot(index, count, arity int) point {
	depth, first, row := heapDepth(index, arity)
	deepest, _, _ := heapDepth(max(count-1, 0), arity)
	pitch := math.Min(heapPitch, heapHigh/float64(deepest+1))
	x := heapLeft + heapWide*(float64(index-first)+0.5)/float64(row)
	radius := math.Min(heapDot, math.Min(heapWide/float64(row)*0.45, pitch*0.4))
	return point{x, heapTop + pitch*float64(depth), math.Max(dotMin, radius)}
}

// heapDepth returns the depth of the node at the given index in a heap whose nodes have up to arity children. It also
// returns the first index at that depth, and row, the maximum number of nodes at that depth.
func heapDepth(index, arity int) (depth, first, row int) {
	row = 1
	for index >= first+row {
		first += row
		row *= max(arity, 2)
		depth++
	}
	return depth, first, row
}

// labelStep returns n such that every nth slot of a level is labelled with its number. slots is the number
// of slots of the level. n is the smallest divisor of slots that results in 4 to 12 labels, or slots/8 if
// there is no such divisor.
func labelStep(slots int) int {
	for step := (slots + 11) / 12; step <= slots/4; step++ {
		if slots%step == 0 {
			return step
		}
	}
	return max(slots/8, 1)
}

// size returns the number of timers of lane l or, if l is a heap, the number of nodes in the heap.
func size(l *Lane) int {
	n := 0
	for i := range l.Places {
		if l.Shape == "heap" {
			n = max(n, l.Places[i].Slot+1)
		} else {
			n += l.Places[i].Count
		}
	}
	return n
}

// spot returns the position, in the picture of lane l, of the timer at the given index of place pl.
func spot(l *Lane, pl *Place, index int) point {
	switch {
	case inSlices(l):
		return sliceSpot(l, pl, index)
	case l.Shape == "list":
		return listSpot(index, pl.Count)
	case l.Shape == "heap":
		return heapSpot(pl.Slot, size(l), l.Arity)
	case pl.Level < 0:
		return sideSpot(index, pl.Count)
	case inRows(l):
		return rowSpot(l, pl, index)
	}
	return ringSpot(pl.Level, rings(l), pl.Slot, l.Levels[pl.Level].Slots, index, pl.Count, cellMost(size(l)))
}

// sideSpot returns the position of the timer at the given index among the count timers of a side list, which is
// level −1 of a wheel. The list is drawn row by row in the corner below the rings.
func sideSpot(index, count int) point {
	g := fit(count, sideHigh, sideWide, 22)
	return point{sideLeft + g.cell*(float64(index%g.cols)+0.5), sideTop + g.cell*(float64(index/g.cols)+0.5), g.radius()}
}

// sector returns the outline, as an SVG path, of the part of a ring between the radii inner and outer and between the
// angles from and to. Angles are in radians, as returned by slotAngle.
func sector(inner, outer, from, to float64) string {
	large := "0"
	if to-from > math.Pi {
		large = "1"
	}
	ax, ay := polar(outer, from)
	bx, by := polar(outer, to)
	cx, cy := polar(inner, to)
	dx, dy := polar(inner, from)
	return "M" + fix(ax) + " " + fix(ay) + "A" + fix(outer) + " " + fix(outer) + " 0 " + large + " 1 " + fix(bx) + " " + fix(by) +
		"L" + fix(cx) + " " + fix(cy) + "A" + fix(inner) + " " + fix(inner) + " 0 " + large + " 0 " + fix(dx) + " " + fix(dy) + "Z"
}

// handPath returns the outline of the slot under a level's hand as an SVG path. levels is the number of rings, and
// slots the number of slots of the level.
func handPath(level, levels, slot, slots int) string {
	inner, outer := ringRadii(level, levels)
	half := math.Min(math.Pi/float64(slots), math.Pi-0.001)
	half = math.Max(half, 1.5/outer) // at least as thick as is visible
	mid := slotAngle(slot, slots)
	return sector(inner, outer, mid-half, mid+half)
}

// bordersPath returns the borders between a level's slots as an SVG path, or "" if the level has fewer than 2 or more
// than linesMax slots. levels is the number of rings.
func bordersPath(level, levels, slots int) string {
	if slots < 2 || slots > linesMax {
		return ""
	}
	inner, outer := ringRadii(level, levels)
	var b strings.Builder
	for s := range slots {
		a := slotAngle(s, slots) + math.Pi/float64(slots)
		x1, y1 := polar(inner, a)
		x2, y2 := polar(outer, a)
		b.WriteString("M" + fix(x1) + " " + fix(y1) + "L" + fix(x2) + " " + fix(y2))
	}
	return b.String()
}
