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

// frameHeaderMax is the longest header of a frame (RFC 6455, section 5.2): two bytes, a
// length of eight and a mask of four.
const frameHeaderMax = 14

// frameReader reads the bytes that a client sends on a WebSocket. It calls tooLarge when the header of a
// frame announces more than MessageBytesMax bytes, before any of them are read. The limit of the library
// would close the socket without a reason.
type frameReader struct {
	from     io.Reader
	tooLarge func()
	header   []byte // part of the next frame's header that has been received
	left     uint64 // number of bytes of the current frame that have not been read
	skipping bool   // whether the current frame is too large, so that the rest of it is skipped
}

// Read implements io.Reader. If a frame is too large, Read continues to read it, so that a client that does not
// read while it writes receives the reason for closing. It does so slowly, so that such clients do not take
// processor time from others.
func (r *frameReader) Read(p []byte) (int, error) {
	if r.skipping && r.left > 0 {
		time.Sleep(skipPause)
	}
	n, err := r.from.Read(p)
	r.follow(p[:n])
	return n, err
}

// follow finds the frame headers in b, the next bytes of the stream.
func (r *frameReader) follow(b []byte) {
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

// frameSize returns the length of the payload of a frame, and whether header is complete.
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

// bufferKeeper is a response writer that records the buffer through which a hijacked connection is read, so
// that follow can redirect it.
type bufferKeeper struct {
	http.ResponseWriter
	input *bufio.Reader
}

// Hijack implements http.Hijacker.
func (k *bufferKeeper) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(k.ResponseWriter).Hijack()
	if err == nil {
		k.input = rw.Reader
	}
	return conn, rw, err
}

// follow redirects k.input, the buffer from which the upgraded connection reads, to a frameReader that
// reads conn and calls tooLarge for frames that are too large. It must be called before the first read,
// since it discards what is buffered.
func (k *bufferKeeper) follow(conn io.Reader, tooLarge func()) {
	k.input.Reset(&frameReader{from: conn, tooLarge: tooLarge, header: make([]byte, 0, frameHeaderMax)})
}
