package picture

import (
	"fmt"
	"io"
)

// Upper bounds, in bytes, of the memory that a picture needs in addition to its pixels.
const (
	layoutBytes  = 16 << 20 // bytes for the SVG from which the shapes are read, the shapes, and one outline
	encoderBytes = 2 << 20  // bytes for the buffers of the PNG encoder, such as the windows of zlib
	fixedBytes   = 1 << 20  // bytes for the rasterizer's second buffer, used only for shapes of up to 512 × 512 pixels
	headerBytes  = 64 << 10 // bytes that OutputMax permits in addition to one byte per pixel
)

// Bytes returns an upper bound on the memory, in bytes, that Write needs with the options o, including memory
// for its output. A server can reserve this amount before the call. An SVG needs less than a PNG of the same
// width.
func Bytes(o Options) int64 {
	o = o.filled()
	band := int64(o.Width) * int64(bandRows(o.Width))
	const perPixel = 4 + 4 + 1 // colour, the rasterizer's area, mask
	return layoutBytes + encoderBytes + fixedBytes + perPixel*band + OutputMax(o) + int64(len(o.Font))
}

// OutputMax returns the maximum number of bytes that Write writes with the options o. If a picture needs
// more, Write returns an error. The maximum is about one byte per pixel, which is four times what a PNG of a
// lane needs, but at least 4 MiB.
func OutputMax(o Options) int64 {
	o = o.filled()
	return max(headerBytes+int64(o.Width)*int64(heightOf(o.Width)), layoutBytes/4)
}

// bounded is a writer that passes at most limit bytes to another writer. A Write that would exceed the limit
// writes nothing and returns an error.
type bounded struct {
	to          io.Writer
	left, limit int64 // number of bytes that may still be written, and that may be written in total
}

func (b *bounded) Write(p []byte) (int, error) {
	if int64(len(p)) > b.left {
		return 0, fmt.Errorf("the picture has more than %d bytes, expected a smaller size or fewer timers", b.limit)
	}
	b.left -= int64(len(p))
	return b.to.Write(p)
}
