package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"
)

// canvas paints shapes into a part of a picture, such as a band. All shapes share the rasterizer and the
// mask.
type canvas struct {
	image   *image.RGBA     // part of the picture being painted; its bounds are in pixels of the whole picture
	touched image.Rectangle // bounds of the shapes painted since touched was last cleared; may extend beyond image
	scale   float64         // number of pixels per unit of the picture
	letters *letters
	raster  *vector.Rasterizer
	mask    []uint8
}

// newCanvas returns a canvas for parts of at most width × rows pixels. The caller must set image before
// painting.
func newCanvas(width, rows int, fonts *letters) *canvas {
	return &canvas{scale: float64(width) / side, letters: fonts, raster: vector.NewRasterizer(width, rows), mask: make([]uint8, width*rows)}
}

// circlePoints is the number of vertices of the polygon that approximates a circle.
const circlePoints = 96

// paint fills and strokes a shape.
func (c *canvas) paint(s *shape) error {
	if s.kind == words {
		return c.write(s)
	}
	lines, err := linesOf(s)
	if err != nil {
		return err
	}
	for i := range lines {
		for k := range lines[i].points {
			p := &lines[i].points[k]
			p[0], p[1] = (p[0]+s.dx)*c.scale, (p[1]+s.dy)*c.scale
		}
	}
	if s.fill.A > 0 {
		c.fill(lines, faded(s.fill, s.opacity))
	}
	if s.stroke.A > 0 && s.width > 0 {
		var dash []float64
		for _, d := range s.dash {
			dash = append(dash, d*c.scale)
		}
		c.fill(strokeOf(lines, s.width*c.scale, dash), faded(s.stroke, s.opacity))
	}
	return nil
}

func linesOf(s *shape) ([]line, error) {
	if s.kind == path {
		return outlineOf(s.d)
	}
	ring := line{closed: true}
	for k := range circlePoints {
		a := 2 * math.Pi * float64(k) / circlePoints
		ring.points = append(ring.points, [2]float64{s.x + s.r*math.Cos(a), s.y + s.r*math.Sin(a)})
	}
	return []line{ring}, nil
}

// faded returns colour c with its alpha multiplied by opacity. An opacity of 0 means opaque, as in the type
// paint, and leaves c unchanged.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	if opacity > 0 {
		c.A = uint8(float64(c.A)*opacity + 0.5)
	}
	return c
}

// part returns the bounding rectangle of areas, clipped to c.image. It also extends c.touched to cover the
// whole bounding rectangle.
func (c *canvas) part(areas []line) image.Rectangle {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range areas {
		for _, p := range areas[i].points {
			for k := range p {
				low[k], high[k] = math.Min(low[k], p[k]), math.Max(high[k], p[k])
			}
		}
	}
	if low[0] > high[0] {
		return image.Rectangle{}
	}
	whole := image.Rect(int(math.Floor(low[0])), int(math.Floor(low[1])), int(math.Ceil(high[0]))+1, int(math.Ceil(high[1]))+1)
	return c.clip(whole)
}

// clip returns the intersection of c.image and whole, the bounding rectangle of a shape. It also extends
// c.touched to cover whole.
func (c *canvas) clip(whole image.Rectangle) image.Rectangle {
	c.touched = c.touched.Union(whole)
	return whole.Intersect(c.image.Rect)
}

// fill paints the interior of areas with a colour.
func (c *canvas) fill(areas []line, with color.NRGBA) {
	at := c.part(areas)
	if at.Empty() {
		return
	}
	r := c.outlines(at)
	for i := range areas {
		for k, p := range areas[i].points {
			x, y := float32(p[0]-float64(at.Min.X)), float32(p[1]-float64(at.Min.Y))
			if k == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	c.show(at, with)
}

// outlines returns c.raster, cleared and resized to the size of rect, so that the outlines of a shape can be
// added to it.
func (c *canvas) outlines(rect image.Rectangle) *vector.Rasterizer {
	c.raster.Reset(rect.Dx(), rect.Dy())
	c.raster.DrawOp = draw.Src // every pixel of the mask is written
	return c.raster
}

// show fills the outlines in c.raster with a colour and paints them into the area rect of c.image. The caller
// must have called outlines with the same rect before it added the outlines.
func (c *canvas) show(rect image.Rectangle, with color.NRGBA) {
	mask := &image.Alpha{Pix: c.mask[:rect.Dx()*rect.Dy()], Stride: rect.Dx(), Rect: image.Rectangle{Max: rect.Size()}}
	c.raster.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	blend(c.image, rect, with, mask)
}

// write paints s, a line of text.
func (c *canvas) write(s *shape) error {
	wide, err := c.letters.set(s, c.scale, func(glyph) {})
	if err != nil {
		return err
	}
	x, y := (s.x+s.dx)*c.scale, (s.y+s.dy+central*s.size)*c.scale
	switch s.anchor {
	case "middle":
		x -= wide / 2
	case "end":
		x -= wide
	}
	high := 1.5 * s.size * c.scale // above and below the baseline, and beside it for slanted letters
	at := c.clip(image.Rect(int(x-high), int(y-high), int(x+wide+high), int(y+high)))
	if at.Empty() {
		return nil
	}
	r := c.outlines(at)
	_, err = c.letters.set(s, c.scale, func(g glyph) {
		outline(r, g.segments, x+g.x-float64(at.Min.X), y-float64(at.Min.Y))
	})
	c.show(at, s.fill)
	return err
}

// outline adds the outline of a glyph, given by its segments, to r. The origin of the glyph is at (x, y).
func outline(r *vector.Rasterizer, segments sfnt.Segments, x, y float64) {
	for i := range segments {
		var p [3][2]float32
		for k, a := range segments[i].Args {
			p[k] = [2]float32{float32(x + float64(a.X)/64), float32(y + float64(a.Y)/64)}
		}
		switch segments[i].Op {
		case sfnt.SegmentOpMoveTo:
			r.ClosePath()
			r.MoveTo(p[0][0], p[0][1])
		case sfnt.SegmentOpLineTo:
			r.LineTo(p[0][0], p[0][1])
		case sfnt.SegmentOpQuadTo:
			r.QuadTo(p[0][0], p[0][1], p[1][0], p[1][1])
		case sfnt.SegmentOpCubeTo:
			r.CubeTo(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1])
		}
	}
	r.ClosePath()
}
