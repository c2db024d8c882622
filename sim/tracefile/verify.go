package tracefile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Diff is the error for a well-formed trace that differs from the run of its scenario. It describes the first
// line that differs.
type Diff struct {
	Line      int64  // number of the line; the header is line 1
	Got, Want string // line in the trace (Got) and in the run (Want), without newlines
}

// Error returns the line number and the result of Explain, on one line.
func (d *Diff) Error() string { return fmt.Sprintf("line %d: %s", d.Line, d.Explain()) }

// LineError is the error for an invalid line of a trace. The line is malformed, has an unknown version or is out of
// order, or it is an end line that does not match the lines before it. A trace with such a line cannot be compared with
// a run.
type LineError struct {
	Line   int64 // number of the line; the header is line 1
	Reason error
}

// Error returns the line number and the reason, in English.
func (e *LineError) Error() string { return e.In(nil) }

// In is like Error, in the language of catalogue c.
func (e *LineError) In(c texts.Catalogue) string {
	return texts.Newf("line %d: %s", e.Line, e.Reason).In(c)
}

// fault returns an error about a trace.
func fault(format string, args ...any) error { return texts.Errorf(texts.Invalid, "", format, args...) }

// Verify reads a trace, which may be compressed with gzip, runs the scenario in its header and compares the
// trace with that run byte by byte. The error is nil if they are equal, a *LineError if the trace is
// malformed, a *Diff if the trace is well-formed but differs from the run, or the error from ctx. Memory use
// does not grow with the length of the trace.
func Verify(ctx context.Context, r io.Reader, o Options) (Summary, error) {
	_, sum, err := Read(ctx, r, o)
	return sum, err
}

// Read is like Verify, but also returns the program in the header, or nil if the header is invalid.
func Read(ctx context.Context, r io.Reader, o Options) (*program.Program, Summary, error) {
	in, err := NewReader(r)
	if err != nil {
		return nil, Summary{}, err
	}
	buffered := bufio.NewReaderSize(in, BlockBytes)
	header, err := ReadHeaderLine(buffered, &o.Plan)
	if err != nil {
		return nil, Summary{}, err
	}
	p, err := readHeader(header, o.Plan)
	if err != nil {
		return nil, Summary{}, err
	}
	if o.Planned != nil {
		o.Planned(p)
	}
	sum, err := compareTrace(ctx, p, io.MultiReader(bytes.NewReader(append(header, '\n')), buffered), o)
	return p, sum, err
}

// VerifyProgram is like Verify, but compares the trace with the run of p instead of the run of the
// scenario in its header.
func VerifyProgram(ctx context.Context, p *program.Program, r io.Reader, o Options) (Summary, error) {
	in, err := NewReader(r)
	if err != nil {
		return Summary{}, err
	}
	return compareTrace(ctx, p, in, o)
}

// errDiffers is returned by comparer.Write at the first difference from the trace, to end the run.
var errDiffers = errors.New("sim: the run and the trace differ")

func compareTrace(ctx context.Context, p *program.Program, in io.Reader, o Options) (Summary, error) {
	c := &comparer{p: p, in: in, plan: o.Plan}
	if err := o.Plan.ReserveEngine(p); err != nil {
		return Summary{}, err
	}
	s, err := Write(ctx, c, p, o)
	switch {
	case errors.Is(err, errDiffers):
		return Summary{}, c.judge(ctx)
	case err != nil:
		return Summary{}, err
	}
	return s, c.atEnd()
}

// comparer is an io.Writer that compares the lines written to it, which are those of a run, with the lines
// of a trace. It does not parse lines that are equal.
type comparer struct {
	p    *program.Program
	plan program.Options
	in   io.Reader
	buf  []byte
	line int64  // number of lines so far that are equal in the run and the trace
	last []byte // last line that is equal in the run and the trace

	rest io.Reader // rest of the trace, beginning with the first line that differs from the run
	want string    // first line of the run that differs from the trace
}

// Write compares block, which consists of complete lines of the run, with the next lines of the trace. If they differ,
// it stores the first differing line of the run in c.want, sets c.rest to a reader of the trace from that line on, and
// returns errDiffers.
func (c *comparer) Write(block []byte) (int, error) {
	if len(block) > cap(c.buf) {
		c.buf = make([]byte, len(block))
	}
	n, err := io.ReadFull(c.in, c.buf[:len(block)])
	if err == nil && bytes.Equal(c.buf[:n], block) {
		c.equal(block)
		return n, nil
	}
	same := 0
	for same < n && c.buf[same] == block[same] {
		same++
	}
	from := bytes.LastIndexByte(block[:same], '\n') + 1
	c.equal(block[:from])
	want, _, _ := bytes.Cut(block[from:], []byte("\n"))
	c.want = string(want)
	c.rest = io.MultiReader(bytes.NewReader(c.buf[from:n]), c.in)
	return 0, errDiffers
}

// equal notes that the given lines are equal in the run and the trace: it adds the number of lines to c.line
// and stores the last line in c.last.
func (c *comparer) equal(lines []byte) {
	if len(lines) == 0 {
		return
	}
	c.line += int64(bytes.Count(lines, []byte("\n")))
	from := bytes.LastIndexByte(lines[:len(lines)-1], '\n') + 1
	c.last = append(c.last[:0], lines[from:len(lines)-1]...)
}

// atEnd returns an error if the trace continues after the end of the run, or cannot be read. It must be called after
// all lines of the run have been passed to Write without an error.
func (c *comparer) atEnd() error {
	n, err := io.ReadFull(c.in, make([]byte, 1))
	switch {
	case n > 0:
		return &LineError{c.line + 1, errAfterEnd}
	case err != io.EOF:
		return &LineError{c.line, err}
	}
	return nil
}
