package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/lecture"
)

func newLecture(s *console.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "lecture",
		Short: "Check lectures",
		Long: `A lecture is a file with a list of stops, each of which is one instant of one run with a note
and perhaps a question. The page plays and makes lectures. docs/LECTURE.md describes the format.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newLectureCheck(s))
	return c
}

func newLectureCheck(s *console.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check that each stop of a lecture exists",
		Long: `Check reads lectures (files, the names of built-in ones, or "-" for standard input) and runs their
scenarios. It prints a line for each valid lecture, and otherwise a line for each stop whose
scenario, tick, event, lane, timer or question does not exist.

  exit 0   all stops of all lectures exist
  exit 2   a stop does not exist, or a file is not a lecture`,
		Example: `  wheelscope lecture check my-lecture.json
  wheelscope lecture check timing-wheels five-faults`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error { return checkLectures(c.Context(), s, args) },
	}
	s.JSONFlag(c, "the result of each file")
	return c
}

// checkLectures checks the named lectures. It returns an error if any of them is invalid.
func checkLectures(ctx context.Context, s *console.Streams, names []string) error {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	checker := &lecture.Checker{Store: store}
	var worst error
	for _, name := range names {
		faults := checkLecture(ctx, s, checker, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, err := range faults {
			worst = console.ErrReported
			console.PrintError(s.Err, console.InLanguage(fmt.Errorf("%s: %w", input.Name(name), err), s.Lang))
			if err := s.Result(console.Fields{"file": input.Name(name), "valid": false, "error": err.Error()}, ""); err != nil {
				return err
			}
		}
	}
	return worst
}

// checkLecture checks the named lecture, and prints a line if it is valid.
func checkLecture(ctx context.Context, s *console.Streams, c *lecture.Checker, name string) []error {
	l, err := readLecture(ctx, name, s.In)
	if err != nil {
		return []error{err}
	}
	if faults := c.Check(ctx, l); len(faults) > 0 {
		return faults
	}
	err = s.Result(console.Fields{"file": input.Name(name), "valid": true, "stops": len(l.Stops)}, "%s: valid, stops: %d\n", console.Printable(input.Name(name)), len(l.Stops))
	if err != nil {
		return []error{err}
	}
	return nil
}

// builtinLectures returns the names of the built-in lectures for a message.
func builtinLectures() string {
	var names []string
	for _, l := range lecture.Builtins() {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}

// readLecture reads the named lecture: a file, "-" for standard input, or a built-in lecture. A file takes precedence over a
// built-in lecture of the same name.
func readLecture(ctx context.Context, name string, stdin io.Reader) (*lecture.Lecture, error) {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		data := lecture.Data(name)
		if data == nil && name != "-" {
			return nil, fmt.Errorf("%q is neither a file nor a built-in lecture (%s)", name, builtinLectures())
		}
		if data != nil {
			return lecture.Read(data)
		}
	}
	in, done, err := input.Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	data, err := input.ReadBounded(in, name, lecture.BytesMax)
	if err != nil {
		return nil, err
	}
	return lecture.Read(data)
}
