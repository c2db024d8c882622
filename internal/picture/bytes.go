package picture

import (
	"fmt"
	"io"
)

// Upper bounds, in bytes, of the memory that a picture needs in addition to its pixels.
const (
	layoutBytes  = 16 << 20 // bytes for the text of the template, the shapes and one outline
	encoderBytes = 2 << 20  // bytes for the windows of zlib and the rows of the encoder
	fixedBytes   = 1 << 20  // bytes for the rasterizer's second buffer, used only for shapes of up to 512 × 512 pixels
	headerBytes  = 64 << 10 // bytes that an output file may have in addition to one byte per pixel
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

// OutputMax returns the maximum number of bytes that Write writes with the options o. It is about one byte
// per pixel, which is four times what a PNG of a lane needs, but at least 4 MiB. Write returns an error if a
// picture needs more.
func OutputMax(o Options) int64 {
	o = o.filled()
	return max(headerBytes+int64(o.Width)*int64(heightOf(o.Width)), layoutBytes/4)
}

// bounded is a writer that passes data to another writer up to a limit. A Write that would exceed the limit
// fails and writes nothing.
type bounded struct {
	to          io.Writer
	left, limit int64 // number of bytes that can still be written, and maximum number in total
}

func (b *bounded) Write(p []byte) (int, error) {
	if int64(len(p)) > b.left {
		return 0, fmt.Errorf("the picture has more than %d bytes, expected a smaller size or fewer timers", b.limit)
	}
	b.left -= int64(len(p))
	return b.to.Write(p)
}
