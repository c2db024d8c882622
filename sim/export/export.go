// Package export writes a run in the formats of other programs: Chrome's Trace
// Event JSON, which Perfetto opens, and CSV for spreadsheets. A run is a pure
// function of its program, so an export is made by running it again; it never reads
// a trace's lines. Start reading here, then perfetto.go and csv.go.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
)

// Options say who hears of an export.
type Options struct {
	Progress func(tick int64)   // told now and then, on the caller's goroutine; may be nil
	Counted  func(events int64) // told once, before anything is written, how many the run has; may be nil
}

// format writes one format. Records must not be kept.
type format interface {
	begin() error
	records(recs []sim.Record) error // some of what happens at a tick, in the order of the trace
	tick(t int64) error              // all records of t were given
	end() error
}

// A Format is one way to write a run.
type Format struct {
	Name      string // "perfetto"
	Extension string // of a file, "json"
	MediaType string
	start     func(p *sim.Program, e *sim.Engine, w *bufio.Writer, peak int) (format, error) // peak: the most records of one tick
}

var formats = []Format{
	{"csv", "csv", "text/csv; charset=utf-8", newCSV},
	{"perfetto", "json", "application/json", newPerfetto},
}

// Lookup finds a format by its name.
func Lookup(name string) (Format, bool) {
	k := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if k < 0 {
		return Format{}, false
	}
	return formats[k], true
}

// Formats names what Write can write, in order.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// writeBytes is how much is gathered before it is written.
const writeBytes = 64 << 10

// pauseTicks is how many busy ticks are worked between two looks at the context.
const pauseTicks = 1 << 10

// Write runs p and writes it to w as one of Formats. Memory does not grow with the
// length of the run. The error is w's, ctx's, or says why the run does not fit the
// format.
func Write(ctx context.Context, w io.Writer, p *sim.Program, as string, o Options) error {
	chosen, ok := Lookup(as)
	if !ok {
		return fmt.Errorf("%q is not a format: expected one of %s", as, strings.Join(Formats(), ", "))
	}
	var n counter
	err := run(ctx, p, Options{}, func(*sim.Engine) (format, error) { return &n, nil })
	if err != nil {
		return err
	}
	if o.Counted != nil {
		o.Counted(n.events)
	}
	out := bufio.NewWriterSize(w, writeBytes)
	err = run(ctx, p, o, func(e *sim.Engine) (format, error) { return chosen.start(p, e, out, n.peak) })
	if err != nil {
		return err
	}
	return out.Flush()
}

// counter finds the most records of one tick, and how many there are in all.
type counter struct {
	peak, now int
	events    int64
}

func (c *counter) begin() error { return nil }
func (c *counter) end() error   { return nil }

func (c *counter) records(recs []sim.Record) error {
	c.now += len(recs)
	return nil
}

func (c *counter) tick(int64) error {
	c.peak = max(c.peak, c.now)
	c.events += int64(c.now)
	c.now = 0
	return nil
}

// run moves an engine from before anything to until and gives a format its records, in
// parts of a few thousand. The context is looked at before each part.
func run(ctx context.Context, p *sim.Program, o Options, start func(*sim.Engine) (format, error)) error {
	e, err := sim.NewEngine(p)
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
	use := func(part []sim.Record) error {
		if err := fairqueue.Pace(ctx); err != nil {
			return err
		}
		return f.records(part)
	}
	var recs []sim.Record
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
