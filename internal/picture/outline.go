package picture

import (
	"fmt"
	"math"
	"strconv"
)

// line is a sequence of points that are connected by straight lines. The coordinates are in units of the picture
// or, in the functions that paint, in pixels.
type line struct {
	points [][2]float64
	closed bool
}

// arcStep is the angle, in radians, between adjacent points of an arc that is approximated by lines.
const arcStep = math.Pi / 180

// outlineOf parses the data of an SVG path as written by the templates: M, L, A (circular arcs), H, V, h, v
// and Z.
func outlineOf(d string) ([]line, error) {
	p := &pen{text: d}
	for p.at < len(d) {
		if err := p.step(); err != nil {
			return nil, fmt.Errorf("path %.60q: %w", d, err)
		}
	}
	return p.lines, nil
}

// pen converts the commands of an SVG path to lines.
type pen struct {
	text  string  // commands of the path
	at    int     // index in text of the next character to read
	lines []line  // lines converted so far
	x, y  float64 // current point, in units of the picture
}

func (p *pen) step() error {
	command := p.text[p.at]
	p.at++
	count := map[byte]int{'M': 2, 'L': 2, 'A': 7, 'h': 1, 'v': 1, 'H': 1, 'V': 1}[command]
	if count == 0 && command != 'z' && command != 'Z' {
		return fmt.Errorf("%q is not a command", command)
	}
	var n [7]float64
	for i := range count {
		var err error
		if n[i], err = p.number(); err != nil {
			return err
		}
	}
	p.do(command, n)
	return nil
}

// do executes one command of the path, such as 'M', with the arguments n.
func (p *pen) do(command byte, n [7]float64) {
	switch command {
	case 'M':
		p.lines = append(p.lines, line{})
		p.to(n[0], n[1])
	case 'L':
		p.to(n[0], n[1])
	case 'h':
		p.to(p.x+n[0], p.y)
	case 'v':
		p.to(p.x, p.y+n[0])
	case 'H':
		p.to(n[0], p.y)
	case 'V':
		p.to(p.x, n[0])
	case 'A':
		p.arc(n[0], n[3] != 0, n[4] != 0, n[5], n[6])
	default:
		last := &p.lines[len(p.lines)-1]
		last.closed = true
		p.x, p.y = last.points[0][0], last.points[0][1]
	}
}

func (p *pen) to(x, y float64) {
	if len(p.lines) == 0 {
		p.lines = append(p.lines, line{})
	}
	last := &p.lines[len(p.lines)-1]
	last.points = append(last.points, [2]float64{x, y})
	p.x, p.y = x, y
}

// arc draws an arc of a circle of radius r from the current point to (x, y) (SVG 1.1, F.6.5, for two equal
// radii). As in SVG, there are four such arcs: large selects the longer arcs, and sweep those drawn in the
// direction of increasing angles. If r is too small for an arc, it is increased.
func (p *pen) arc(r float64, large, sweep bool, x, y float64) {
	dx, dy := (p.x-x)/2, (p.y-y)/2
	half := math.Hypot(dx, dy)
	if half == 0 || r == 0 {
		p.to(x, y)
		return
	}
	r = max(r, half)
	away := math.Sqrt(r*r-half*half) / half
	if large == sweep {
		away = -away
	}
	cx, cy := (p.x+x)/2+away*dy, (p.y+y)/2-away*dx
	from, to := math.Atan2(p.y-cy, p.x-cx), math.Atan2(y-cy, x-cx)
	switch {
	case sweep && to < from:
		to += 2 * math.Pi
	case !sweep && to > from:
		to -= 2 * math.Pi
	}
	steps := max(1, int(math.Ceil(math.Abs(to-from)/arcStep)))
	for k := 1; k < steps; k++ {
		a := from + (to-from)*float64(k)/float64(steps)
		p.to(cx+r*math.Cos(a), cy+r*math.Sin(a))
	}
	p.to(x, y)
}

// number skips spaces and commas and reads the number after them.
func (p *pen) number() (float64, error) {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == ',') {
		p.at++
	}
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] == '.' || p.text[p.at] == '-' && p.at == from || '0' <= p.text[p.at] && p.text[p.at] <= '9') {
		p.at++
	}
	return strconv.ParseFloat(p.text[from:p.at], 64)
}
