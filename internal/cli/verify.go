package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
)

// errDiffers is told on stdout already and only sets the exit code.
var errDiffers = errors.New("the trace differs")

func newVerify(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "verify TRACE",
		Short: "Run a trace's scenario again and compare every byte",
		Long: `Verify reads a trace (a file, packed or not, or "-" for standard input), runs the
scenario in its header again and compares.

  exit 0   identical
  exit 1   well-formed, but a line differs: both sides of the first are printed
  exit 2   broken: not a trace, of another version, cut, reordered, or its end
           line or digest is wrong; the line's number and the reason are told

` + fmt.Sprintf("Limits: a line has at most %d KiB, the header %d MiB, a packed trace unpacks to at\nmost %d GiB.",
			sim.TraceLineMax>>10, sim.ScenarioBytesMax>>20, sim.TraceUnpackedMax>>30),
		Example: `  wheelscope verify trace.jsonl.gz
  wheelscope run three-slots | wheelscope verify -`,
		Args: func(c *cobra.Command, args []string) error { return exactlyOne(c, args, "TRACE") },
		RunE: func(c *cobra.Command, args []string) error {
			return s.verify(c, args[0])
		},
	}
}

func (s *streams) verify(c *cobra.Command, name string) error {
	in, done, err := s.openTrace(c.Context(), name)
	if err != nil {
		return err
	}
	defer done()
	bar := s.progress(io.Discard, -1, "verifying")
	sum, err := sim.Verify(c.Context(), in, sim.TraceOptions{Progress: bar.set})
	bar.done()
	var diff *sim.Diff
	switch {
	case errors.As(err, &diff):
		if _, err := fmt.Fprintf(s.out, "%s: line %d differs\ntrace: %s\nrun:   %s\n", printable(inputName(name)), diff.Line, printable(diff.Got), printable(diff.Want)); err != nil {
			return err
		}
		return errDiffers
	case err != nil:
		return fmt.Errorf("%s: %w", inputName(name), err)
	}
	_, err = fmt.Fprintf(s.out, "%s: identical, %d events to tick %d\n", printable(inputName(name)), sum.Events, sum.Tick)
	return err
}

// openTrace opens a trace's file, or standard input for "-". done closes it.
func (s *streams) openTrace(ctx context.Context, name string) (in io.Reader, done func() error, err error) {
	if name == "-" {
		return s.in, func() error { return nil }, nil
	}
	f, err := openFile(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, nil, fmt.Errorf("%s: a directory is not a trace", name)
	}
	return interruptible(ctx, f), f.Close, nil
}
