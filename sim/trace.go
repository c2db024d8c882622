package sim

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"unsafe"
)

// TraceType is the media type of a trace as HTML holds it: the .jsonl.gz in base64.
const TraceType = "application/x-wheelscope-trace+gzip;base64"

// TraceOptions say how a run is driven and who hears of it. The bytes of the
// trace do not depend on them.
type TraceOptions struct {
	EveryTick bool             // go tick by tick, not from one busy tick to the next
	Progress  func(tick int64) // told now and then, on the caller's goroutine; may be nil
	Plan      PlanOptions      // how the scenario of a trace that is read is planned
	Planned   func(p *Program) // called with the program of a trace's header, before its run begins; may be nil
}

// Summary is what a whole trace comes to.
type Summary struct {
	Tick    int64   // the last one, `until`
	Events  int64   // lines between the header and the end line
	Bytes   int64   // in all, before compression
	SHA256  string  // of every byte before the end line, hexadecimal
	Pending []int64 // timers still armed, lane by lane
}

// MemoryBytes returns about the memory that the summary takes.
func (s Summary) MemoryBytes() int64 {
	return int64(unsafe.Sizeof(s)) + int64(len(s.SHA256)) + 8*int64(cap(s.Pending))
}

// WriteTrace runs p from before anything to `until` and writes its trace to w:
// whole lines, some tens of kilobytes a call, from a goroutine that has ended
// when WriteTrace returns. Memory does not grow with the length of the trace.
// The error is w's or ctx's.
func WriteTrace(ctx context.Context, w io.Writer, p *Program, o TraceOptions) (Summary, error) {
	eng, err := NewEngine(p)
	if err != nil {
		return Summary{}, err
	}
	out := newBlockWriter(w)
	defer out.stop()
	t := &traceRun{p: p, lines: newLineEncoder(p), out: out, buf: make([]byte, 0, blockBytes+blockSlack)}
	t.buf = p.appendHeader(t.buf)
	d := &drive{p: p, opts: o, eng: eng}
	if err := d.run(ctx, t.take); err != nil {
		return Summary{}, err
	}
	return t.end(w, eng)
}

// traceRun is one trace being written.
type traceRun struct {
	p     *Program
	lines *lineEncoder
	out   *blockWriter
	buf   []byte // lines not handed on yet
	bytes int64  // handed on
}

// take turns the records of a tick into lines.
func (t *traceRun) take(recs []Record) error {
	for i := range recs {
		t.buf = t.lines.append(t.buf, &recs[i])
		if len(t.buf) >= blockBytes {
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

// end writes what is left and the end line, which holds the digest of everything
// before it.
func (t *traceRun) end(w io.Writer, eng *Engine) (Summary, error) {
	if err := t.flush(); err != nil {
		return Summary{}, err
	}
	sum, err := t.out.finish()
	if err != nil {
		return Summary{}, err
	}
	s := Summary{Tick: t.p.Until, Events: t.lines.seq, SHA256: hex.EncodeToString(sum)}
	for i := range t.p.Scenario.Lanes {
		s.Pending = append(s.Pending, eng.Lane(i).Stats().Pending)
	}
	line := t.p.appendEnd(nil, &s)
	s.Bytes = t.bytes + int64(len(line))
	if _, err := w.Write(line); err != nil {
		return Summary{}, fmt.Errorf("writing the trace: %w", err)
	}
	return s, nil
}

// appendHeader appends the header line of the program's trace.
func (p *Program) appendHeader(dst []byte) []byte {
	dst = appendInt(dst, `{"wheelscope":`, FormatVersion)
	dst = append(dst, `,"kind":"trace","scenario":`...)
	return append(p.Scenario.AppendJSON(dst), '}', '\n')
}

// appendEnd appends the end line of the program's trace.
func (p *Program) appendEnd(dst []byte, s *Summary) []byte {
	dst = appendInt(dst, `{"kind":"end","tick":`, s.Tick)
	dst = appendInt(dst, `,"events":`, s.Events)
	dst = append(dst, `,"pending":{`...)
	for i, n := range s.Pending {
		dst = appendInt(appendString(comma(dst, i), p.Scenario.Lanes[i].ID), ":", n)
	}
	dst = appendText(append(dst, '}'), `,"sha256":`, s.SHA256)
	return append(dst, '}', '\n')
}
