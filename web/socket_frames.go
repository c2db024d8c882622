package web

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// frameHeaderMax is the maximum length, in bytes, of the header of a frame (RFC 6455, section 5.2): two bytes, eight
// bytes of extended length, and four bytes of mask.
const frameHeaderMax = 14

// frameReader reads the bytes that a client sends on a WebSocket. If the header of a frame announces more than
// protocol.MessageBytesMax bytes, the frameReader calls tooLarge before it reads the rest of the frame. The limit of
// the WebSocket library is not used, because the library would close the socket without sending a reason.
type frameReader struct {
	from     io.Reader
	tooLarge func()
	header   []byte // bytes of the next frame's header that have been received
	left     uint64 // number of bytes of the current frame that have not been read
	skipping bool   // whether the current frame is too large; Read then pauses before each read
}

// Read implements io.Reader. It also reads a frame that is too large, because a client that does not read while it
// writes would otherwise never receive the reason for closing. It does so slowly, so that such clients use little
// processor time.
func (r *frameReader) Read(p []byte) (int, error) {
	if r.skipping && r.left > 0 {
		time.Sleep(skipPause)
	}
	n, err := r.from.Read(p)
	r.scan(p[:n])
	return n, err
}

// scan finds the frame headers in b, the next bytes of the stream, and calls r.tooLarge for each frame that is too
// large.
func (r *frameReader) scan(b []byte) {
	for len(b) > 0 {
		if r.left > 0 {
			n := min(r.left, uint64(len(b)))
			r.left, b = r.left-n, b[n:]
			continue
		}
		r.header, b = append(r.header, b[0]), b[1:]
		size, complete := frameSize(r.header)
		if !complete {
			continue
		}
		r.header, r.left = r.header[:0], size
		if r.skipping = size > protocol.MessageBytesMax; r.skipping {
			r.tooLarge()
		}
	}
}

// frameSize returns the length of the payload of a frame that begins with header. It returns false if the
// header is incomplete.
func frameSize(header []byte) (size uint64, complete bool) {
	if len(header) < 2 {
		return 0, false
	}
	size = uint64(header[1] & 0x7F)
	length, mask := 0, 0
	switch size {
	case 126:
		length = 2
	case 127:
		length = 8
	}
	if header[1]&0x80 != 0 {
		mask = 4
	}
	if len(header) < 2+length+mask {
		return 0, false
	}
	switch length {
	case 2:
		size = uint64(binary.BigEndian.Uint16(header[2:]))
	case 8:
		size = binary.BigEndian.Uint64(header[2:])
	}
	return size, true
}

// bufferKeeper is an http.ResponseWriter that keeps the buffer through which a hijacked connection is read, so
// that redirect can change where the buffer reads from.
type bufferKeeper struct {
	http.ResponseWriter
	input *bufio.Reader // buffer of the hijacked connection; nil before Hijack
}

// Hijack implements http.Hijacker. It takes over the connection and stores the buffer through which the connection is
// read in k.input.
func (k *bufferKeeper) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(k.ResponseWriter).Hijack()
	if err == nil {
		k.input = rw.Reader
	}
	return conn, rw, err
}

// redirect inserts a frameReader between conn and k.input, the buffer through which the upgraded connection is
// read. The frameReader calls tooLarge for each frame that is too large. redirect discards the content of the
// buffer, so it must be called before the first read.
func (k *bufferKeeper) redirect(conn io.Reader, tooLarge func()) {
	k.input.Reset(&frameReader{from: conn, tooLarge: tooLarge, header: make([]byte, 0, frameHeaderMax)})
}
