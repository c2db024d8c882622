package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/lecture"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/view"
)

func newExport(s *console.Streams) *cobra.Command {
	var as, out string
	var recorded bool
	var pic pictureFlags
	c := &cobra.Command{
		Use:   "export SCENARIO | export TRACE | export LECTURE",
		Short: "Write a run in the format of another program, or a picture",
		Long: `Export runs a scenario (a file, a built-in, or "-" for standard input), or reads a trace, packed or
not, and verifies it as the verify command does. It writes the run in the format --as. Without --as
the ending of -o selects the format (.html, .csv, .svg, and .json for perfetto, each also with .gz):

  perfetto   Chrome's Trace Event JSON, for ui.perfetto.dev and others: a lane is a
             process, a level a thread, arrows follow each timer through its cascades
  csv        a row for each lane and tick with events: pending timers, numbers of
             events, and cost
  html       one file that shows the run in a browser, with no server and no network;
             add #seq=N to its address to open it after event N, and &view=lab for
             the laboratory; at most ` + strconv.Itoa(player.EventsMax) + ` events. A lecture (a file
             or a built-in) is one file with the runs of all its stops, and #stop=N
             opens it at a stop
  svg        a picture of the lane --lane at the end of tick --at, or directly after
             event --seq; without both, before the first event

A trace that is malformed, or that differs from the run of its scenario, is not exported, and
the exit code is 2. With --as-recorded the html shows the recorded events of a trace that
differs, without costs, since a trace has none. With -o the file is written to a temporary
file, which is renamed when it is complete. If the name ends in .gz, it is compressed.`,
		Example: `  wheelscope export trace.jsonl --as perfetto -o trace.json.gz
  wheelscope export three-slots -o three-slots.html
  wheelscope export timing-wheels -o timing-wheels.html
  wheelscope run heartbeats | wheelscope export - --as csv > costs.csv`,
		Args:              console.ExactlyOne("SCENARIO, TRACE or LECTURE"),
		ValidArgsFunction: input.CompleteScenarios(1),
		RunE: func(c *cobra.Command, args []string) error {
			if as == "" {
				as = formatOf(out)
			}
			if !slices.Contains(exportFormats(), as) {
				return unknownFormat(as, out)
			}
			if err := s.NeedOutput(out); err != nil {
				return err
			}
			if err := pic.check(c, as); err != nil {
				return err
			}
			if recorded && as != formatHTML {
				return fmt.Errorf("--as-recorded: only for the format %s, not for %s, which has figures that a trace does not record", formatHTML, as)
			}
			if recorded {
				return exportRecorded(c.Context(), s, args[0], out)
			}
			return exportInput(c.Context(), s, args[0], as, out, &pic)
		},
	}
	c.Flags().StringVar(&as, "as", "", "`FORMAT` to write: "+strings.Join(exportFormats(), ", "))
	c.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` instead of standard output")
	c.Flags().BoolVar(&recorded, "as-recorded", false, "html: show the recorded events of a trace that differs from the run of its scenario")
	s.JSONFlag(c, "what was written to -o")
	pic.add(c)
	c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(exportFormats(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// formatHTML is the name of the HTML format. A file in this format contains the lab page and the run.
const formatHTML = "html"

// formatSVG is the name of the format of pictures.
const formatSVG = "svg"

// exportFormats returns the names of all formats, sorted.
func exportFormats() []string {
	list := append(export.Formats(), formatHTML, formatSVG)
	slices.Sort(list)
	return list
}

// formatOf returns the export format for the extension of the file name, or "" if there is no such format.
func formatOf(name string) string {
	for _, format := range exportFormats() {
		if extension(name) == extensionOf(format) {
			return format
		}
	}
	return ""
}

// extension returns the extension of a file name in lower case, ignoring a final .gz.
func extension(name string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
}

// extensionOf returns the file extension for a format.
func extensionOf(format string) string {
	if format == "perfetto" {
		return ".json"
	}
	return "." + format
}

// unknownFormat returns the error for an export format that does not exist. value is the value of the --as
// flag, or "" if the flag is not set. In that case, the error concerns the extension of out, the name of the
// output file.
func unknownFormat(value, out string) error {
	list := strings.Join(exportFormats(), ", ")
	if value != "" {
		return fmt.Errorf("--as: %q is not one of %s", value, list)
	}
	if out == "" || out == "-" {
		return fmt.Errorf("--as is missing: the format is one of %s", list)
	}
	var known []string
	for _, format := range exportFormats() {
		known = append(known, extensionOf(format))
	}
	return fmt.Errorf("%s: the extension %s is not one of %s; --as names the format of any file", out, cmp.Or(extension(out), "(none)"), strings.Join(known, ", "))
}

// withRun computes the run of p and calls the function use with it. The run is released when use returns.
func withRun(ctx context.Context, p *program.Program, use func(*sim.Run) error) error {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	run, err := store.Open(ctx, p)
	if err != nil {
		return err
	}
	store.Retain(ctx, run)
	return use(run)
}

// exportInput runs the named scenario, or verifies the named trace, and writes the run in the given format to the file named out, or
// to standard output if out is "" or "-". A lecture is written with all its runs.
func exportInput(ctx context.Context, s *console.Streams, name, format, out string, pic *pictureFlags) error {
	p, l, err := openInput(ctx, s, name)
	if err != nil {
		return err
	}
	if l != nil {
		return exportLecture(ctx, s, name, l, format, out)
	}
	return writeExport(ctx, s, format, out, func(w io.Writer) error { return exportTo(ctx, s, w, p, format, pic) })
}

// writeExport writes the output of write to the file named out, or to standard output if out is "" or "-". If
// the --json flag is set, it then prints a result that contains out and format.
func writeExport(ctx context.Context, s *console.Streams, format, out string, write func(io.Writer) error) error {
	if err := s.WriteOutput(ctx, out, write); err != nil {
		return err
	}
	return s.Result(console.Fields{"output": out, "format": format}, "")
}

// exportLecture writes l, the named lecture, as an HTML file.
func exportLecture(ctx context.Context, s *console.Streams, name string, l *lecture.Lecture, format, out string) error {
	if format != formatHTML {
		return fmt.Errorf("--as: a lecture is written as %s, not as %s", formatHTML, format)
	}
	return writeExport(ctx, s, format, out, func(w io.Writer) error {
		store := sim.NewStore(sim.StoreOptions{})
		defer store.Close()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if err := view.WriteLecture(ctx, w, store, l); err != nil {
			return fmt.Errorf("%s: %w", input.Name(name), err)
		}
		return nil
	})
}

// exportRecorded writes an HTML player for the named trace to the file named out, or to standard output if out is
// "" or "-". The player shows the events that the trace contains, even if they differ from the run of its
// scenario.
func exportRecorded(ctx context.Context, s *console.Streams, name, out string) error {
	side, err := openSide(ctx, s, name)
	if err != nil {
		return err
	}
	if side.Trace == nil {
		return writeExport(ctx, s, formatHTML, out, func(w io.Writer) error { return exportTo(ctx, s, w, side.Program, formatHTML, nil) })
	}
	diff := side.Trace.Diff
	got, want := diff.Shown()
	note := &player.Note{
		What: static.InEach(texts.Of("recording.altered", "line", diff.Line)),
		File: got, Run: want,
	}
	return writeExport(ctx, s, formatHTML, out, func(w io.Writer) error {
		err := player.WriteRecorded(ctx, w, &side, player.Options{Note: note})
		if broken, ok := errors.AsType[*tracefile.LineError](err); ok {
			err = fmt.Errorf("%s: %w", input.Name(name), broken)
		}
		return err
	})
}

// openInput reads the named scenario, or reads and verifies the named trace, and returns its program. If name refers to a lecture, it
// returns that.
func openInput(ctx context.Context, s *console.Streams, name string) (*program.Program, *lecture.Lecture, error) {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) && lecture.Data(name) != nil {
		l, err := lecture.Read(lecture.Data(name))
		return nil, l, err
	}
	in, done, err := input.Open(ctx, name, s.In)
	if errors.Is(err, input.ErrDirectory) {
		return nil, nil, fmt.Errorf("%s: is a directory, expected a trace or a scenario", name)
	}
	if err != nil {
		return nil, nil, err
	}
	defer done()
	buffered, head := input.Peek(in)
	if lecture.Begins(head) {
		data, err := input.ReadBounded(buffered, name, lecture.BytesMax)
		if err != nil {
			return nil, nil, err
		}
		l, err := lecture.Read(data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", input.Name(name), err)
		}
		return nil, l, nil
	}
	if !importer.IsScenario(head) && importer.NotTrace(head) == "" {
		p, err := readTrace(ctx, s, name, buffered)
		return p, nil, err
	}
	p, err := input.Read(ctx, buffered, name)
	return p, nil, err
}

func readTrace(ctx context.Context, s *console.Streams, name string, in io.Reader) (*program.Program, error) {
	bar := s.Progress(io.Discard, -1, "verifying")
	p, _, err := tracefile.Read(ctx, in, tracefile.Options{Progress: bar.Set})
	bar.Done()
	if diff := (*tracefile.Diff)(nil); errors.As(err, &diff) {
		return nil, fmt.Errorf("%s: line %d differs from the run of its scenario (wheelscope verify shows both, export --as-recorded the events as they are)", input.Name(name), diff.Line)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", input.Name(name), err)
	}
	return p, nil
}

func exportTo(ctx context.Context, s *console.Streams, w io.Writer, p *program.Program, format string, pic *pictureFlags) error {
	bar := s.Progress(w, p.Until, "exporting")
	defer bar.Done()
	switch {
	case format == formatHTML:
		return withRun(ctx, p, func(run *sim.Run) error { return player.Write(ctx, w, run, player.Options{Progress: bar.Set}) })
	case format == formatSVG:
		return withRun(ctx, p, func(run *sim.Run) error { return pic.draw(ctx, w, run) })
	}
	return export.Write(ctx, w, p, format, export.Options{Progress: bar.Set})
}
