package tracefile

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// HeaderFrame is the maximum number of bytes that a header line contains in addition to the scenario.
const HeaderFrame = 256

// errUnpacked is returned when the content of a compressed trace exceeds UnpackedMax bytes.
var errUnpacked = fault("the packed trace holds more than %d bytes", int64(UnpackedMax))

// Errors of a compressed file.
var (
	errPackCut     = fault("the packed file is cut short")
	errPackTrailer = fault("other bytes follow the end of the packed data")
)

// Packed reports whether head, the beginning of a file, has the magic number of gzip (RFC 1952, section 2.3.1).
func Packed(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

// NewReader returns a reader of the trace in r. It decompresses the trace if it is compressed with gzip.
func NewReader(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if head, _ := b.Peek(2); !Packed(head) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, &LineError{1, UnpackFault(err)}
	}
	return &unpacked{&packedMembers{z: z, in: b}, UnpackedMax}, nil
}

// UnpackFault converts an error from package gzip to a *texts.Error if the file is truncated or its content is invalid.
// It returns other errors unchanged.
func UnpackFault(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errPackCut
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fault("the packed file is damaged: %s", err)
	}
	return err
}

// packedMembers is a reader of the content of all gzip members of a file. If a member is followed by data that is not a
// member, it returns errPackTrailer, whereas package gzip would report a truncated file or an invalid header.
type packedMembers struct {
	z  *gzip.Reader
	in *bufio.Reader
}

func (m *packedMembers) Read(p []byte) (int, error) {
	m.z.Multistream(false)
	n, err := m.z.Read(p)
	if err != io.EOF {
		return n, err
	}
	head, _ := m.in.Peek(2)
	switch {
	case len(head) == 0:
		return n, io.EOF
	case !Packed(head):
		return n, errPackTrailer
	}
	return n, m.z.Reset(m.in)
}

// Unpack returns a reader that decompresses the rest of a gzip file: the current member of z and the members that
// follow it. z must read from in.
func Unpack(z *gzip.Reader, in *bufio.Reader) io.Reader { return &packedMembers{z, in} }

// unpacked is a reader that limits the size of a decompressed trace.
type unpacked struct {
	r    io.Reader
	left int64 // number of bytes that may still be read
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, errUnpacked
	}
	n, err := u.r.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, UnpackFault(err)
}

// ReadLine reads a line after the header and returns it without its newline. line is the line number,
// which is used in errors. The error is io.EOF at the end of the trace, and otherwise a *LineError.
func ReadLine(r *bufio.Reader, line int64) ([]byte, error) {
	return readLineOf(r, line, LineMax)
}

// ReadHeaderLine reads the first line of a trace, which contains the scenario, and returns it without its
// newline. The maximum length of the line is o.Bytes() + HeaderFrame. The error is a *LineError.
func ReadHeaderLine(r *bufio.Reader, o *program.Options) ([]byte, error) {
	return readLineOf(r, 1, o.Bytes()+HeaderFrame)
}

// readLineOf reads a line, which may have at most limit bytes including its newline, and returns it without the
// newline. line is the line number, which is used in errors.
func readLineOf(r *bufio.Reader, line int64, limit int) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > limit:
			return nil, &LineError{line, fault("longer than %d bytes", limit)}
		case err == nil:
			return text[:len(text)-1], nil
		case err == io.EOF && len(text) > 0:
			return nil, &LineError{line, fault("cut short: it does not end in a newline")}
		case err == io.EOF && line == 1:
			return nil, &LineError{line, fault("the file is empty; expected a trace")}
		case err == io.EOF:
			return nil, io.EOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, &LineError{line, err}
		}
	}
}

// readHeader parses text, the first line of a trace, and returns the program of the scenario in it, planned with the
// options o.
func readHeader(text []byte, o program.Options) (*program.Program, error) {
	if bytes.HasSuffix(text, []byte("\r")) { // git and some editors convert line ends in this way
		return nil, &LineError{1, fault("its end is a carriage return and a newline, expected a newline alone")}
	}
	s := &lineScanner{rest: text}
	s.literal(`{"wheelscope":`)
	if v := s.number(1); s.err == nil && v != scenario.FormatVersion {
		s.err = fault("the trace is of version %d, expected %d", v, scenario.FormatVersion)
	}
	s.literal(`,"kind":"trace","scenario":`)
	if s.err == nil && !bytes.HasSuffix(s.rest, []byte("}")) {
		s.rest = nil
		s.fail("} at the end of the header")
	}
	if s.err != nil {
		return nil, &LineError{1, s.err}
	}
	p, err := program.LoadWith(s.rest[:len(s.rest)-1], o)
	if texts.Is(err, texts.Invalid) {
		return nil, &LineError{1, fault("scenario: %s", err)}
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}
