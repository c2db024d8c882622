package lab

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/program"
)

// fmtFlags holds the flags that select what fmt does with a file: write the result to the file, print a diff,
// or print the name of the file if the result differs. Without a flag, fmt prints the result.
type fmtFlags struct{ write, diff, list bool }

func newFmt(s *console.Streams) *cobra.Command {
	var f fmtFlags
	c := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "Format scenarios",
		Long: fmt.Sprintf(`Fmt formats scenarios. It writes an object or a list on one line if the line
has at most %d characters, and otherwise each of its elements on a line of its own, indented by
two spaces. It does not change values or the order of fields. It rejects a file that is not a
valid scenario (see "wheelscope check").

Without a flag it writes the result to standard output.`, fmtWidth),
		Example: `  wheelscope fmt my.json
  wheelscope fmt -w scenarios/*.json
  wheelscope fmt -l scenarios/*.json      prints the names of files that would change`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args {
				if err := fmtFile(c.Context(), s, name, &f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&f.write, "write", "w", false, "write the result to the file")
	c.Flags().BoolVarP(&f.diff, "diff", "d", false, "print what would change, as a diff")
	c.Flags().BoolVarP(&f.list, "list", "l", false, "print the names of files that would change")
	s.JSONFlag(c, "for each file whether it changes")
	return c
}

// fmtFile formats the named file. f selects what fmtFile does with the result.
func fmtFile(ctx context.Context, s *console.Streams, name string, f *fmtFlags) error {
	if f.write && name == "-" {
		return fmt.Errorf("-w: standard input cannot be written")
	}
	if _, err := os.Stat(name); f.write && err != nil && input.Exists(name) {
		return fmt.Errorf("-w: %s is a built-in scenario, expected a file", name)
	}
	data, err := readScenario(ctx, name, s.In)
	if err != nil {
		return err
	}
	if _, err := program.Load(data); err != nil {
		return fmt.Errorf("%s: %w", input.Name(name), err)
	}
	out, err := layOut(data)
	if err != nil {
		return fmt.Errorf("%s: %w", input.Name(name), err)
	}
	changed := !bytes.Equal(data, out)
	if changed && f.write {
		fill := func(w io.Writer) error { _, err := w.Write(out); return err }
		if err := s.WriteOutput(ctx, name, fill); err != nil {
			return err
		}
	}
	switch {
	case s.JSON:
		return s.Result(console.Fields{"file": input.Name(name), "changed": changed}, "")
	case f.diff:
		_, err = io.WriteString(s.Out, udiff.Unified(name+".orig", name, string(data), string(out)))
	case f.list && changed:
		_, err = fmt.Fprintln(s.Out, console.Printable(name))
	case !f.list && !f.write:
		_, err = s.Out.Write(out)
	}
	return err
}
