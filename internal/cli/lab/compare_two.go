package lab

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
)

// sideBytesMax is the maximum size, in bytes, of a scenario or trace to be compared.
const sideBytesMax = 512 << 20

// timersShown is the maximum number of rows in the table of timers that ended differently in the two runs.
// The other formats list up to compare.DifferencesMax timers.
const timersShown = 20

// compareTwo compares the two named scenarios or traces and prints the result. If they differ and the
// --exit-code flag is set, it returns console.ErrDiffers.
func compareTwo(ctx context.Context, s *console.Streams, names []string, f *compareFlags) error {
	if err := f.check(names, twoRunColumns, s.JSON); err != nil {
		return err
	}
	if names[0] == "-" && names[1] == "-" {
		return fmt.Errorf("standard input can be read only once; expected a file or a built-in scenario for one of A and B")
	}
	var sides []compare.Side
	for _, name := range names {
		side, err := openSide(ctx, s, name)
		if err != nil {
			return err
		}
		sides = append(sides, side)
	}
	bar := s.Progress(io.Discard, max(sides[0].Program.Until, sides[1].Program.Until), "comparing")
	c, err := compare.NewComparison(ctx, sides, tracefile.Options{Progress: bar.Set})
	bar.Done()
	if err != nil {
		return err
	}
	r := c.Report(static.Messages(s.Lang))
	if err := writeTwoRuns(s.Out, r, f); err != nil {
		return err
	}
	if f.exitCode && !equalRuns(r) {
		return console.ErrDiffers
	}
	return nil
}

func writeTwoRuns(w io.Writer, r *compare.ComparisonReport, f *compareFlags) error {
	cells := make([][]string, 0, len(r.Rows))
	for i := range r.Rows {
		cells = append(cells, twoRunCells(&r.Rows[i]))
	}
	switch f.format {
	case "csv":
		return writeCSV(w, twoRunColumns, cells, 3)
	case "json":
		return console.WriteJSON(w, r)
	case "benchfmt":
		return benchmarkTwo(w, r)
	}
	return twoRunTable(w, r, cells, &f.shape)
}

// equalRuns reports whether the two runs in r are equal. They are equal if all of the following hold:
//
//   - They have the same workload, the same last tick, and lanes with the same IDs.
//   - Every timer ends at the same tick in both.
//   - Lanes with the same algorithm emit the same events.
func equalRuns(r *compare.ComparisonReport) bool {
	lanes := map[string]int{}
	for i := range r.Rows {
		lanes[r.Rows[i].Lane]++
	}
	for _, n := range lanes {
		if n != 2 {
			return false
		}
	}
	return r.SameWork && r.First == nil && r.Events == nil && r.Sides[0].Until == r.Sides[1].Until
}

// openSide reads the named scenario or trace and returns it as one of the two inputs of a comparison.
func openSide(ctx context.Context, s *console.Streams, name string) (compare.Side, error) {
	in, done, err := input.Open(ctx, name, s.In)
	if err != nil {
		return compare.Side{}, err
	}
	defer done()
	data, err := readSide(in, name, sideBytesMax)
	if err != nil {
		return compare.Side{}, err
	}
	bar := s.Progress(io.Discard, -1, "reading")
	side, err := importer.OpenSide(ctx, input.Name(name), data, tracefile.Options{Progress: bar.Set})
	bar.Done()
	if err != nil {
		return side, input.Refusal(name, err)
	}
	return side, nil
}

// readSide returns the content of in, which is the scenario or trace with the given name. If in has more than
// limit bytes, readSide returns an error. It does so before reading in if the size of in is known.
func readSide(in io.Reader, name string, limit int64) ([]byte, error) {
	size := sizeOf(in)
	if size > limit {
		return nil, tooLarge(name, limit)
	}
	room := max(size, streamRoom)
	for data := []byte(nil); ; room *= streamGrowth {
		data = append(make([]byte, 0, min(room, limit)+bytes.MinRead), data...) // room for the end of the file, too
		n, err := io.ReadFull(in, data[len(data):cap(data)])
		switch data = data[:len(data)+n]; {
		case int64(len(data)) > limit:
			return nil, tooLarge(name, limit)
		case err == io.EOF, err == io.ErrUnexpectedEOF:
			return data, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", input.Name(name), err)
		}
	}
}

// Sizes for reading a stream of unknown length. The first buffer has streamRoom bytes, and each further one
// is streamGrowth times as large. A large factor costs little: the unused part of a buffer takes no memory,
// and the smaller buffer, which must be copied, is short.
const (
	streamRoom   = 2 << 20
	streamGrowth = 16
)

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s: more than %d bytes, the maximum for a comparison; packed by gzip (.jsonl.gz) a trace has about a twentieth of its size", input.Name(name), limit)
}

var twoRunColumns = append(append([]string{"run"}, compareColumns...), "off", "off_first")

func twoRunCells(r *compare.ComparisonRow) []string {
	cells := append([]string{r.Side}, compareCells(&r.LaneResult)...)
	return append(cells, strconv.FormatInt(r.Off, 10), strconv.FormatInt(r.OffFirst, 10))
}

func twoRunTable(w io.Writer, r *compare.ComparisonReport, cells [][]string, shape *console.TableFlags) error {
	for _, s := range r.Sides {
		note := ""
		if s.Altered > 0 {
			note = fmt.Sprintf(", a trace that is not what its scenario gives from line %d on: its events count, costs are not known", s.Altered)
		}
		fmt.Fprintf(w, "%s  %s (%s)%s\n", s.Side, console.Printable(s.Name), s.Digest[:sim.DigestShort], note)
	}
	fmt.Fprintln(w)
	for _, sentence := range r.Verdict {
		fmt.Fprintln(w, console.Printable(sentence))
	}
	fmt.Fprintln(w)
	if err := shape.Write(w, twoRunColumns, cells, 2); err != nil || len(r.Timers) == 0 {
		return err
	}
	fmt.Fprintln(w)
	return timersTable(w, r, shape.Wide)
}

// timersTable prints a table of the timers in r that ended differently in the two runs. It prints at most
// timersShown rows, followed by the number of remaining timers.
func timersTable(w io.Writer, r *compare.ComparisonReport, wide bool) error {
	var cells [][]string
	for i := range r.Timers[:min(len(r.Timers), timersShown)] {
		t := &r.Timers[i]
		row := []string{strconv.FormatInt(t.Tick, 10), t.Timer, strconv.FormatInt(int64(t.Run), 10), strconv.FormatInt(t.Due, 10)}
		for _, e := range t.Ends {
			words := endWords(&e)
			if e.Due != t.Due && e.Kind != "absent" {
				words += fmt.Sprintf(", due %d", e.Due)
			}
			row = append(row, e.Lane, words)
		}
		cells = append(cells, row)
	}
	shape := console.TableFlags{Wide: wide}
	if err := shape.Write(w, []string{"tick", "timer", "run", "due", "lane", "A", "lane", "B"}, cells, 2); err != nil {
		return err
	}
	if rest := r.Differing - int64(len(cells)); rest > 0 {
		fmt.Fprintf(w, "… and %d more\n", rest)
	}
	return nil
}

// endWords describes at which tick and how a timer ended, for example "7 on time", "9 (2 late)" or "never".
func endWords(e *compare.EndReport) string {
	switch {
	case e.Kind == "":
		return "never"
	case e.Kind == "absent":
		return "no such timer"
	case e.Kind != "expire":
		return fmt.Sprintf("%s at %d", e.Kind, e.Tick)
	case e.Late < 0:
		return fmt.Sprintf("%d (%d early)", e.Tick, -e.Late)
	case e.Late > 0:
		return fmt.Sprintf("%d (%d late)", e.Tick, e.Late)
	}
	return fmt.Sprintf("%d on time", e.Tick)
}
