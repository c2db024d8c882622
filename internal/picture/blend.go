package picture

import (
	"encoding/binary"
	"image"
	"image/color"
)

// blend paints colour c through a mask over the rectangle rect of dst. rect must be within the bounds of
// dst. The bounds of the mask start at (0, 0) and have the size of rect. The result equals that of
// draw.DrawMask with draw.Over. blend is faster, because it skips pixels at which the mask is 0, and
// overwrites pixels at which the mask and c are opaque. Most pixels of a large shape are of one of these
// kinds.
func blend(dst *image.RGBA, rect image.Rectangle, c color.NRGBA, mask *image.Alpha) {
	const m = 1<<16 - 1
	r, g, b, a := c.RGBA()
	solid := [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
	for y := range rect.Dy() {
		row := mask.Pix[y*mask.Stride:][:rect.Dx()]
		i := dst.PixOffset(rect.Min.X, rect.Min.Y+y)
		pix := dst.Pix[i : i+4*len(row)]
		for x := 0; x < len(row); x++ {
			cover := uint32(row[x])
			if cover == 0 {
				x += emptyRun(row[x+1:])
				continue
			}
			d := pix[4*x : 4*x+4 : 4*x+4]
			if cover == 0xff && a == m {
				d[0], d[1], d[2], d[3] = solid[0], solid[1], solid[2], solid[3]
				continue
			}
			cover |= cover << 8
			rest := (m - a*cover/m) * 0x101
			d[0] = uint8((uint32(d[0])*rest + r*cover) / m >> 8)
			d[1] = uint8((uint32(d[1])*rest + g*cover) / m >> 8)
			d[2] = uint8((uint32(d[2])*rest + b*cover) / m >> 8)
			d[3] = uint8((uint32(d[3])*rest + a*cover) / m >> 8)
		}
	}
}

// emptyRun returns the number of bytes at the start of row that are zero, rounded down to a multiple of
// eight.
func emptyRun(row []uint8) int {
	n := 0
	for n+8 <= len(row) && binary.NativeEndian.Uint64(row[n:]) == 0 {
		n += 8
	}
	return n
}
