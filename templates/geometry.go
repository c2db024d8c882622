package templates

import "math"

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
	return ringsOf(l)[pl.Level].spot(pl.Slot, index, pl.Count)
}

// sideSpot returns the position of the timer at the given index among the count timers of a side list, which is
// level −1 of a wheel. The list is drawn row by row in the corner below the rings.
func sideSpot(index, count int) point {
	g := fit(count, sideHigh, sideWide, 22)
	return point{sideLeft + g.cell*(float64(index%g.cols)+0.5), sideTop + g.cell*(float64(index/g.cols)+0.5), g.radius()}
}
