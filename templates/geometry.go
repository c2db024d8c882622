package templates

import (
	"math"
	"strconv"
	"strings"
)

// The picture of a lane is a square of 400 units. static/js/geometry.js draws
// the same: a change here is a change there.
const (
	centre      = 200.0
	rimRadius   = 166.0 // outer radius of the finest level
	labelRoom   = 18.0  // from the rim to the middle of a slot's number
	longRoom    = 4.0   // the same sideways, to the near end of a long number
	longAbove   = 16.0  // the same upward, to the middle of a long number
	longMin     = 100   // slots of a ring past which numbers are long
	dotMax      = 20.0  // radius of a timer, units
	dotMin      = 0.8
	linesMax    = 180 // slots of a ring whose borders are drawn one by one
	labelsMax   = 24  // slots of a ring that are all numbered
	listRoomy   = 16  // timers of a list that are drawn large, with their dues
	listColumns = 4
	innerMax    = 16  // slots of an inner ring that are numbered
	slotMargin  = 2.0 // free space inside a slot's border, units
)

// point is a place in the picture and the radius of the dot there.
type point struct{ X, Y, R float64 }

// rings counts the levels that are drawn as rings; a side list is not.
func rings(l *Lane) int {
	n := 0
	for _, v := range l.Levels {
		if v.Level >= 0 {
			n++
		}
	}
	return n
}

// holeRadius is the radius of the middle, where the time is written.
func holeRadius(levels int) float64 {
	switch {
	case levels <= 1:
		return 80
	case levels == 2:
		return 60
	}
	return 46
}

// ringRadii are the inner and outer radius of a level, the finest outermost.
func ringRadii(level, levels int) (inner, outer float64) {
	thick := (rimRadius - holeRadius(levels)) / float64(max(levels, 1))
	outer = rimRadius - float64(level)*thick
	return outer - thick, outer
}

// slotAngle is the middle of a slot in radians; slot 0 is at the top, and slots
// go clockwise.
func slotAngle(slot, slots int) float64 {
	return 2*math.Pi*float64(slot)/float64(slots) - math.Pi/2
}

func polar(radius, angle float64) (x, y float64) {
	return centre + radius*math.Cos(angle), centre + radius*math.Sin(angle)
}

// grid is how the dots of one place are laid out: rows along the radius,
// columns along the arc, cells of one size.
type grid struct {
	rows, cols int
	cell       float64
}

// fit finds the grid with the largest cells that holds count dots in a room of
// the given depth and breadth.
func fit(count int, depth, breadth, most float64) grid {
	best := grid{rows: 1, cols: max(count, 1)}
	for rows := 1; rows <= count; rows++ {
		cols := (count + rows - 1) / rows
		cell := math.Min(math.Min(depth/float64(rows), breadth/float64(cols)), most)
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

// Slots side by side share their rooms where they are narrow and hold few timers.
const (
	staggerMax  = 4    // slots that share
	staggerWide = 26.0 // units: a broader slot does not share
	staggerMany = 3    // timers: a fuller slot does not share
)

// room is where the dots of one slot stand: the radius of its middle and the
// grid. Slots too narrow for a dot that can be seen lend each other their breadth
// and part the depth instead: of k neighbours each takes one of k bands. Where that
// does not do, dots are as large as can be seen and reach over slots beside theirs.
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
		if k > 1 { // one above the other: the middle of a dot stays in its slot
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

// cellMost is the largest cell of a dot in a lane of so many timers: dots of one
// lane should not differ too much.
func cellMost(timers int) float64 {
	switch {
	case timers <= 60:
		return 2*dotMax + 4
	case timers <= 250:
		return 24
	}
	return 13
}

// cellLeast is the least cell of a dot in a lane with such largest ones, if its slot is
// deep enough: few timers are seen on the finest ring too.
func cellLeast(most float64) float64 {
	switch {
	case most > 24:
		return 9
	case most > 13:
		return 5
	}
	return 1
}

// ringSpot is where timer index of count stands in a slot.
func ringSpot(level, levels, slot, slots, index, count int, cell float64) point {
	inner, outer := ringRadii(level, levels)
	middle, g := room(inner, outer, slot, slots, count, cell)
	row, col := index%g.rows, index/g.rows
	radius := middle - (float64(row)-float64(g.rows-1)/2)*g.cell
	angle := slotAngle(slot, slots) + (float64(col)-float64(g.cols-1)/2)*g.cell/middle
	x, y := polar(radius, angle)
	return point{x, y, g.radius()}
}

// listSpot is where timer index of count stands in a list, row by row.
func listSpot(index, count int) point {
	const left, top, wide, high = 24.0, 64.0, 352.0, 316.0
	if count <= listRoomy {
		cell := wide / listColumns
		return point{left + cell*(float64(index%listColumns)+0.5), top + 84*(float64(index/listColumns)+0.3), 23}
	}
	g := fit(count, high, wide, 40)
	return point{left + g.cell*(float64(index%g.cols)+0.5), top + g.cell*(float64(index/g.cols)+0.5), g.radius()}
}

// heapSpot is where the node at index stands in a tree of count nodes.
func heapSpot(index, count, arity int) point {
	depth, first, row := heapDepth(index, arity)
	deepest, _, _ := heapDepth(max(count-1, 0), arity)
	pitch := math.Min(84, 310/float64(deepest+1))
	x := 16 + 368*(float64(index-first)+0.5)/float64(row)
	radius := math.Min(24, math.Min(368/float64(row)*0.45, pitch*0.4))
	return point{x, 72 + pitch*float64(depth), math.Max(dotMin, radius)}
}

// heapDepth tells the row of a node: its number, its first index and its width.
func heapDepth(index, arity int) (depth, first, row int) {
	row = 1
	for index >= first+row {
		first += row
		row *= max(arity, 2)
		depth++
	}
	return depth, first, row
}

// labelStep is the distance between two slot numbers: the least divisor that
// leaves twelve of them or fewer.
func labelStep(slots int) int {
	for step := (slots + 11) / 12; step <= slots/4; step++ {
		if slots%step == 0 {
			return step
		}
	}
	return max(slots/8, 1)
}

// size is how many nodes a heap has, or how many timers another lane shows.
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

// spot is where timer index of count of a place stands.
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

// sideSpot is where timer index of count stands in a side list: in the corner
// below the rings, row by row.
func sideSpot(index, count int) point {
	const left, top, wide, high = 4.0, 347.0, 60.0, 36.0
	g := fit(count, high, wide, 22)
	return point{left + g.cell*(float64(index%g.cols)+0.5), top + g.cell*(float64(index/g.cols)+0.5), g.radius()}
}

// sector is the outline of one slot as an SVG path.
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

// handPath is the outline of the slot under the hand of a level.
func handPath(level, levels, slot, slots int) string {
	inner, outer := ringRadii(level, levels)
	half := math.Min(math.Pi/float64(slots), math.Pi-0.001)
	half = math.Max(half, 1.5/outer) // never thinner than can be seen
	mid := slotAngle(slot, slots)
	return sector(inner, outer, mid-half, mid+half)
}

// bordersPath is the borders between the slots of a level.
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

// label is the number of a slot and where it is written.
type label struct {
	X, Y float64
	Slot int
	Side string // of the text that stands at X, Y: "start", "middle" or "end"
}

// labels are the slot numbers of a level: outside the rim for the finest, in the
// slot's corner for a coarser one with room for it.
func labels(level, levels, slots int) []label {
	every := 1
	radius := rimRadius + labelRoom
	if level > 0 {
		inner, outer := ringRadii(level, levels)
		if slots > innerMax || outer-inner < 30 {
			return nil
		}
		radius = outer - 12
	} else if slots > longMin {
		return longLabels(slots)
	} else if slots > labelsMax {
		every = labelStep(slots)
	}
	var all []label
	if level < 0 {
		return nil
	}
	for s := 0; s < slots && (every == 1 || s+every <= slots); s += every {
		a := slotAngle(s, slots)
		if level > 0 {
			a -= math.Pi/float64(slots) - 13/radius
		}
		x, y := polar(radius, a)
		all = append(all, label{x, y, s, "middle"})
	}
	return all
}

// longLabels are the numbers of a ring of many slots, few and large: at the top, the
// bottom, and in the corners of the square, where a ring leaves room for them.
func longLabels(slots int) []label {
	var all []label
	for _, eighth := range []int{0, 1, 3, 4, 5, 7} {
		slot := slots * eighth / 8
		a := slotAngle(slot, slots)
		x, y := polar(rimRadius+longRoom, a)
		side := "middle"
		switch { // in a corner the near end stands beside the rim
		case eighth%4 != 0 && eighth < 4:
			side = "start"
		case eighth%4 != 0:
			side = "end"
		}
		all = append(all, label{x, y + (longAbove-longRoom)*math.Sin(a), slot, side})
	}
	return all
}

// clockSize and waitingSize are the sizes of the two lines in the middle, so that
// they fit the hole.
func clockSize(hole float64, text string) string {
	return fix(math.Min(44, 2*hole*0.9/(0.62*float64(len(text)))))
}

func waitingSize(hole float64, text string) string {
	return fix(waitingUnits(hole, text))
}

func waitingUnits(hole float64, text string) float64 { return math.Min(26, 2*hole*0.82/ems(text)) }

// waitingClass says how small the second line is: static/css/pictures.css leaves it out of a
// picture in which it could not be read. The number stands below the picture too.
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

// flushSizes are the sizes of the time and of how many wait where they share a line, so
// that they stay apart.
func flushSizes(clock, waiting string) (large, small string) {
	scale := math.Min(1, 306/(38*0.61*float64(len(clock))+24*ems(waiting)))
	return fix(38 * scale), fix(24 * scale)
}

// ems is about how wide a text is, in its size.
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

// fix writes a coordinate with one decimal.
func fix(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}
