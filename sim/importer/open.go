package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// counted is a reader that reads from r and reports how many bytes have been read. It fails once ctx is done.
type counted struct {
	ctx      context.Context
	r        io.Reader
	report   func(bytes int64) // called with the number of bytes read so far; may be nil
	read     int64
	reported int64 // argument of the last call to report
}

// reportBytes is the minimum number of bytes read between two calls to counted.report. The function is also called at
// the end of the file and after an error.
const reportBytes = 1 << 20

func (c *counted) Read(p []byte) (int, error) {
	if err := fairqueue.Pace(c.ctx); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.read += int64(n)
	if c.report != nil && (c.read-c.reported >= reportBytes || err != nil) {
		c.reported = c.read
		c.report(c.read)
	}
	return n, err
}

// byteOrderMark is a prefix that some editors write before UTF-8 text.
var byteOrderMark = []byte("\ufeff")

// open returns a buffered reader of r. It decompresses r if r is compressed with gzip.
func open(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, bufferBytes)
	if head, _ := in.Peek(2); !tracefile.Packed(head) {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, unpackFault(err)
	}
	return bufio.NewReaderSize(&unpacked{tracefile.Unpack(z, in), UnpackedMax}, bufferBytes), nil
}

// unpacked is a reader of a decompressed file that returns a *Fault if the file is too large or damaged.
type unpacked struct {
	r    io.Reader
	left int64 // number of bytes that may still be read before the file is too large
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, refuse("the packed file holds more than %d bytes", int64(UnpackedMax))
	}
	n, err := u.r.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, unpackFault(err)
}

// unpackFault converts a decompression error to a *Fault. It returns other errors unchanged.
func unpackFault(err error) error {
	if fault, ok := errors.AsType[*texts.Error](tracefile.UnpackFault(err)); ok {
		return &Fault{Message: fault.Message}
	}
	return err
}

// lines reads a file line by line.
type lines struct {
	ctx  context.Context
	in   *bufio.Reader
	no   int64 // number of the last line read, counting from 1
	text []byte
	long bool // whether the line was truncated because it is longer than LineMax
}

// next reads the next line into l.text, which is valid until the next call. It returns false at the end of
// the file.
func (l *lines) next() (bool, error) {
	if l.no++; l.no%pauseLines == 0 {
		if err := fairqueue.Pace(l.ctx); err != nil {
			return false, err
		}
	}
	l.text, l.long = l.text[:0], false
	for {
		part, err := l.in.ReadSlice('\n')
		room := LineMax - len(l.text)
		l.long = l.long || len(part) > room+1
		l.text = append(l.text, part[:min(len(part), room)]...)
		switch {
		case err == nil:
			l.trim()
			return true, nil
		case err == io.EOF:
			l.trim()
			return len(part) > 0 || len(l.text) > 0, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return false, readError(err)
		}
	}
}

// trim removes the line ending from l.text and, in the first line, the byte order mark.
func (l *lines) trim() {
	l.text = bytes.TrimRight(l.text, "\r\n")
	if l.no == 1 {
		l.text = bytes.TrimPrefix(l.text, byteOrderMark)
	}
}
