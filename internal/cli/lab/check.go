package lab

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// checkFilesMax is the maximum number of files that one check or fmt command accepts.
const checkFilesMax = 10000

// someFiles validates the arguments of commands that take 1 to checkFilesMax files.
func someFiles(c *cobra.Command, args []string) error {
	if len(args) == 0 || len(args) > checkFilesMax {
		return fmt.Errorf("%s needs 1 to %d FILEs, %d given (see %s --help)", c.Name(), checkFilesMax, len(args), c.CommandPath())
	}
	return onlyOneStdin(args)
}

func newCheck(s *console.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check scenarios without running them",
		Long: `Check reads scenarios (files, built-ins, or "-" for standard input) and plans them as run does,
without running them. It prints a line for each valid scenario. For an invalid one it prints
an error with the path of the first wrong field, or with the line of the file.

  exit 0   all scenarios are valid
  exit 2   a scenario is invalid or cannot be read

Editors can use the JSON Schema docs/scenario.schema.json.

` + limitsText(),
		Example: `  wheelscope check my.json
  wheelscope check scenarios/*.json --json`,
		Args:              someFiles,
		ValidArgsFunction: input.CompleteScenarios(checkFilesMax),
		RunE:              func(c *cobra.Command, args []string) error { return checkAll(c.Context(), s, args) },
	}
	s.JSONFlag(c, "the result of each file")
	return c
}

// checkAll checks the named scenarios. It returns an error if any of them is invalid.
func checkAll(ctx context.Context, s *console.Streams, names []string) error {
	var worst error
	for _, name := range names {
		err := checkOne(ctx, s, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			continue
		}
		console.PrintError(s.Err, console.InLanguage(console.SuggestIn(err), s.Lang))
		worst = console.ErrReported
		row := console.Fields{"file": input.Name(name), "valid": false, "error": err.Error()}
		if bad, ok := errors.AsType[*scenario.InputError](err); ok {
			row["path"], row["line"], row["error"] = bad.Path, bad.Line, bad.Message.String()
		}
		if err := s.Result(row, ""); err != nil {
			return err
		}
	}
	return worst
}

func checkOne(ctx context.Context, s *console.Streams, name string) error {
	data, err := readScenario(ctx, name, s.In)
	if err != nil {
		return err
	}
	p, err := program.Load(data)
	if err != nil {
		return fmt.Errorf("%s: %w", input.Name(name), err)
	}
	lanes := len(p.Scenario.Lanes)
	return s.Result(console.Fields{"file": input.Name(name), "valid": true, "lanes": lanes, "timers": p.Timers(), "operations": len(p.Ops), "until": p.Until},
		"%s: valid, lanes: %d, timers: %d, operations: %d, until: %d\n", console.Printable(input.Name(name)), lanes, p.Timers(), len(p.Ops), p.Until)
}

// readScenario returns the content of the named scenario without parsing it.
func readScenario(ctx context.Context, name string, stdin io.Reader) ([]byte, error) {
	in, done, err := input.Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	data, err := input.ReadBounded(in, name, scenario.BytesMax)
	if err == nil && tracefile.Packed(data) {
		err = fmt.Errorf("%s: the file is packed by gzip; expected a scenario as JSON text", input.Name(name))
	}
	return data, err
}
