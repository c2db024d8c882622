// Package export writes a run in the formats of other programs: Chrome's Trace Event JSON, which Perfetto
// opens, and CSV for spreadsheets. A program always has the same run, so an export runs the program again and
// needs no trace. Start reading here, then perfetto.go and csv.go.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Options holds functions that report the progress of an export.
type Options struct {
	Progress func(tick int64)   // called from time to time with the tick reached, on the caller's goroutine; may be nil
	Counted  func(events int64) // called once with the number of events, before anything is written; may be nil
}

// formatWriter writes a run in one file format. Its methods must not retain the records passed to them.
type formatWriter interface {
	begin() error
	records(recs []engine.Record) error // writes some records of a tick, in the order of the trace
	tick(t int64) error                 // called after all records of tick t
	end() error
}

// Format is a file format to which a run can be exported.
type Format struct {
	Name      string // name, such as "perfetto"
	Extension string // file name extension, such as "json"
	MediaType string
	// start returns a formatWriter that writes the run of p, computed by e, to w. peak is the maximum number of
	// records in one tick.
	start func(p *program.Program, e *engine.Engine, w *bufio.Writer, peak int) (formatWriter, error)
}

var formats = []Format{
	{"csv", "csv", "text/csv; charset=utf-8", newCSV},
	{"perfetto", "json", "application/json", newPerfetto},
}

// Lookup returns the format with the given name, or false if there is none.
func Lookup(name string) (Format, bool) {
	k := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if k < 0 {
		return Format{}, false
	}
	return formats[k], true
}

// Formats returns the names of all formats, sorted.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// writeBytes is the size of the write buffer in bytes.
const writeBytes = 64 << 10

// pauseTicks is the number of ticks after which the function run checks its context and reports progress. Ticks
// that the engine skips do not count.
const pauseTicks = 1 << 10

// Write runs p and writes the run to w in the named format, which must be one of Formats. Its memory use
// does not depend on the length of the run. It returns an error if p cannot be run, if the format cannot represent
// the run, if writing to w fails, or if ctx is done.
func Write(ctx context.Context, w io.Writer, p *program.Program, name string, o Options) error {
	chosen, ok := Lookup(name)
	if !ok {
		return fmt.Errorf("%q is not a format: expected one of %s", name, strings.Join(Formats(), ", "))
	}
	var n counter
	err := run(ctx, p, Options{}, func(*engine.Engine) (formatWriter, error) { return &n, nil })
	if err != nil {
		return err
	}
	if o.Counted != nil {
		o.Counted(n.events)
	}
	out := bufio.NewWriterSize(w, writeBytes)
	err = run(ctx, p, o, func(e *engine.Engine) (formatWriter, error) { return chosen.start(p, e, out, n.peak) })
	if err != nil {
		return err
	}
	return out.Flush()
}

// counter is a formatWriter that writes nothing. It counts the records of a run and finds the maximum number of
// records in one tick.
type counter struct {
	peak, now int   // maximum number of records in a tick so far, and number of records in the current tick
	events    int64 // number of records of the run
}

func (c *counter) begin() error { return nil }
func (c *counter) end() error   { return nil }

func (c *counter) records(recs []engine.Record) error {
	c.now += len(recs)
	return nil
}

func (c *counter) tick(int64) error {
	c.peak = max(c.peak, c.now)
	c.events += int64(c.now)
	c.now = 0
	return nil
}

// run runs p to its end and passes the records, in parts of at most engine.PartRecords, to the formatWriter
// returned by start. It checks ctx before each part. It ignores o.Counted.
func run(ctx context.Context, p *program.Program, o Options, start func(*engine.Engine) (formatWriter, error)) error {
	e, err := engine.NewEngine(p)
	if err != nil {
		return err
	}
	e.Bind(ctx)
	f, err := start(e)
	if err != nil {
		return err
	}
	if err := f.begin(); err != nil {
		return err
	}
	use := func(part []engine.Record) error {
		if err := fairqueue.Pace(ctx); err != nil {
			return err
		}
		return f.records(part)
	}
	var recs []engine.Record
	busy := 0
	for t, ok := e.Next(); ok; t, ok = e.Next() {
		if recs, err = e.TickParts(t, recs, use); err != nil {
			return err
		}
		if err := f.tick(t); err != nil {
			return err
		}
		if busy++; busy%pauseTicks == 0 {
			if err := fairqueue.Pace(ctx); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(t)
			}
		}
	}
	e.Finish()
	if err := e.Err(); err != nil {
		return err
	}
	return f.end()
}
