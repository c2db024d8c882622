package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
)

// counted tells how much of a file was read, and ends when its reader is not wanted
// any more.
type counted struct {
	ctx  context.Context
	r    io.Reader
	tell func(bytes int64)
	read int64
	told int64
}

// tellBytes are between two tellings of progress.
const tellBytes = 1 << 20

func (c *counted) Read(p []byte) (int, error) {
	if err := fairqueue.Pace(c.ctx); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.read += int64(n)
	if c.tell != nil && (c.read-c.told >= tellBytes || err != nil) {
		c.told = c.read
		c.tell(c.read)
	}
	return n, err
}

// byteOrderMark is what some editors put before a text in UTF-8.
var byteOrderMark = []byte("\ufeff")

// open unpacks a file where its first bytes say that it is packed.
func open(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, bufferBytes)
	if head, _ := in.Peek(2); !sim.Packed(head) {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, unpackFault(err)
	}
	return bufio.NewReaderSize(&unpacked{sim.Unpack(z, in), UnpackedMax}, bufferBytes), nil
}

// unpacked bounds what comes out of a packed file.
type unpacked struct {
	r    io.Reader
	left int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, refuse("the packed file holds more than %d bytes", int64(UnpackedMax))
	}
	n, err := u.r.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, unpackFault(err)
}

// unpackFault tells what is wrong with a packed file.
func unpackFault(err error) error {
	switch fault := sim.UnpackFault(err); {
	case errors.Is(fault, sim.ErrPackCut):
		return refuse("the packed file is cut short")
	case errors.Is(fault, sim.ErrPackTrailer):
		return refuse("other bytes follow the end of the packed data")
	case errors.Is(fault, sim.ErrPackDamaged):
		return refuse("the packed file is damaged: %s", err.Error())
	}
	return err
}

// lines reads a file line by line.
type lines struct {
	ctx  context.Context
	in   *bufio.Reader
	no   int64 // of the line that was read last, from 1
	text []byte
	long bool // it was longer than LineMax, and cut there
}

// next reads a line; false at the end. The text is used until the next call.
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

// trim takes off the line's end, and what some editors put before the first.
func (l *lines) trim() {
	l.text = bytes.TrimRight(l.text, "\r\n")
	if l.no == 1 {
		l.text = bytes.TrimPrefix(l.text, byteOrderMark)
	}
}
