package picture

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// bandPixels is the maximum number of pixels in a band. A band is a group of rows of a picture that are
// painted together. A picture up to 980 pixels wide is a single band.
const bandPixels = 1 << 20

// bands implements image.Image for a picture, but keeps the pixels of only one band in memory. The PNG
// encoder reads the rows from top to bottom. When it reads the first row below the current band, bands paints
// the next band over the current one.
type bands struct {
	ctx     context.Context
	size    image.Rectangle // bounds of the picture, in pixels
	canvas  *canvas
	card    color.NRGBA // background colour
	all     []shape     // shapes of the picture
	rows    []span      // rows that each shape covers, indexed like all; a zero span means unknown
	pixel   color.RGBA  // result of the last call to At
	pix     []uint8     // memory for the pixels of a band, 4 bytes each
	perBand int         // number of rows in a band
}

// span is a range of rows of a picture, low ≤ y < high.
type span struct {
	known     bool // whether the range has been determined
	low, high int
}

// stopped is the value with which bands.At panics in order to stop the PNG encoder, which calls At for
// every pixel and cannot be cancelled.
type stopped struct{ err error }

// writePNG paints the shapes of a picture and writes the picture to w as a PNG.
func writePNG(ctx context.Context, w io.Writer, all []shape, colours palette, o Options) error {
	return writeBands(ctx, w, all, colours, o, bandRows(o.Width))
}

// writeBands is like writePNG, but paints bands of the given number of rows.
func writeBands(ctx context.Context, w io.Writer, all []shape, colours palette, o Options, rows int) (err error) {
	fonts, err := newLetters(o.Font)
	if err != nil {
		return err
	}
	size := image.Rect(0, 0, o.Width, heightOf(o.Width))
	b := &bands{ctx: ctx, size: size, card: colours.get("card"), all: all, rows: make([]span, len(all)), perBand: rows,
		pix: make([]uint8, 4*o.Width*rows), canvas: newCanvas(o.Width, rows, fonts)}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			err = p.err
		default:
			panic(p)
		}
	}()
	encoder := png.Encoder{}
	if rows < b.size.Dy() {
		encoder.CompressionLevel = png.BestSpeed // large: a tenth more bytes in two thirds of the time
	}
	return encoder.Encode(w, b)
}

// bandRows returns the height, in pixels, of the bands of a picture with the given width.
func bandRows(width int) int { return min(heightOf(width), bandPixels/width) }

// ColorModel implements image.Image.
func (b *bands) ColorModel() color.Model { return color.RGBAModel }

// Bounds implements image.Image.
func (b *bands) Bounds() image.Rectangle { return b.size }

// Opaque reports whether all pixels are opaque. It always returns true, because the background covers every
// pixel.
func (b *bands) Opaque() bool { return true }

// At implements image.Image. Rows must be read from top to bottom, and each row from left to right. The
// result is valid only until the next call to At, which overwrites it instead of allocating memory. At panics
// with a value of type stopped if painting fails or b.ctx is done.
func (b *bands) At(x, y int) color.Color {
	if x == b.size.Min.X {
		if err := b.begin(y); err != nil {
			panic(stopped{err})
		}
	}
	i := b.canvas.image.PixOffset(x, y)
	pix := b.canvas.image.Pix[i : i+4 : i+4]
	b.pixel = color.RGBA{R: pix[0], G: pix[1], B: pix[2], A: pix[3]}
	return &b.pixel
}

// begin ensures that the current band contains row y. If y is below the current band, begin paints a new
// band, which becomes the current one and whose first row is y. It returns an error if painting fails or
// b.ctx is done.
func (b *bands) begin(y int) error {
	if err := fairqueue.Pace(b.ctx); err != nil {
		return err
	}
	if b.canvas.image != nil && y < b.canvas.image.Rect.Max.Y {
		return nil
	}
	at := image.Rect(b.size.Min.X, y, b.size.Max.X, min(y+b.perBand, b.size.Max.Y))
	b.canvas.image = &image.RGBA{Pix: b.pix[:4*at.Dx()*at.Dy()], Stride: 4 * at.Dx(), Rect: at}
	draw.Draw(b.canvas.image, at, image.NewUniform(b.card), image.Point{}, draw.Src)
	return b.paint(at)
}

// paint paints the shapes that intersect band, the area of the current band.
func (b *bands) paint(band image.Rectangle) error {
	for i := range b.all {
		if i%shapesPerCheck == 0 {
			if err := fairqueue.Pace(b.ctx); err != nil {
				return err
			}
		}
		s := &b.rows[i]
		if s.known && (s.high <= band.Min.Y || s.low >= band.Max.Y) {
			continue
		}
		b.canvas.touched = image.Rectangle{}
		if err := b.canvas.paint(&b.all[i]); err != nil {
			return err
		}
		*s = span{true, b.canvas.touched.Min.Y, b.canvas.touched.Max.Y}
	}
	return nil
}
