package picture

import "math"

// strokeOf returns the areas covered by a pen of the given width along lines: a box for each segment, and a
// disc at each corner. If dash is not empty, only the dashes are covered; see dashed. All areas have the same
// orientation, so that the non-zero winding rule counts overlaps once.
func strokeOf(lines []line, width float64, dash []float64) []line {
	var areas []line
	for i := range lines {
		points := lines[i].points
		if lines[i].closed {
			points = append(points[:len(points):len(points)], points[0])
		}
		for _, piece := range dashed(points, dash) {
			for k := 1; k < len(piece); k++ {
				areas = append(areas, box(piece[k-1], piece[k], width/2))
				if k+1 < len(piece) || lines[i].closed && dash == nil {
					areas = append(areas, disc(piece[k], width/2))
				}
			}
		}
	}
	return areas
}

// box returns the outline of a rectangle whose centre line is the segment from a to b. half is half of the
// rectangle's width. If a equals b, the result has no points.
func box(a, b [2]float64, half float64) line {
	dx, dy := b[0]-a[0], b[1]-a[1]
	long := math.Hypot(dx, dy)
	if long == 0 {
		return line{closed: true}
	}
	nx, ny := -dy/long*half, dx/long*half
	return line{[][2]float64{{a[0] + nx, a[1] + ny}, {a[0] - nx, a[1] - ny}, {b[0] - nx, b[1] - ny}, {b[0] + nx, b[1] + ny}}, true}
}

// discPoints is the number of vertices of the polygon that approximates the disc at a corner. Corners are only
// a few pixels wide.
const discPoints = 12

func disc(at [2]float64, r float64) line {
	out := line{closed: true}
	for k := range discPoints {
		a := 2 * math.Pi * float64(k) / discPoints
		out.points = append(out.points, [2]float64{at[0] + r*math.Cos(a), at[1] + r*math.Sin(a)})
	}
	return out
}

// dashed splits a line into its dashes. dash lists the lengths of drawn and skipped parts, alternately. If dash is
// empty, the only dash is the whole line.
func dashed(points [][2]float64, dash []float64) [][][2]float64 {
	if len(dash) == 0 || len(points) == 0 {
		return [][][2]float64{points}
	}
	var pieces [][][2]float64
	piece, at, left := [][2]float64{points[0]}, 0, dash[0]
	for k := 1; k < len(points); k++ {
		from, to := points[k-1], points[k]
		long := math.Hypot(to[0]-from[0], to[1]-from[1])
		for long > left {
			share := left / long
			from = [2]float64{from[0] + (to[0]-from[0])*share, from[1] + (to[1]-from[1])*share}
			if at%2 == 0 {
				pieces = append(pieces, append(piece, from))
			}
			piece, long, at = [][2]float64{from}, long-left, at+1
			left = dash[at%len(dash)]
		}
		left -= long
		piece = append(piece, to)
	}
	if at%2 == 0 {
		pieces = append(pieces, piece)
	}
	return pieces
}
