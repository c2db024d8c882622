package tracefile

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"unsafe"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Type is the media type of a trace embedded in HTML: a gzip-compressed trace encoded in base64.
const Type = "application/x-wheelscope-trace+gzip;base64"

// Options holds options for writing and reading traces. The bytes of a trace do not depend on them.
type Options struct {
	EveryTick bool                     // whether to run every tick, including those in which no lane has anything to do
	Progress  func(tick int64)         // called regularly with the current tick, on the caller's goroutine; may be nil
	Plan      program.Options          // options for planning the scenario of a trace that is read
	Planned   func(p *program.Program) // called by Read and Verify with the program in the header before it runs; may be nil
}

// Summary describes a trace that has been completely written or verified.
type Summary struct {
	Tick    int64   // last tick of the scenario
	Events  int64   // number of lines between the header and the end line
	Bytes   int64   // number of bytes of the uncompressed trace, including the end line
	SHA256  string  // digest of all bytes before the end line, in hexadecimal
	Pending []int64 // number of timers pending at the end, indexed by lane
}

// MemoryBytes returns the approximate number of bytes of memory that s uses.
func (s Summary) MemoryBytes() int64 {
	return int64(unsafe.Sizeof(s)) + int64(len(s.SHA256)) + 8*int64(cap(s.Pending))
}

// Write runs p to its end and writes its trace to w. Each call to w.Write receives complete lines, in blocks
// of about BlockBytes; only a block that contains a long header can be much larger. All calls but the last
// are made by another goroutine, which has ended when Write returns. Memory use does not depend on the length
// of the trace. Write returns an error if w or the engine fails or ctx is done.
func Write(ctx context.Context, w io.Writer, p *program.Program, o Options) (Summary, error) {
	if err := engine.RecordOwn(ctx, p); err != nil {
		return Summary{}, err
	}
	eng, err := engine.NewEngine(p)
	if err != nil {
		return Summary{}, err
	}
	out := newBlockWriter(w)
	defer out.stop()
	t := &traceRun{p: p, lines: NewLineEncoder(p), out: out, buf: make([]byte, 0, BlockBytes+blockSlack)}
	t.buf = appendHeader(t.buf, p)
	if err := eng.Drive(ctx, engine.DriveOptions{EveryTick: o.EveryTick, Progress: o.Progress}, t.take); err != nil {
		return Summary{}, err
	}
	return t.end(w, eng)
}

// traceRun is the state of a trace that is being written.
type traceRun struct {
	p     *program.Program
	lines *lineEncoder
	out   *blockWriter
	buf   []byte // lines that have not been passed to out yet
	bytes int64  // number of bytes passed to out
}

// take appends the lines of recs to t.buf. It passes t.buf to t.out in blocks of BlockBytes or slightly more.
func (t *traceRun) take(recs []engine.Record) error {
	for i := range recs {
		t.buf = t.lines.Append(t.buf, &recs[i])
		if len(t.buf) >= BlockBytes {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *traceRun) flush() (err error) {
	t.bytes += int64(len(t.buf))
	t.buf, err = t.out.swap(t.buf)
	return err
}

// end writes the remaining lines and the end line, which contains the digest of all bytes before it, and returns the
// summary of the trace. The numbers of pending timers in the end line are from eng. end writes the end line directly to
// w, which must be the writer to which t.out writes.
func (t *traceRun) end(w io.Writer, eng *engine.Engine) (Summary, error) {
	if err := t.flush(); err != nil {
		return Summary{}, err
	}
	sum, err := t.out.finish()
	if err != nil {
		return Summary{}, err
	}
	s := Summary{Tick: t.p.Until, Events: t.lines.Seq, SHA256: hex.EncodeToString(sum)}
	for i := range t.p.Scenario.Lanes {
		s.Pending = append(s.Pending, eng.Lane(i).Stats().Pending)
	}
	line := appendEnd(nil, t.p, &s)
	s.Bytes = t.bytes + int64(len(line))
	if _, err := w.Write(line); err != nil {
		return Summary{}, fmt.Errorf("writing the trace: %w", err)
	}
	return s, nil
}

// appendHeader appends the header line of p's trace to dst.
func appendHeader(dst []byte, p *program.Program) []byte {
	dst = appendInt(dst, `{"wheelscope":`, scenario.FormatVersion)
	dst = append(dst, `,"kind":"trace","scenario":`...)
	return append(p.Scenario.AppendJSON(dst), '}', '\n')
}

// appendEnd appends the end line of p's trace, with the values in s, to dst.
func appendEnd(dst []byte, p *program.Program, s *Summary) []byte {
	dst = appendInt(dst, `{"kind":"end","tick":`, s.Tick)
	dst = appendInt(dst, `,"events":`, s.Events)
	dst = append(dst, `,"pending":{`...)
	for i, n := range s.Pending {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendInt(appendString(dst, p.Scenario.Lanes[i].ID), ":", n)
	}
	dst = appendText(append(dst, '}'), `,"sha256":`, s.SHA256)
	return append(dst, '}', '\n')
}
