package lab

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// verifier executes a verify command.
type verifier struct {
	*console.Streams
	quiet bool // whether to print, if JSON is not set, nothing for an identical trace and one line for any other
}

func newVerify(s *console.Streams) *cobra.Command {
	v := &verifier{Streams: s}
	c := &cobra.Command{
		Use:   "verify TRACE...",
		Short: "Run the scenario of a trace again and compare every byte",
		Long: `Verify reads traces (files, packed or not, or "-" for standard input), runs the
scenario in the header of each again and compares every byte.

  exit 0   identical
  exit 1   the trace is well-formed, but a line differs: the first difference is
           explained, with both lines below; long lines are shortened
  exit 2   the trace is malformed: not a trace, of another version, cut, reordered,
           or with a wrong end line or digest; the line and the reason are printed

If there are several traces, the exit code is the highest of them.

` + fmt.Sprintf("Limits: a line has at most %d KiB, the header %d MiB, a packed trace unpacks to at\nmost %d GiB.",
			tracefile.LineMax>>10, scenario.BytesMax>>20, tracefile.UnpackedMax>>30),
		Example: `  wheelscope verify trace.jsonl.gz
  wheelscope verify -q testdata/*.jsonl
  wheelscope run three-slots | wheelscope verify -`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.ExactlyOne("TRACE")(c, args)
			}
			return onlyOneStdin(args)
		},
		RunE: func(c *cobra.Command, args []string) error { return v.verifyAll(c.Context(), args) },
	}
	s.JSONFlag(c, "the result of each trace")
	c.Flags().BoolVarP(&v.quiet, "quiet", "q", false, "print nothing for identical traces and one line for each other trace")
	return c
}

// onlyOneStdin returns an error if args contains "-", which means standard input, more than once.
func onlyOneStdin(args []string) error {
	seen := false
	for _, name := range args {
		if name == "-" && seen {
			return errors.New("standard input can be read only once; expected - at most once")
		}
		seen = seen || name == "-"
	}
	return nil
}

// verifyAll verifies the named traces and prints the result of each. It returns console.ErrReported if a
// trace could not be verified, otherwise console.ErrDiffers if a trace differs from its run, and nil if all
// are identical. If verifyAll is interrupted or cannot print a result, it returns another error.
func (v *verifier) verifyAll(ctx context.Context, names []string) error {
	var worst error
	for _, name := range names {
		sum, err := v.verifyTrace(ctx, name)
		diff, differs := errors.AsType[*tracefile.Diff](err)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case differs:
			err = v.printDiff(name, diff)
			if worst == nil {
				worst = console.ErrDiffers
			}
		case err != nil:
			console.PrintError(v.Err, console.InLanguage(err, v.Lang))
			worst = console.ErrReported
			err = v.Result(console.Fields{"file": input.Name(name), "result": "broken", "error": err.Error()}, "")
		case !v.quiet || v.JSON:
			err = v.Result(console.Fields{"file": input.Name(name), "result": "identical", "events": sum.Events, "tick": sum.Tick},
				"%s: identical, %d events to tick %d\n", console.Printable(input.Name(name)), sum.Events, sum.Tick)
		}
		if err != nil { // error of standard output
			return err
		}
	}
	return worst
}

// verifyTrace verifies the named trace and returns its summary. If the trace differs from the run, the error
// wraps a *tracefile.Diff. verifyTrace displays a progress bar, which is full when the last tick of the run
// has been verified.
func (v *verifier) verifyTrace(ctx context.Context, name string) (tracefile.Summary, error) {
	in, done, err := openFile(ctx, v.Streams, name, "a trace")
	if err != nil {
		return tracefile.Summary{}, err
	}
	defer done()
	buffered, head := input.Peek(in)
	if reason := importer.NotTrace(head); reason != "" {
		return tracefile.Summary{}, fmt.Errorf("%s: %s", input.Name(name), reason)
	}
	bar := v.Progress(io.Discard, -1, "verifying")
	defer func() { bar.Done() }()
	sum, err := tracefile.Verify(ctx, buffered, tracefile.Options{
		Planned:  func(p *program.Program) { bar = v.Progress(io.Discard, p.Until, "verifying") },
		Progress: func(tick int64) { bar.Set(tick) },
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", input.Name(name), err)
	}
	return sum, err
}

// printDiff explains diff, the first difference between the named trace and the run of its scenario. It also
// prints the two lines that differ, that of the trace and that of the run, unless v.quiet is set and v.JSON is
// not.
func (v *verifier) printDiff(name string, diff *tracefile.Diff) error {
	text := fmt.Sprintf("%s: %s\n", console.Printable(input.Name(name)), console.Printable(diff.Error()))
	if !v.quiet {
		got, want := diff.Shown()
		text += fmt.Sprintf("trace: %s\nrun:   %s\n", console.Printable(got), console.Printable(want))
	}
	got, want := diff.Shown()
	return v.Result(console.Fields{"file": input.Name(name), "result": "differs", "line": diff.Line, "explanation": diff.Explain(), "trace": got, "run": want}, "%s", text)
}

// openFile opens the named file, or standard input for "-". what describes the expected file. done closes it.
func openFile(ctx context.Context, s *console.Streams, name, what string) (in io.Reader, done func() error, err error) {
	if name == "-" {
		return s.In, func() error { return nil }, nil
	}
	f, err := console.OpenFile(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, nil, fmt.Errorf("%s: is a directory, expected %s", name, what)
	}
	return console.Interruptible(ctx, f), f.Close, nil
}
