// Package recording reads and writes recordings of the timers of a program, which timer.Record makes. The commands of
// wheelscope read them as workloads.
//
// A recording is a stream: the line [Magic], then blocks. Numbers are varints of package encoding/binary: unsigned ones
// (u), or signed ones (s). Times are in nanoseconds.
//
//	block    'B'  source (u)  number of events (u)  lost (u)  events
//	event    kind (one byte)  timer (u)  time since the event before in the block, or since the start (s)
//	         delay (s), if the kind is Pending, Schedule, Reset or Repeat
//	end      'E'  duration of the recording (u)
//
// The events of one source are in order of time; those of different sources may overlap. lost is the number of events of
// the source that are missing after those of the block, because the stream was written too slowly. A stream without an
// end was cut off.
package recording

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// Magic is the first line of a recording.
const Magic = "wheelscope recording 1\n"

// Limits of a recording.
const (
	BlockMax  = 1 << 16 // maximum number of events in a block
	SourceMax = 1 << 16 // source numbers are less than this
	lostMax   = 1 << 48 // maximum number of lost events after a block
)

// Kind is what happened to a timer.
type Kind uint8

// Kinds of events.
const (
	Pending  Kind = iota + 1 // the timer was pending when the recording began
	Schedule                 // the timer was scheduled
	Reset                    // the pending timer was moved to another time
	Stop                     // the pending timer was stopped
	Fire                     // the timer fired
	Repeat                   // the timer was scheduled, or reset if it was pending, to fire every Delay until it is stopped
)

// arms reports whether an event of this kind has a delay.
func (k Kind) arms() bool { return k <= Reset || k == Repeat }

// Event is an event of a timer.
type Event struct {
	At    time.Duration // time since the recording began, 0 or more
	Delay time.Duration // of Pending, Schedule and Reset: time from At until the timer is due; of Repeat its period
	Timer uint32        // number of the timer, unique among the pending ones of its source
	Kind  Kind
}

// A Writer writes a recording. It is not safe for concurrent use.
type Writer struct {
	w   *bufio.Writer
	buf []byte
}

// NewWriter returns a Writer that writes a recording to w. The recording begins with the first write.
func NewWriter(w io.Writer) *Writer {
	r := &Writer{w: bufio.NewWriterSize(w, 64<<10)}
	r.w.WriteString(Magic) // an error is returned by the next Flush
	return r
}

// Block writes events of a source, at most BlockMax, in order of time. lost is the number of events lost after them.
func (w *Writer) Block(source int, events []Event, lost int64) {
	b := append(w.buf[:0], 'B')
	b = binary.AppendUvarint(b, uint64(source))
	b = binary.AppendUvarint(b, uint64(len(events)))
	b = binary.AppendUvarint(b, uint64(lost))
	last := time.Duration(0)
	for i := range events {
		e := &events[i]
		b = append(b, byte(e.Kind))
		b = binary.AppendUvarint(b, uint64(e.Timer))
		b = binary.AppendVarint(b, int64(e.At-last))
		last = e.At
		if e.Kind.arms() {
			b = binary.AppendVarint(b, int64(e.Delay))
		}
	}
	w.buf = b
	w.w.Write(b)
}

// End writes the end of the recording, which lasted for d.
func (w *Writer) End(d time.Duration) {
	w.w.Write(binary.AppendUvarint([]byte{'E'}, uint64(d)))
}

// Flush passes on what has been written and returns the first error of the underlying writer.
func (w *Writer) Flush() error { return w.w.Flush() }

// A Reader reads a recording. It is not safe for concurrent use.
type Reader struct {
	r      *bufio.Reader
	source int
	left   uint64 // events left in the block
	last   time.Duration
	read   int64

	// Lost is the number of events that the recording misses so far.
	Lost int64
	// Duration is that of the recording, once Next has returned io.EOF.
	Duration time.Duration
}

// ErrFormat is wrapped by the errors for a stream that is not a recording or is damaged.
var ErrFormat = errors.New("recording: damaged")

// NewReader returns a Reader of the recording that r contains.
func NewReader(r io.Reader) (*Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head := make([]byte, len(Magic))
	if _, err := io.ReadFull(b, head); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if string(head) != Magic {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrFormat, Magic)
	}
	return &Reader{r: b}, nil
}

// Next returns the next event and the number of its source. At the end of the recording it returns io.EOF. The error for a
// recording that was cut off wraps io.ErrUnexpectedEOF, for one that is damaged ErrFormat.
func (r *Reader) Next() (source int, e Event, err error) {
	for r.left == 0 {
		if err := r.block(); err != nil {
			return 0, e, err
		}
	}
	if e, err = r.event(); err != nil {
		return 0, e, r.wrap(err)
	}
	r.left--
	r.read++
	return r.source, e, nil
}

// block reads the head of a block. It returns io.EOF at the end of the recording.
func (r *Reader) block() error {
	kind, err := r.r.ReadByte()
	if err != nil {
		return r.wrap(err)
	}
	switch kind {
	case 'E':
		d, err := r.unsigned()
		if err != nil {
			return r.wrap(err)
		}
		if r.Duration = time.Duration(d); r.Duration < 0 {
			return r.bad("the duration")
		}
		return io.EOF
	case 'B':
	default:
		return r.bad("the kind of a block")
	}
	var head [3]uint64
	for i := range head {
		if head[i], err = r.unsigned(); err != nil {
			return r.wrap(err)
		}
	}
	if head[0] >= SourceMax || head[1] > BlockMax || head[2] > lostMax {
		return r.bad("the head of a block")
	}
	r.source, r.left, r.last = int(head[0]), head[1], 0
	r.Lost += int64(head[2])
	return nil
}

func (r *Reader) event() (e Event, err error) {
	kind, err := r.r.ReadByte()
	if err != nil {
		return e, err
	}
	if e.Kind = Kind(kind); e.Kind < Pending || e.Kind > Repeat {
		return e, r.bad("the kind of an event")
	}
	id, err := r.unsigned()
	if err != nil {
		return e, err
	}
	since, err := r.signed()
	if err != nil {
		return e, err
	}
	e.Timer, e.At = uint32(id), r.last+time.Duration(since)
	if id != uint64(e.Timer) || e.At < 0 {
		return e, r.bad("a timer or a time")
	}
	r.last = e.At
	if e.Kind.arms() {
		delay, err := r.signed()
		if err != nil {
			return e, err
		}
		e.Delay = time.Duration(delay)
	}
	return e, nil
}

// unsigned reads an unsigned varint.
func (r *Reader) unsigned() (uint64, error) {
	head, err := r.r.Peek(binary.MaxVarintLen64)
	v, n := binary.Uvarint(head)
	switch {
	case n > 0:
		r.r.Discard(n)
		return v, nil
	case n < 0:
		return 0, r.bad("a number")
	}
	return 0, err // the stream is shorter
}

// signed reads a signed varint.
func (r *Reader) signed() (int64, error) {
	u, err := r.unsigned()
	return int64(u>>1) ^ -int64(u&1), err
}

func (r *Reader) bad(what string) error {
	return fmt.Errorf("%w: %s after %d events", ErrFormat, what, r.read)
}

// wrap adds the place to an error of the stream.
func (r *Reader) wrap(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("recording: cut off after %d events: %w", r.read, io.ErrUnexpectedEOF)
	}
	return err
}
